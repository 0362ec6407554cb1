package gdrproof.collect.log;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.Laggard;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Nccl.RankProgress;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers of NCCL's RAS service as text (`ncclras`, 2.24 and later): operation counts that differ, and who is behind. */
final class Ras implements Collector {
  private static final Pattern VERSION = Pattern.compile("^NCCL version (?<version>\\S+) compiled with CUDA (?<cuda>\\S+)$");
  private static final Pattern MOST = Pattern.compile("^ *(?<n>\\d+) ranks? ha(?:ve|s) (?:launched up to operation (?<operation>\\d+)|not launched any operations?)$");
  private static final Pattern RANK = Pattern.compile(
      "^ *Rank (?<rank>\\d+) (?:has launched up to operation (?<operation>\\d+) )?-- GPU .+ managed by process (?<pid>\\d+) on node (?<node>\\S+)$");
  private static final Pattern COMM = Pattern.compile("^ *Communicator ranks have different (?<operation>\\w+) operation counts$");

  @Override
  public String tool() {
    return "ncclras";
  }

  /** A rank that the answer names, with the count of its own line or of the line above it. */
  private record Named(int line, Num rank, String node, String pid, Num operation) {
    String process() {
      return node + ":" + pid;
    }
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, Integer> sightings = new HashMap<>();
    Map<String, Laggard> behind = new LinkedHashMap<>();
    Map<String, Integer> first = new HashMap<>();
    List<Named> named = new ArrayList<>();
    Num highest = Num.UNKNOWN;
    Num group = Num.UNKNOWN;
    String operation = Fact.UNKNOWN;
    OperationCounts counts = new OperationCounts();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher version = VERSION.matcher(line);
      Matcher comm = COMM.matcher(line);
      Matcher most = MOST.matcher(line);
      Matcher rank = RANK.matcher(line);
      if (version.matches()) {
        sink.fact(new NcclVersion(section.node(), Fact.UNKNOWN, Fact.UNKNOWN, version.group("version"), version.group("cuda")), section.at(i));
      } else if (line.startsWith("#")) {
        settle(section, sink, named, highest, operation, sightings, behind, first);
        crossed(section, sink, counts);
        operation = Fact.UNKNOWN;
      } else if (comm.matches()) {
        settle(section, sink, named, highest, operation, sightings, behind, first);
        highest = Num.UNKNOWN;
        group = Num.UNKNOWN;
        operation = comm.group("operation");
        sink.understood(section, i);
      } else if (most.matches()) {
        group = most.group("operation") == null ? Num.of(0) : Num.parse(most.group("operation"));
        highest = highest.above(group) ? highest : group;
        // The greatest group stands first and is not listed rank by rank.
        if (!operation.equals(Fact.UNKNOWN) && !counts.knowsRest(operation)) {
          counts.rest(operation, group);
        }
        sink.understood(section, i);
      } else if (rank.matches() && !operation.equals(Fact.UNKNOWN)) {
        Num own = rank.group("operation") == null ? group : Num.parse(rank.group("operation"));
        if (own.known()) {
          Named each = new Named(i, Num.parse(rank.group("rank")), Sections.shortName(rank.group("node")), rank.group("pid"), own);
          named.add(each);
          counts.add(operation, new OperationCounts.Count(each.node(), each.process(), each.rank(), own, List.of(section.at(i))));
        }
      }
    }
    settle(section, sink, named, highest, operation, sightings, behind, first);
    crossed(section, sink, counts);
    behind.forEach((key, l) -> sink.fact(new Laggard(l.node(), Fact.UNKNOWN, l.process(), l.rank(), "ras", l.lowest(), l.highest(), Num.of(sightings.get(key))), section.at(first.get(key))));
  }

  private static void crossed(Section section, Sink sink, OperationCounts counts) {
    counts.crossed((fact, at) -> at.forEach(e -> sink.fact(fact, e)));
    counts.clear();
  }

  /** The end of one communicator's warning: only now is the highest count known, whatever order the groups stand in. */
  private static void settle(Section section, Sink sink, List<Named> named, Num highest, String operation, Map<String, Integer> sightings, Map<String, Laggard> behind,
      Map<String, Integer> first) {
    for (Named n : named) {
      sink.fact(new RankProgress(n.node(), Fact.UNKNOWN, n.process(), n.rank(), "ras", Fact.UNKNOWN, operation, n.operation(), Num.UNKNOWN), section.at(n.line()));
      if (n.operation().below(highest)) {
        String key = n.process() + " " + n.operation() + " " + highest;
        sightings.merge(key, 1, Integer::sum);
        behind.putIfAbsent(key, new Laggard(n.node(), Fact.UNKNOWN, n.process(), n.rank(), "ras", n.operation(), highest, Num.of(1)));
        first.putIfAbsent(key, n.line());
      }
    }
    named.clear();
  }
}
