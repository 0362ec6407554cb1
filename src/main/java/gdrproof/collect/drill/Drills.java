package gdrproof.collect.drill;

import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Drill.DrillCapacity;
import gdrproof.facts.Drill.DrillCounter;
import gdrproof.facts.Drill.DrillFailure;
import gdrproof.facts.Drill.DrillFailures;
import gdrproof.facts.Drill.DrillFigure;
import gdrproof.facts.Drill.DrillPart;
import gdrproof.facts.Drill.DrillPlacement;
import gdrproof.facts.Drill.DrillRun;
import gdrproof.facts.Drill.DrillStall;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares three bundles of one drill. */
public final class Drills {
  private final Phase before;
  private final Phase during;
  private final Phase after;
  private final Ledger facts = new Ledger();

  private Drills(Ledger before, Ledger during, Ledger after) {
    this.before = new Phase("before", before);
    this.during = new Phase("during", during);
    this.after = new Phase("after", after);
  }

  /** Facts of the comparison; evidence is named by phase and place, `during/node1/ibstat.txt`. */
  public static Ledger compare(Ledger before, Ledger during, Ledger after) {
    Drills drills = new Drills(before, during, after);
    drills.parts();
    drills.figures();
    drills.counters();
    drills.runs();
    return drills.facts;
  }

  private static Set<String> keys(Collection<String> a, Collection<String> b, Collection<String> c) {
    Set<String> keys = new TreeSet<>(a);
    keys.addAll(b);
    keys.addAll(c);
    return keys;
  }

  private List<Evidence> sources(String key) {
    List<Evidence> sources = new ArrayList<>();
    for (Phase phase : List.of(before, during, after)) {
      phase.evidence.getOrDefault(key, Set.of()).stream().limit(1).forEach(e -> sources.add(e.within(phase.name)));
    }
    return sources;
  }

  private void parts() {
    Map<String, Set<String>> failed = new TreeMap<>();
    Map<String, Integer> ports = new TreeMap<>();
    Map<String, List<Evidence>> why = new TreeMap<>();
    for (String key : keys(before.parts.keySet(), during.parts.keySet(), after.parts.keySet())) {
      String[] names = key.split("\n");
      DrillPart part = new DrillPart(names[0], names[1], names[2], before.value(key), during.value(key), after.value(key));
      facts.add(part, sources(key));
      boolean hardware = part.kind().equals("port") || part.kind().equals("gpu");
      boolean up = part.kind().equals("port") ? part.before().startsWith("ACTIVE") : part.kind().equals("gpu") && !part.before().equals("absent") && !part.before().equals(Fact.UNKNOWN);
      if (part.kind().equals("port") && up) {
        ports.merge(part.node(), 1, Integer::sum);
      }
      if (hardware && up && !part.during().equals(Fact.UNKNOWN) && !part.during().equals(part.before())) {
        failed.computeIfAbsent(part.node(), n -> new TreeSet<>()).add(part.kind() + "\n" + part.name());
        why.computeIfAbsent(part.node() + "\n" + part.kind() + "\n" + part.name(), k -> new ArrayList<>()).addAll(sources(key).stream().filter(e -> e.file().startsWith(during.name + "/")).toList());
      }
    }
    if (during.parts.keySet().stream().anyMatch(k -> k.contains("\nport\n") || k.contains("\ngpu\n"))) {
      failures(failed, ports, why);
    }
  }

  /** All ports of a node are one failure, and so is one rail that fails on every node. */
  private void failures(Map<String, Set<String>> failed, Map<String, Integer> ports, Map<String, List<Evidence>> why) {
    List<Evidence> told = why.values().stream().flatMap(List::stream).sorted().toList();
    // A device that a whole list lacks has no line of its own there.
    List<Evidence> all = told.isEmpty() && !failed.isEmpty() ? List.of(Evidence.of(during.name, 0, "a whole list lacks what was there before")) : told;
    Set<DrillFailure> found = new java.util.LinkedHashSet<>();
    Set<String> common = failed.size() > 1 && failed.keySet().containsAll(ports.keySet()) ? new TreeSet<>(failed.values().iterator().next()) : new TreeSet<>();
    failed.values().forEach(common::retainAll);
    boolean rail = common.size() == 1 && failed.values().stream().allMatch(f -> f.size() == 1);
    if (rail) {
      String[] names = common.iterator().next().split("\n");
      found.add(new DrillFailure(Fact.UNKNOWN, "rail", names[1]));
    } else {
      failed.forEach((node, things) -> {
        long down = things.stream().filter(t -> t.startsWith("port\n")).count();
        if (down > 1 && down == ports.getOrDefault(node, 0)) {
          found.add(new DrillFailure(node, "node", node));
        } else {
          things.forEach(t -> found.add(new DrillFailure(node, t.split("\n")[0], t.split("\n")[1])));
        }
      });
    }
    found.forEach(f -> facts.add(f, all));
    facts.add(new DrillFailures(Fact.UNKNOWN, Num.of(found.size())), all.isEmpty() ? List.of(Evidence.of("during", 0, "no port and no GPU differs from before")) : all);
    double least = 1;
    String worst = "";
    for (Map.Entry<String, Integer> node : ports.entrySet()) {
      long down = failed.getOrDefault(node.getKey(), Set.of()).stream().filter(t -> t.startsWith("port\n")).count();
      double share = (node.getValue() - down) / (double) node.getValue();
      if (share < least || worst.isEmpty()) {
        least = share;
        worst = node.getKey();
      }
    }
    if (!worst.isEmpty() && !all.isEmpty()) {
      int had = ports.get(worst);
      facts.add(new DrillCapacity(worst, Num.of(least), Num.of(Math.round(least * had)), Num.of(had)), all);
    }
  }

  private void figures() {
    for (String key : keys(before.figures.keySet(), during.figures.keySet(), after.figures.keySet())) {
      String[] names = key.split("\n");
      Num first = before.figures.getOrDefault(key, Num.UNKNOWN);
      Num middle = during.figures.getOrDefault(key, Num.UNKNOWN);
      Num last = after.figures.getOrDefault(key, Num.UNKNOWN);
      facts.add(new DrillFigure(names[0].isEmpty() ? Fact.UNKNOWN : names[0], names[1], names[2], first, middle, last, middle.over(first).rounded(), last.over(first).rounded()), sources(key));
    }
  }

  private void counters() {
    for (String key : keys(during.growth.keySet(), after.growth.keySet(), List.of())) {
      String[] names = key.split("\n");
      facts.add(new DrillCounter(names[0], names[1], names[2], names[3], during.growth.getOrDefault(key, Num.UNKNOWN), after.growth.getOrDefault(key, Num.UNKNOWN)), sources(key));
    }
  }

  private void runs() {
    List<Evidence> placed = new ArrayList<>();
    for (Phase phase : List.of(before, during, after)) {
      phase.evidence.entrySet().stream().filter(e -> e.getKey().startsWith("\nbusbw")).flatMap(e -> e.getValue().stream()).limit(1).forEach(e -> placed.add(e.within(phase.name)));
    }
    if (!placed.isEmpty()) {
      facts.add(new DrillPlacement(Fact.UNKNOWN, before.placement(), during.placement(), after.placement()), placed);
    }
    for (RunSummary run : during.runs) {
      String error = during.failures.stream().filter(f -> f.run().equals(run.run())).map(NcclTestFailure::kind).findFirst().orElse("none");
      facts.add(new DrillRun(run.node(), run.run(), run.finished(), run.correctness(), error), placed);
      Num seconds = during.stalls.getOrDefault(run.run(), Num.UNKNOWN);
      if (seconds.known()) {
        Num gpus = run.ranks();
        facts.add(new DrillStall(run.node(), run.run(), seconds.rounded(), gpus, gpus.known() ? Num.of(seconds.value() * gpus.value()).rounded() : Num.UNKNOWN),
            during.evidence.getOrDefault("stall\n" + run.run(), Set.of()).stream().limit(1).map(e -> e.within("during")).toList());
      }
    }
    for (NcclTestFailure failure : during.failures) {
      if (during.runs.stream().noneMatch(r -> r.run().equals(failure.run()))) {
        facts.add(new DrillRun(failure.node(), failure.run(), Tri.NO, Fact.UNKNOWN, failure.kind()),
            during.evidence.getOrDefault("failure\n" + failure.run(), Set.of()).stream().limit(1).map(e -> e.within("during")).toList());
      }
    }
  }
}
