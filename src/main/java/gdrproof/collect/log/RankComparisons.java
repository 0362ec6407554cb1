package gdrproof.collect.log;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.CommunicatorRoll;
import gdrproof.facts.Nccl.EnvClash;
import gdrproof.facts.Nccl.Laggard;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.Nccl.RankProgress;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What only a look across the ranks of a run tells: who is behind, whose settings differ. */
public final class RankComparisons {
  private static final String UNSET = "unset";

  private RankComparisons() {}

  /** Adds the comparisons to a ledger whose runs are settled. */
  public static void derive(Ledger ledger) {
    laggards(ledger);
    environments(ledger);
    rolls(ledger);
  }

  private static void rolls(Ledger ledger) {
    Map<String, TreeMap<Num, NcclRank>> comms = new TreeMap<>();
    for (NcclRank rank : ledger.all(NcclRank.class)) {
      if (rank.started() == Tri.YES && rank.rank().known() && rank.ranks().above(1)) {
        comms.computeIfAbsent(rank.run() + " " + rank.commId(), c -> new TreeMap<>()).merge(rank.rank(), rank, (a, b) -> a.completed() == Tri.YES ? a : b);
      }
    }
    for (TreeMap<Num, NcclRank> ranks : comms.values()) {
      NcclRank any = ranks.firstEntry().getValue();
      NcclRank waiting = ranks.values().stream().filter(r -> r.completed() == Tri.NO).findFirst().orElse(null);
      long completed = ranks.values().stream().filter(r -> r.completed() == Tri.YES).count();
      NcclRank shown = waiting == null ? any : waiting;
      ledger.add(new CommunicatorRoll(shown.node(), any.run(), any.commId(), any.ranks(), Num.of(ranks.size()), Num.of(completed),
          waiting == null ? Fact.UNKNOWN : waiting.process()), List.copyOf(ledger.of(shown)));
    }
  }

  private static void laggards(Ledger ledger) {
    Map<String, Map<Num, RankProgress>> groups = new TreeMap<>();
    for (RankProgress progress : ledger.all(RankProgress.class)) {
      if (progress.witness().equals("pytorch") && progress.rank().known() && progress.enqueued().known()) {
        groups.computeIfAbsent(progress.run() + " " + progress.group(), g -> new HashMap<>())
            .merge(progress.rank(), progress, (a, b) -> a.enqueued().above(b.enqueued()) ? a : b);
      }
    }
    for (Map<Num, RankProgress> group : groups.values()) {
      RankProgress low = group.values().stream().min(java.util.Comparator.comparing(RankProgress::enqueued).thenComparing(RankProgress::rank)).orElseThrow();
      RankProgress high = group.values().stream().max(java.util.Comparator.comparing(RankProgress::enqueued).thenComparing(RankProgress::rank)).orElseThrow();
      if (low.enqueued().below(high.enqueued())) {
        Set<Evidence> sources = new TreeSet<>(ledger.of(low));
        sources.addAll(ledger.of(high));
        ledger.add(new Laggard(low.node(), low.run(), low.process(), low.rank(), low.witness(), low.enqueued(), high.enqueued(), Num.of(1)), sources);
      }
    }
  }

  private static void environments(Ledger ledger) {
    Map<String, String> kinds = new HashMap<>();
    Policies.read("must-agree.yaml").forEach((kind, names) -> Policies.texts(names).forEach(n -> kinds.put(n, kind)));
    Map<String, String> runs = new HashMap<>();
    Set<String> all = new TreeSet<>();
    for (NcclMessage message : ledger.all(NcclMessage.class)) {
      runs.putIfAbsent(message.process(), message.run());
      all.add(message.run());
    }
    // A dump of a shell belongs to a run only when the bundle holds one.
    String only = all.size() == 1 ? all.iterator().next() : null;
    Map<String, List<EnvValue>> values = new TreeMap<>();
    Map<String, Set<String>> dumps = new TreeMap<>();
    // A log that prints variables and goes on to the end of initialisation prints every one that is set.
    Map<String, Set<String>> logs = new TreeMap<>();
    Set<String> whole = new HashSet<>();
    ledger.all(NcclRank.class).stream().filter(r -> r.completed() == Tri.YES).forEach(r -> whole.add(r.process()));
    for (EnvValue value : ledger.all(EnvValue.class)) {
      boolean log = value.scope().equals("nccl-log");
      String run = log ? runs.get(value.owner()) : only;
      if (run == null || run.equals(Fact.UNKNOWN) || value.scope().equals("config-file")) {
        continue;
      }
      if (log && whole.contains(value.owner())) {
        logs.computeIfAbsent(run, r -> new TreeSet<>()).add(value.owner());
      }
      if (!log && value.name().startsWith("NCCL_")) {
        dumps.computeIfAbsent(run, r -> new TreeSet<>()).add(value.owner());
      }
      if (kinds.containsKey(value.name())) {
        values.computeIfAbsent(run + "\u0000" + value.name() + "\u0000" + (log ? "log" : "dump"), k -> new ArrayList<>()).add(value);
      }
    }
    values.forEach((key, list) -> {
      String[] parts = key.split("\u0000");
      EnvValue first = list.get(0);
      EnvValue other = list.stream().filter(v -> !v.value().equals(first.value()) && !v.owner().equals(first.owner())).findFirst().orElse(null);
      if (other != null) {
        Set<Evidence> sources = new TreeSet<>(ledger.of(first));
        sources.addAll(ledger.of(other));
        ledger.add(new EnvClash(Fact.UNKNOWN, parts[0], kinds.get(first.name()), first.name(), first.value(), first.owner(), other.value(), other.owner()), sources);
      } else {
        Set<String> without = new HashSet<>((parts[2].equals("dump") ? dumps : logs).getOrDefault(parts[0], Set.of()));
        list.forEach(v -> without.remove(v.owner()));
        new TreeSet<>(without).stream().findFirst().ifPresent(owner -> ledger.add(
            new EnvClash(Fact.UNKNOWN, parts[0], kinds.get(first.name()), first.name(), first.value(), first.owner(), UNSET, owner), ledger.of(first)));
      }
    });
  }
}
