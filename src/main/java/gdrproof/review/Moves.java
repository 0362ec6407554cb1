package gdrproof.review;

import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.collect.operator.Part;
import gdrproof.collect.operator.ReviewContext;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator.BlockingBudget;
import gdrproof.facts.Operator.Change;
import gdrproof.facts.Operator.ComponentMove;
import gdrproof.facts.Operator.ResourceMove;
import gdrproof.facts.Operator.SelectorMove;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a change moves: resource names, the NICs of selectors, components of the stack; and what blocks its drain. */
final class Moves {
  private static final Set<String> NARROWING = Set.of("ifNames", "deviceIDs", "devices", "pfNames", "rootDevices", "pciAddresses", "linkTypes", "vendors", "drivers", "deviceID", "vendor");
  private static final String WORKLOADS = String.valueOf(Policies.read("operator/changes.yaml").get("workload-images"));

  private final OperatorSet before;
  private final OperatorSet after;
  private final Ledger ledger;
  private final List<ComponentMove> components = new ArrayList<>();

  Moves(OperatorSet before, OperatorSet after, Ledger ledger) {
    this.before = before;
    this.after = after;
    this.ledger = ledger;
  }

  void write(List<Delta> deltas, List<Change> changes) {
    resources(changes);
    for (int i = 0; i < deltas.size(); i++) {
      selector(deltas.get(i), changes.get(i));
      component(changes.get(i), deltas.get(i));
    }
    changes.stream().filter(c -> c.kind().equals("Chart")).forEach(c -> move(c, "Network Operator"));
    workloads();
    budgets();
  }

  /** Names that vanish or appear, each tied to the change that does it. */
  private void resources(List<Change> changes) {
    Map<String, OperatorDoc> then = ReviewContext.offers(before);
    Map<String, OperatorDoc> now = ReviewContext.offers(after);
    then.forEach((name, doc) -> {
      if (!now.containsKey(name)) {
        move(changes, doc, name, "gone");
      }
    });
    now.forEach((name, doc) -> {
      if (!then.containsKey(name)) {
        move(changes, doc, name, "new");
      }
    });
  }

  private void move(List<Change> changes, OperatorDoc doc, String name, String move) {
    String plain = name.substring(name.indexOf('/') + 1);
    List<String> askers = ReviewContext.askers(after, name);
    String shown = askers.isEmpty() ? "nothing in the files given" : String.join(", ", askers.size() > 8 ? askers.subList(0, 8) : askers);
    Change best = null;
    for (Change change : changes) {
      if (!change.object().equals(doc.id()) && !change.key().endsWith("resourcePrefix")) {
        continue;
      }
      boolean named = change.path().contains("[" + plain + "]") || change.key().endsWith("resourceName") || change.key().endsWith("resourcePrefix") || change.key().endsWith(".name")
          || change.path().equals(change.kind()) || change.key().equals("rdmaSharedDevicePlugin") || change.key().equals("sriovDevicePlugin") || change.key().endsWith("config")
          || change.key().endsWith("deploy") || change.key().equals("deployCR");
      boolean fits = move.equals("gone") ? !change.type().equals("added") : !change.type().equals("removed");
      if (named && fits && (best == null || change.path().contains("[" + plain + "]"))) {
        best = change;
      }
    }
    if (best != null) {
      ledger.add(new ResourceMove(doc.id(), best.id(), name, move, shown), ledger.of(best));
    }
  }

  private void selector(Delta delta, Change change) {
    String last = delta.key().substring(delta.key().lastIndexOf('.') + 1);
    boolean plugin = delta.key().startsWith("rdmaSharedDevicePlugin") || delta.key().startsWith("sriovDevicePlugin") || delta.key().startsWith("nicSelector");
    if (!plugin || !NARROWING.contains(last) || delta.key().endsWith("plugin")) {
      return;
    }
    Set<String> then = new HashSet<>(delta.was().texts());
    Set<String> now = new HashSet<>(delta.is().texts());
    Set<String> gained = new TreeSet<>(now);
    gained.removeAll(then);
    Set<String> lost = new TreeSet<>(then);
    lost.removeAll(now);
    // A list that comes narrows what was open, one that goes opens it.
    String move = then.isEmpty() ? "narrowed" : now.isEmpty() ? "widened" : lost.isEmpty() ? "widened" : gained.isEmpty() ? "narrowed" : "moved";
    int open = delta.path().indexOf('[');
    String resource = open < 0 ? delta.doc().name() : delta.path().substring(open + 1, Math.max(open + 1, delta.path().indexOf(']')));
    ledger.add(new SelectorMove(change.object(), change.id(), resource, move, String.join(", ", gained), String.join(", ", lost)), ledger.of(change));
  }

  private void component(Change change, Delta delta) {
    if (change.active() == Tri.NO || !change.type().equals("changed")) {
      return;
    }
    String component = switch (change.kind() + " " + change.key()) {
      case "NicClusterPolicy ofedDriver.version", "NicNodePolicy ofedDriver.version", "HelmValues ofedDriver.version" -> "DOCA-OFED";
      case "ClusterPolicy driver.version", "NVIDIADriver version" -> "GPU driver";
      case "HelmValues driver.version" -> "GPU driver";
      case "HelmValues operator.version" -> delta.doc().name().equals("gpu-operator") ? "GPU Operator" : "";
      default -> change.kind().startsWith("NicFirmware") ? "NIC firmware" : "";
    };
    if (!component.isEmpty()) {
      move(change, component);
    }
  }

  private void move(Change change, String component) {
    ComponentMove move = new ComponentMove(change.object(), change.id(), component, change.before(), change.after());
    components.add(move);
    ledger.add(move, ledger.of(change));
  }

  /** Components that move, once all is written. */
  List<ComponentMove> components() {
    return List.copyOf(components);
  }

  /** Images of jobs that carry CUDA or NCCL, when they move in the same change. */
  private void workloads() {
    Map<String, Part> then = images(before);
    images(after).forEach((key, image) -> {
      Part old = then.get(key);
      if (old != null && !old.text().equals(image.text()) && image.text().matches(WORKLOADS)) {
        ComponentMove move = new ComponentMove(key, "", "CUDA or NCCL image", old.text(), image.text());
        components.add(move);
        ledger.add(move, image.evidence());
      }
    });
  }

  private static Map<String, Part> images(OperatorSet set) {
    Map<String, Part> found = new TreeMap<>();
    for (OperatorDoc doc : set.docs()) {
      int spec = 0;
      for (Part pod : doc.podSpecs()) {
        for (Part container : pod.get("containers").items()) {
          found.put(doc.id() + " " + spec + " " + container.get("name").text(), container.get("image"));
        }
        spec++;
      }
    }
    return found;
  }

  private void budgets() {
    for (OperatorDoc doc : after.docs()) {
      if (!doc.kind().equals("PodDisruptionBudget")) {
        continue;
      }
      Part unavailable = doc.root().get("spec", "maxUnavailable");
      Part available = doc.root().get("spec", "minAvailable");
      if (unavailable.text().matches("0%?")) {
        ledger.add(new BlockingBudget(doc.id(), doc.namespace(), doc.name(), "maxUnavailable " + unavailable.text()), unavailable.evidence());
      } else if (available.text().equals("100%")) {
        ledger.add(new BlockingBudget(doc.id(), doc.namespace(), doc.name(), "minAvailable 100%"), available.evidence());
      }
    }
  }
}
