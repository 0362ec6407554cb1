package gdrproof.collect.log;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.FirstFailure;
import gdrproof.facts.Nccl.FirstOfNode;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Who failed first: errors of NCCL are cascades, and only stamps of one node's clock order them. */
public final class FirstFailures {
  private static final List<String> PEERS = List.of("peer", "remote", "remoteAddr", "rgid");

  private FirstFailures() {}

  /** Adds the derived facts to a ledger whose runs are settled. */
  public static void derive(Ledger ledger) {
    Map<String, Map<String, List<FirstFailure>>> runs = new TreeMap<>();
    for (FirstFailure failure : ledger.all(FirstFailure.class)) {
      runs.computeIfAbsent(failure.run(), r -> new TreeMap<>()).computeIfAbsent(failure.node(), n -> new ArrayList<>()).add(failure);
    }
    if (runs.isEmpty()) {
      return;
    }
    Map<String, String> peers = new HashMap<>();
    for (NcclMessage message : ledger.all(NcclMessage.class)) {
      PEERS.stream().map(message::field).filter(p -> !p.equals(Fact.UNKNOWN) && !p.isBlank()).findFirst()
          .ifPresent(p -> peers.putIfAbsent(message.run() + " " + message.process() + " " + message.id(), p));
    }
    runs.forEach((run, nodes) -> nodes.forEach((node, failures) -> {
      // A stamp that one process lacks, or prints in another form, orders nothing.
      boolean stamped = failures.stream().noneMatch(f -> f.time().equals(Fact.UNKNOWN))
          && failures.stream().map(f -> f.time().replaceAll("\\d", "0")).distinct().count() == 1;
      if (!stamped && failures.size() > 1) {
        return;
      }
      FirstFailure first = failures.stream().min(Comparator.comparing(FirstFailure::time).thenComparing(FirstFailure::process)).orElseThrow();
      Set<String> tied = new HashSet<>();
      failures.stream().filter(f -> f.time().equals(first.time())).forEach(f -> tied.add(f.process()));
      if (tied.size() > 1) {
        return;
      }
      boolean one = nodes.size() == 1 && !node.equals(Fact.UNKNOWN);
      ledger.add(new FirstOfNode(node, run, first.process(), first.rank(), first.id(), first.text(), first.time(),
          peers.getOrDefault(run + " " + first.process() + " " + first.id(), Fact.UNKNOWN), Num.of(failures.size()), Tri.of(one)), ledger.of(first));
    }));
  }
}
