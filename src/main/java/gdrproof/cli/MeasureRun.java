package gdrproof.cli;

import gdrproof.engine.SiteRules;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.finding.Asking;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.Did;
import gdrproof.finding.Diagnosis.Outcome;
import gdrproof.finding.Diagnosis.Round;
import gdrproof.finding.Diagnosis.Status;
import gdrproof.probe.Measurer;
import gdrproof.probe.Measurer.Result;
import gdrproof.probe.Plan;
import gdrproof.probe.Scaling;
import gdrproof.probe.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/** Measures with open targets, which are closed whatever ends the program; the loop of concluding, asking and measuring. */
final class MeasureRun implements AutoCloseable {
  private static final int MOST_ROUNDS = 20;
  private static final String SCALING = "nccl-scaling";

  private final Path bundle;
  private final MeasureOptions options;
  private final Map<String, Target> targets;
  private final Measurer measurer;
  private final Consumer<String> progress;
  private final Thread hook = new Thread(this::closeTargets, "close targets");

  MeasureRun(Path bundle, MeasureOptions options, Consumer<String> progress) throws InterruptedException {
    this(bundle, options, options.open(progress), progress);
  }

  /** With targets of a test. */
  MeasureRun(Path bundle, MeasureOptions options, Map<String, Target> targets, Consumer<String> progress) {
    this.bundle = bundle;
    this.options = options;
    this.progress = progress;
    this.targets = targets;
    this.measurer = new Measurer(targets, bundle, options.options(), progress);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    closeTargets();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending, and the hook is at work.
      return;
    }
  }

  private void closeTargets() {
    targets.values().forEach(Target::close);
  }

  /** Runs a plan; the step over more and more nodes is driven by what it measures. */
  List<Result> run(Plan plan, Asking asking, List<String> hosts) throws IOException, InterruptedException {
    List<Plan.Item> plain = plan.items().stream().filter(i -> !i.measurement().equals(SCALING)).toList();
    List<Result> results = new ArrayList<>(measurer.run(new Plan(plain)));
    if (plain.size() < plan.items().size() && options.options().load() && !options.dry() && hosts.size() > 2) {
      Scaling.Found found = new Scaling(nodes -> {
        List<Result> one = measurer.run(Plan.of(List.of(asking.over(SCALING, nodes)), asking));
        results.addAll(one);
        return plateau(one);
      }).run(hosts);
      progress.accept("scaling: " + found.verdict() + (found.slow().isEmpty() ? "" : ", slow together: " + String.join(", ", found.slow())));
    }
    return results;
  }

  private double plateau(List<Result> results) throws IOException {
    double best = Double.NaN;
    for (Result result : results) {
      if (result.ran()) {
        for (RunSummary summary : Pipeline.facts(bundle.resolve(result.file())).all(RunSummary.class)) {
          best = summary.plateauGBps().known() ? summary.plateauGBps().value() : best;
        }
      }
    }
    return best;
  }

  /**
   * Concludes, asks, measures and concludes again, until it is decided, the budget is spent, or nothing that may run can separate more.
   *
   * @return the last answer, with its rounds
   */
  Diagnosis loop(List<SiteRules> sites) throws IOException, InterruptedException {
    List<Round> rounds = new ArrayList<>();
    Set<String> tried = new HashSet<>();
    while (true) {
      Ledger ledger = Pipeline.facts(bundle);
      Diagnosis diagnosis = Pipeline.diagnose(ledger, sites);
      Asking asking = new Asking(ledger::unsorted, options.launcher());
      List<Ask> next = next(diagnosis.asks(), tried);
      String end = end(diagnosis, next, rounds.size());
      List<Result> results = List.of();
      if (end.isEmpty()) {
        next.forEach(a -> tried.add(key(a)));
        results = run(Plan.of(next, asking), asking, asking.hosts());
        end = options.dryEnd(results);
      }
      List<Did> did = results.stream().map(r -> new Did(r.measurement(), r.node(), r.status(), r.seconds(), r.file(), r.note())).toList();
      Round round = new Round(rounds.size() + 1, diagnosis.outcome(), diagnosis.causes().stream().map(Answer::fault).toList(), diagnosis.open().stream().map(Answer::fault).toList(),
          next.stream().map(Ask::measurement).toList(), did, end);
      rounds.add(round);
      if (!options.dry()) {
        log(round);
      }
      if (!end.isEmpty()) {
        return diagnosis.after(rounds);
      }
    }
  }

  private String end(Diagnosis diagnosis, List<Ask> next, int rounds) {
    boolean decided = diagnosis.open().isEmpty() && diagnosis.outcome() != Outcome.INCONCLUSIVE && diagnosis.causes().stream().allMatch(c -> c.status() == Status.PROVEN);
    if (decided) {
      return "decided";
    }
    if (next.isEmpty()) {
      return diagnosis.asks().isEmpty() ? "no measurement can separate more" : "nothing that may run and was not tried can separate more";
    }
    return measurer.left() < 1 ? "the budget is spent" : rounds >= MOST_ROUNDS ? "after " + MOST_ROUNDS + " rounds" : "";
  }

  /** What to run now: all that only reads; then one step of the raw order of loads at a time. What could not run before has another text when new facts fill it. */
  private static List<Ask> next(List<Ask> asks, Set<String> tried) {
    List<Ask> fresh = asks.stream().filter(a -> !tried.contains(key(a))).toList();
    List<Ask> reading = fresh.stream().filter(a -> a.cost().equals("read-only")).toList();
    if (!reading.isEmpty()) {
      return reading;
    }
    int stage = fresh.stream().mapToInt(Ask::stage).min().orElse(0);
    return fresh.stream().filter(a -> a.stage() == stage).toList();
  }

  private static String key(Ask ask) {
    return ask.measurement() + "\n" + ask.command();
  }

  /** Each round goes into the bundle, in the form of a collection's index: what could not be had is named with its reason. */
  private void log(Round round) throws IOException {
    JsonMapper mapper = JsonMapper.builder().build();
    StringBuilder lines = new StringBuilder();
    lines.append(line(mapper, round, "-", "round", "done", "", "causes " + round.causes() + ", open " + round.open() + (round.end().isEmpty() ? "" : ", end: " + round.end())));
    round.did().forEach(d -> lines.append(line(mapper, round, d.node().isEmpty() ? "-" : d.node(), d.measurement(), d.status(), d.file(), d.note())));
    Path file = Files.createDirectories(bundle.resolve("measured")).resolve("rounds.jsonl");
    Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String line(JsonMapper mapper, Round round, String node, String probe, String status, String file, String reason) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("schema", "gdrproof/collection/v1");
    m.put("round", round.number());
    m.put("node", node);
    m.put("boundary", "host");
    m.put("probe", probe);
    m.put("status", status);
    m.put("file", file);
    m.put("reason", reason);
    return mapper.writeValueAsString(m) + "\n";
  }
}
