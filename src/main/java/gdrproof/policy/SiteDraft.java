package gdrproof.policy;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.PeerMemoryClient;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.HcaGdr;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclNetwork;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortMtu;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A draft of `site.yaml` from the evidence of a run that was good: what the site has, as far as the facts show it. What they do
 * not show is left as a comment, never guessed. Nodes that show the same form one class.
 */
public final class SiteDraft {
  private static final List<String> NEAREST = List.of("C2C", "PIX", "PXB", "PHB", "NODE", "SYS");
  private static final Pattern NUMBER = Pattern.compile("(\\d+)");

  private final Ledger ledger;

  private SiteDraft(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The file's text; empty if the bundle shows nothing of any node. */
  public static String of(Ledger ledger) {
    return new SiteDraft(ledger).text();
  }

  private String text() {
    Map<String, List<String>> classes = new TreeMap<>();
    for (String node : nodes()) {
      String body = node(node);
      if (!body.isEmpty()) {
        classes.computeIfAbsent(body, b -> new ArrayList<>()).add(node);
      }
    }
    if (classes.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("# What this site means to have. Drafted from evidence by gdrproof site init: read it, correct it, keep it in version control.\n"
        + "version: 1\n");
    one("transport", values(NcclNetwork.class, NcclNetwork::network), text);
    one("registration", registration(), text);
    one("bootstrapInterface", bootstrap(), text);
    text.append("nodeClasses:\n");
    int number = 1;
    for (Map.Entry<String, List<String>> entry : classes.entrySet()) {
      text.append("  - name: class-").append(number++).append("\n    nodes: [").append(String.join(", ", entry.getValue().stream().map(SiteDraft::scalar).toList())).append("]\n").append(entry.getValue().isEmpty() ? "" : entry.getKey());
    }
    return text.toString();
  }

  private Set<String> nodes() {
    Set<String> nodes = new TreeSet<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof RdmaPort || fact instanceof TopoLink || fact instanceof GpuDevice || fact instanceof GpuCount) {
        nodes.add(fact.node());
      }
    });
    if (nodes.size() > 1) {
      nodes.remove(Fact.UNKNOWN);
    }
    return nodes;
  }

  private <T extends Fact> List<T> on(String node, Class<T> type) {
    return ledger.all(type).stream().filter(f -> f.node().equals(node)).toList();
  }

  private String node(String node) {
    StringBuilder text = new StringBuilder();
    Num gpus = gpus(node);
    if (gpus.known()) {
      text.append("    gpus: ").append(gpus).append('\n');
    } else {
      text.append("    # gpus: not in the evidence (nvidia-smi topo -m)\n");
    }
    Set<String> models = new TreeSet<>();
    on(node, GpuDevice.class).forEach(g -> models.add(g.model()));
    models.remove(Fact.UNKNOWN);
    if (models.size() == 1) {
      text.append("    gpuModel: ").append(scalar(models.iterator().next())).append('\n');
    }
    // Several tools tell of one port, some without its rate: the fullest statement of each counts.
    Map<String, RdmaPort> fullest = new TreeMap<>();
    on(node, RdmaPort.class).stream().filter(p -> p.state().equals("ACTIVE")).forEach(p -> fullest.merge(padded(p.hca()) + ":" + (p.port().known() ? p.port() : "1"), p, SiteDraft::fuller));
    List<RdmaPort> ports = List.copyOf(fullest.values());
    if (ports.isEmpty()) {
      text.append("    # hcas: no active port in the evidence (ibstat, ibv_devinfo, rdma link)\n");
    } else {
      text.append("    hcas:\n");
      int rail = 0;
      for (RdmaPort port : ports) {
        text.append("      - {name: ").append(scalar(port.hca())).append(", port: ").append(port.port().known() ? port.port().toString() : "1").append(", rail: ").append(rail++);
        number("rateGbps", port.rateGbps(), text);
        if (!port.linkLayer().equals(Fact.UNKNOWN)) {
          text.append(", linkLayer: ").append(scalar(port.linkLayer()));
        }
        on(node, PortMtu.class).stream().filter(m -> m.hca().equals(port.hca()) && m.activeBytes().known()).findFirst().ifPresent(m -> number("mtuBytes", m.activeBytes(), text));
        text.append("}\n");
      }
    }
    map(node, text);
    return gpus.known() || !ports.isEmpty() ? text.toString() : "";
  }

  private static RdmaPort fuller(RdmaPort a, RdmaPort b) {
    int left = (a.rateGbps().known() ? 2 : 0) + (a.linkLayer().equals(Fact.UNKNOWN) ? 0 : 1);
    int right = (b.rateGbps().known() ? 2 : 0) + (b.linkLayer().equals(Fact.UNKNOWN) ? 0 : 1);
    return left >= right ? a : b;
  }

  private Num gpus(String node) {
    for (GpuCount count : on(node, GpuCount.class)) {
      if (count.gpus().known()) {
        return count.gpus();
      }
    }
    Set<String> names = new TreeSet<>();
    on(node, TopoLink.class).stream().map(TopoLink::from).filter(g -> g.startsWith("GPU")).forEach(names::add);
    on(node, GpuDevice.class).forEach(g -> names.add(g.gpu()));
    return names.isEmpty() ? Num.UNKNOWN : Num.of(names.size());
  }

  /** For each GPU the HCAs on its shortest path, as `nvidia-smi topo -m` shows it. */
  private void map(String node, StringBuilder text) {
    Map<String, String> hcas = new TreeMap<>();
    on(node, TopoNic.class).forEach(n -> hcas.put(n.nic(), n.hca()));
    Map<String, Map<Integer, Set<String>>> near = new TreeMap<>(Comparator.comparing(SiteDraft::padded));
    for (TopoLink link : on(node, TopoLink.class)) {
      int rank = NEAREST.indexOf(link.path());
      String hca = hcas.getOrDefault(link.to(), link.to());
      if (link.from().startsWith("GPU") && !link.to().startsWith("GPU") && rank >= 0) {
        near.computeIfAbsent(link.from(), g -> new TreeMap<>()).computeIfAbsent(rank, r -> new TreeSet<>(Comparator.comparing(SiteDraft::padded))).add(hca);
      }
    }
    if (!near.isEmpty()) {
      text.append("    gpuToHca:\n");
      near.forEach((gpu, ranks) -> {
        Map.Entry<Integer, Set<String>> best = ranks.entrySet().iterator().next();
        text.append("      ").append(gpu).append(": {path: ").append(NEAREST.get(best.getKey())).append(", hcas: [").append(String.join(", ", best.getValue())).append("]}\n");
      });
    }
  }

  private Set<String> registration() {
    Set<String> found = new TreeSet<>();
    ledger.all(HcaGdr.class).stream().filter(h -> h.enabled() == Tri.YES).forEach(h -> found.add(h.mechanism()));
    found.remove(Fact.UNKNOWN);
    if (found.isEmpty() && (ledger.all(Module.class).stream().anyMatch(m -> m.name().replace('-', '_').equals("nvidia_peermem")) || !ledger.all(PeerMemoryClient.class).isEmpty())) {
      found.add("peermem");
    }
    return found;
  }

  private Set<String> bootstrap() {
    Set<String> found = new TreeSet<>();
    ledger.all(NcclMessage.class).stream().filter(m -> m.id().startsWith("bootstrap")).forEach(m -> {
      for (String name : List.of("ifname", "interface", "netdev", "if", "name")) {
        found.add(m.field(name).replaceFirst(":.*", ""));
      }
    });
    found.remove(Fact.UNKNOWN);
    return found;
  }

  private <T extends Fact> Set<String> values(Class<T> type, java.util.function.Function<T, String> value) {
    Set<String> found = new TreeSet<>();
    ledger.all(type).forEach(f -> found.add(value.apply(f)));
    found.remove(Fact.UNKNOWN);
    return found;
  }

  private static void one(String key, Set<String> values, StringBuilder text) {
    if (values.size() == 1) {
      text.append(key).append(": ").append(scalar(values.iterator().next())).append('\n');
    } else {
      text.append("# ").append(key).append(": ").append(values.isEmpty() ? "not in the evidence" : "differs: " + String.join(", ", values)).append('\n');
    }
  }

  private static void number(String key, Num value, StringBuilder text) {
    if (value.known()) {
      text.append(", ").append(key).append(": ").append(value);
    }
  }

  private static String scalar(String text) {
    return text.matches("[A-Za-z][A-Za-z0-9_./ -]*") && !text.matches("(?i)true|false|yes|no|on|off|null|y|n") ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** Numbers in names padded, so that mlx5_10 comes after mlx5_9. */
  private static String padded(String name) {
    Matcher number = NUMBER.matcher(name);
    return number.replaceAll(m -> "0".repeat(Math.max(0, 6 - m.group().length())) + m.group());
  }
}
