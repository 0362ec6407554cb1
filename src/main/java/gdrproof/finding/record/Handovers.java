package gdrproof.finding.record;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.Undertaking;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Net.SwitchAttachment;
import gdrproof.facts.Operator.OperatorRelease;
import gdrproof.facts.Rdma.FabricLink;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.reading.Reading;
import gdrproof.finding.record.Handover.Change;
import gdrproof.finding.record.Handover.Condition;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Gathers a hand-over from what was judged and from the facts below it. */
public final class Handovers {
  private static final String ABSENT = "absent";

  private final Map<String, String> state = new TreeMap<>();
  private final Map<String, Set<String>> versions = new TreeMap<>();
  private final Map<String, Map<String, Integer>> models = new TreeMap<>();
  private final Set<List<String>> hcas = new TreeSet<>(java.util.Comparator.comparing(Object::toString));
  private final Set<List<String>> cables = new TreeSet<>(java.util.Comparator.comparing(Object::toString));
  private final Set<List<String>> commands = new TreeSet<>(java.util.Comparator.comparing(Object::toString));
  private final List<Condition> rollback = conditions("rollback");
  private final List<Condition> escalate = conditions("escalate");

  private Handovers() {}

  /**
   * @param previous name and state of the last record; "" and empty for the first
   */
  public static Handover of(Ledger ledger, Acceptance acceptance, List<Reading> readings, String previous, Map<String, String> before) {
    Handovers gathered = new Handovers();
    ledger.forEach(gathered::see);
    return gathered.handover(acceptance, readings, previous, before);
  }

  private void see(Fact fact, Set<Evidence> sources) {
    String node = fact.node();
    if (fact instanceof GpuDevice gpu) {
      models.computeIfAbsent(node, n -> new TreeMap<>()).merge(gpu.model(), 1, Integer::sum);
    } else if (fact instanceof RdmaDevice device) {
      hcas.add(List.of(node, device.hca(), device.type()));
      version("firmware of " + device.type(), device.firmware(), node);
    } else if (fact instanceof RdmaPort port) {
      state.merge("port " + node + " " + port.hca() + ":" + port.port(), port.state() + (port.state().equals("ACTIVE") ? " " + port.rateGbps() + " Gb/s " + port.linkLayer() : ""), (a, b) -> a.compareTo(b) <= 0 ? a : b);
    } else if (fact instanceof SmiDriver driver) {
      version("GPU driver", driver.driver(), node);
      version("CUDA of the driver", driver.cuda(), node);
    } else if (fact instanceof NvidiaDriver driver) {
      version("GPU driver", driver.version(), node);
    } else if (fact instanceof SoftwareVersion software) {
      version(software.component(), software.version(), node);
    } else if (fact instanceof NcclVersion nccl) {
      version("NCCL", nccl.version(), node);
    } else if (fact instanceof OperatorRelease release) {
      version("operator (" + release.source() + ")", release.version(), Fact.UNKNOWN);
    } else if (fact instanceof FabricLink link && !link.peer().equals(Fact.UNKNOWN)) {
      cables.add(List.of(link.name(), link.port().toString(), link.peer(), link.peerPort().toString()));
    } else if (fact instanceof SwitchAttachment attachment) {
      cables.add(List.of(node, attachment.device(), attachment.switchName(), attachment.switchPort()));
    } else if (fact instanceof Undertaking undertaking && undertaking.complete()) {
      String said = "as written down by " + undertaking.by() + ", " + undertaking.date() + (undertaking.files().isEmpty() ? "" : " (" + String.join(", ", undertaking.files()) + ")");
      if (undertaking.kind().equals("rollback") || undertaking.kind().equals("canary")) {
        rollback.add(new Condition(undertaking.kind() + " criteria of this change", said));
      } else if (undertaking.kind().equals("escalation")) {
        escalate.add(new Condition("escalation path of this change", said));
      }
    }
    for (Evidence source : sources) {
      if (!source.command().equals(Fact.UNKNOWN) && !source.command().isBlank()) {
        commands.add(List.of(source.command(), source.host(), source.file()));
      }
    }
  }

  private void version(String component, String version, String node) {
    if (!version.equals(Fact.UNKNOWN) && !version.isBlank()) {
      versions.computeIfAbsent(component + "\n" + version, v -> new TreeSet<>()).add(node);
    }
  }

  private Handover handover(Acceptance acceptance, List<Reading> readings, String previous, Map<String, String> before) {
    List<List<String>> inventory = new ArrayList<>();
    models.forEach((node, counts) -> counts.forEach((model, count) -> {
      inventory.add(List.of(node, "GPUs", count + " x " + model));
      state.put("GPUs of " + node + ", " + model, String.valueOf(count));
    }));
    hcas.forEach(h -> inventory.add(List.of(h.get(0), h.get(1), h.get(2))));
    List<List<String>> versionRows = new ArrayList<>();
    Map<String, Set<String>> byComponent = new TreeMap<>();
    versions.forEach((key, nodes) -> {
      String[] parts = key.split("\n", 2);
      versionRows.add(List.of(parts[0], parts[1], nodes.stream().map(n -> n.equals(Fact.UNKNOWN) ? "node not told" : n).collect(Collectors.joining(", "))));
      byComponent.computeIfAbsent(parts[0], c -> new TreeSet<>()).add(parts[1]);
    });
    byComponent.forEach((component, all) -> state.put("version of " + component, String.join(", ", all)));
    state.put("accepted", acceptance.accepted() ? "yes" : "no");
    acceptance.items().forEach(i -> state.put("item " + i.id(), i.verdictText()));
    readings.forEach(r -> state.put("plateau of " + r.run(), r.plateauGBps() + " GB/s"));
    cables.forEach(c -> state.put("cable " + c.get(0) + " port " + c.get(1), c.get(2) + " port " + c.get(3)));
    Map<String, List<Item>> owners = acceptance.items().stream().collect(Collectors.groupingBy(Item::owner, TreeMap::new, Collectors.toList()));
    return new Handover(acceptance.asOf(), acceptance, previous, changes(previous, before), state, rollback, escalate, inventory, List.copyOf(cables), versionRows, List.copyOf(commands), owners, readings);
  }

  private List<Change> changes(String previous, Map<String, String> before) {
    if (previous.isEmpty()) {
      return List.of();
    }
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(state.keySet());
    return names.stream().map(n -> new Change(n, before.getOrDefault(n, ABSENT), state.getOrDefault(n, ABSENT))).filter(c -> !c.before().equals(c.after())).toList();
  }

  private static List<Condition> conditions(String kind) {
    return Policies.maps(Policies.read("record.yaml").get(kind)).stream().map(m -> new Condition(String.valueOf(m.get("when")), String.valueOf(m.get("reading"))))
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
