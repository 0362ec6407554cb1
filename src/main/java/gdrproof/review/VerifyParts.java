package gdrproof.review;

import gdrproof.facts.Fact;
import gdrproof.facts.Host.ModuleVersion;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaNamespaceMode;
import gdrproof.facts.Tri;
import gdrproof.facts.Verify.PartMove;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Parts of the data plane, which live on the nodes and which no rollback of Kubernetes objects touches: both sides' versions and orders. */
final class VerifyParts {
  private static final Map<String, Object> STACK = Policies.map(Policies.read("operator/verify.yaml").get("stack"));

  private record Part(String node, String what, String name) {}

  private record Seen(String value, List<Fact> facts) {}

  private final Ledger before;
  private final Ledger after;
  private final Ledger target;

  VerifyParts(Ledger before, Ledger after, Ledger target) {
    this.before = before;
    this.after = after;
    this.target = target;
  }

  void write() {
    Map<Part, Seen> then = parts(before);
    Map<Part, Seen> now = parts(after);
    then.forEach((part, old) -> {
      Seen there = now.get(part);
      if (there != null) {
        VerifyFacts.add(target, new PartMove(part.node(), part.what(), part.name(), old.value(), there.value(), Tri.of(old.value().equals(there.value()))), before, old.facts(), after, there.facts());
      }
    });
  }

  private static Map<Part, Seen> parts(Ledger side) {
    Map<Part, Seen> found = new LinkedHashMap<>();
    VerifyFacts.of(side, NvidiaDriver.class).forEach(d -> put(found, d.node(), "gpu-driver", "nvidia", d.version(), d));
    VerifyFacts.of(side, ModuleVersion.class).forEach(m -> put(found, m.node(), "module", m.name(), m.version(), m));
    VerifyFacts.of(side, RdmaDevice.class).forEach(d -> put(found, d.node(), "firmware", d.hca(), d.firmware(), d));
    VerifyFacts.of(side, RdmaNamespaceMode.class).forEach(m -> put(found, m.node(), "rdma-mode", "netns", m.mode(), m));
    VerifyFacts.of(side, SoftwareVersion.class).forEach(s -> {
      Object what = STACK.get(s.component());
      // A container brings its own user space; the data plane is the host's.
      if (what != null && !s.scope().equals("container")) {
        put(found, s.node(), String.valueOf(what), s.component(), s.version(), s);
      }
    });
    Map<Part, Map<Double, Gid>> tables = new LinkedHashMap<>();
    VerifyFacts.of(side, Gid.class).forEach(g -> tables.computeIfAbsent(new Part(g.node(), "gid-order", g.hca() + "/" + g.port()), p -> new TreeMap<>()).put(g.index().value(), g));
    tables.forEach((part, table) -> {
      StringBuilder order = new StringBuilder();
      table.forEach((index, gid) -> {
        if (!gid.kind().equals("zero")) {
          order.append(order.length() == 0 ? "" : ", ").append(gid.index()).append(' ').append(gid.version()).append(' ').append(gid.ipv4().equals(Fact.UNKNOWN) ? gid.kind() : gid.ipv4());
        }
      });
      found.put(part, new Seen(order.toString(), new ArrayList<>(table.values())));
    });
    return found;
  }

  /** Where one side tells two values (two tools, two moments), it tells nothing to compare. */
  private static void put(Map<Part, Seen> found, String node, String what, String name, String value, Fact fact) {
    if (!value.equals(Fact.UNKNOWN) && !value.isEmpty()) {
      found.merge(new Part(node, what, name), new Seen(value, List.of(fact)), (a, b) -> {
        List<Fact> both = new ArrayList<>(a.facts());
        both.addAll(b.facts());
        return new Seen(a.value().equals(b.value()) ? a.value() : a.value().compareTo(b.value()) < 0 ? a.value() + " and " + b.value() : b.value() + " and " + a.value(), both);
      });
    }
  }
}
