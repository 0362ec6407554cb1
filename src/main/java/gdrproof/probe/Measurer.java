package gdrproof.probe;

import gdrproof.finding.Diagnosis.Step;
import gdrproof.policy.Policies;
import gdrproof.probe.Plan.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs a plan on targets and stores what was measured in a bundle, as `measured/NNN-MEASUREMENT/NODE.txt`. Reading is always allowed; a load needs permission, a target
 * for each of its nodes, and idle GPUs and ports; what changes the machine is never run. Nothing goes on beyond the budget.
 */
public final class Measurer {
  private static final Pattern SLOT = Pattern.compile("\\{[a-z_]+\\}");
  /** Exit status of a shell that finds no such program. */
  private static final int NOT_FOUND = 127;
  private static final String LOADS = "it loads GPUs or fabric; permit it with --measure=load";
  private static final Pattern NUMBERED = Pattern.compile("(\\d{3,6})-.*");

  /**
   * @param load whether loads are permitted
   * @param budget for everything
   * @param overruleBusy load a node although somebody works there
   * @param dryRun only say what would run
   */
  public record Options(boolean load, Duration budget, boolean overruleBusy, boolean dryRun) {}

  /**
   * What became of one step, or of a whole item that did not run.
   *
   * @param status `done`, `timed-out`, `stopped`, `unreachable`; `refused`, `busy`, `left-out` for what did not run
   * @param file path inside the bundle, "" for what did not run
   * @param note why, for a person
   */
  public record Result(String measurement, String node, String role, String command, String status, int exit, double seconds, String file, String note) {
    static Result skipped(Item item, String status, String note) {
      return new Result(item.measurement(), "", "", "", status, -1, 0, "", note);
    }

    public boolean ran() {
      return !file.isEmpty();
    }
  }

  private final Map<String, Target> targets;
  private final Path bundle;
  private final Options options;
  private final Consumer<String> progress;
  private final long deadline;

  /** @param targets by node name */
  public Measurer(Map<String, Target> targets, Path bundle, Options options, Consumer<String> progress) {
    this.targets = new TreeMap<>(targets);
    this.bundle = bundle;
    this.options = options;
    this.progress = progress;
    this.deadline = System.nanoTime() + options.budget().toNanos();
  }

  /** Seconds of the budget that are left. */
  public long left() {
    return Math.max(0, (deadline - System.nanoTime()) / 1_000_000_000L);
  }

  /** Runs the items in their order; counters and the like are taken around the loads. */
  public List<Result> run(Plan plan) throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    List<Item> around = plan.items().stream().filter(Item::around).toList();
    boolean loads = plan.items().stream().anyMatch(i -> i.load() && !i.around());
    for (Item item : plan.items()) {
      if (item.around() && loads && options.load()) {
        continue;
      }
      Result refused = refusal(item);
      if (refused != null) {
        progress.accept(item.measurement() + ": " + refused.status() + ", " + refused.note());
        results.add(refused);
      } else if (item.around()) {
        twice(item, results);
      } else {
        one(item, around, results);
      }
    }
    return results;
  }

  /** Why an item must not run, or null. */
  private Result refusal(Item item) throws IOException, InterruptedException {
    if (!item.cost().equals("read-only") && !item.load()) {
      return Result.skipped(item, "refused", "it changes the machine (cost " + item.cost() + ")");
    }
    for (Step step : item.steps()) {
      if (Measuring.changes(step.command())) {
        return Result.skipped(item, "refused", "it changes the machine: " + step.command());
      }
    }
    if (item.load() && !options.load() && !options.dryRun()) {
      return Result.skipped(item, "refused", LOADS);
    }
    if (item.boundary().equals(Plan.HAND)) {
      return Result.skipped(item, "left-out", "a person has to do it: " + String.join("; ", item.steps().stream().map(Step::command).distinct().toList()));
    }
    if (item.boundary().equals("cluster")) {
      return Result.skipped(item, "left-out", "it asks the cluster's API: gdrproof collect, or by hand");
    }
    boolean unfilled = item.steps().stream().anyMatch(s -> SLOT.matcher(s.command()).find());
    if (item.steps().isEmpty() || unfilled && !options.dryRun()) {
      return Result.skipped(item, "left-out", "no fact fills " + (item.needs().isEmpty() ? "its command" : slots(item)));
    }
    if (options.dryRun()) {
      return null;
    }
    Set<String> missing = missing(item);
    if (!missing.isEmpty() && (item.load() || item.steps().stream().allMatch(s -> missing.contains(s.node())))) {
      return Result.skipped(item, "left-out", "no target is named for " + String.join(", ", missing));
    }
    if (targets.isEmpty()) {
      return Result.skipped(item, "left-out", "no target is named");
    }
    if (left() < (item.load() ? item.seconds() : 1)) {
      return Result.skipped(item, "left-out", "it takes about " + item.seconds() + " s, and " + left() + " s of the budget are left");
    }
    return item.load() && !options.overruleBusy() ? busy(item) : null;
  }

  private static String slots(Item item) {
    return String.join(", ", item.needs().keySet().stream().map(n -> "{" + n + "}").toList());
  }

  /** Nodes of its steps for which there is no target. */
  private Set<String> missing(Item item) {
    Set<String> missing = new LinkedHashSet<>();
    item.steps().stream().map(Step::node).filter(n -> !n.isEmpty() && !targets.containsKey(n)).forEach(missing::add);
    return missing;
  }

  /** The exact commands, and what would keep them from running as things are. */
  private void say(Item item, String how) {
    List<String> lacks = new ArrayList<>();
    if (item.load() && !options.load()) {
      lacks.add(LOADS);
    }
    if (item.steps().stream().anyMatch(s -> SLOT.matcher(s.command()).find())) {
      lacks.add("no fact fills " + slots(item));
    }
    if (!missing(item).isEmpty()) {
      lacks.add("no target is named for " + String.join(", ", missing(item)));
    }
    String but = lacks.isEmpty() ? "" : "   # " + String.join("; ", lacks);
    for (Step step : item.steps()) {
      String where = step.node().isEmpty() ? "every node" : step.node();
      progress.accept(item.measurement() + ": " + how + " on " + where + (step.role().equals(Step.RUN) ? "" : " (" + step.role() + ")") + ": " + step.command() + but);
    }
  }

  private Result busy(Item item) throws IOException, InterruptedException {
    for (Target target : on(item)) {
      String why = Busy.why(target);
      for (int again = 0; again < 2 && why.contains("% busy"); again++) {
        // The driver's figure shows our own last test for a moment.
        Thread.sleep(2000);
        why = Busy.why(target);
      }
      if (!why.isEmpty()) {
        return Result.skipped(item, "busy", target.node() + ": " + why + "; --overrule-busy measures all the same");
      }
    }
    return null;
  }

  /** Targets of an item's steps; of a step without a node, all for what each node says of itself, else the first. */
  private List<Target> on(Item item) {
    Set<Target> found = new LinkedHashSet<>();
    for (Step step : item.steps()) {
      found.addAll(on(item, step));
    }
    return List.copyOf(found);
  }

  private List<Target> on(Item item, Step step) {
    if (!step.node().isEmpty()) {
      return targets.containsKey(step.node()) ? List.of(targets.get(step.node())) : List.of();
    }
    return item.boundary().equals("node") || item.boundary().equals("rank") ? List.copyOf(targets.values()) : targets.values().stream().limit(1).toList();
  }

  /** Steps of an item, each at the node of a target. */
  private List<Step> placed(Item item) {
    List<Step> placed = new ArrayList<>();
    for (Step step : item.steps()) {
      on(item, step).forEach(t -> placed.add(new Step(t.node(), step.role(), step.unit(), step.command())));
    }
    return placed;
  }

  private void one(Item item, List<Item> around, List<Result> results) throws IOException, InterruptedException {
    if (options.dryRun()) {
      say(item, "would run");
      return;
    }
    List<Step> steps = placed(item);
    Path folder = folder(item.measurement());
    progress.accept(item.measurement() + " on " + String.join(", ", steps.stream().map(Step::node).distinct().toList()));
    Surroundings surroundings = new Surroundings(on(item), folder, item.measurement(), around.stream().flatMap(a -> placed(a).stream()).toList());
    if (item.load()) {
      surroundings.take("before");
      surroundings.watch(Duration.ofSeconds(left() + 5));
    }
    try {
      for (int run = 1; run <= item.runs() && left() > 0; run++) {
        List<Result> done = new UnitRun(targets, item, folder, bundle, item.runs() > 1 ? ".run" + run : "", this::left).run(steps);
        results.addAll(done);
        otherwise(item, done, folder, results);
      }
    } finally {
      surroundings.stopWatching();
      if (item.load()) {
        surroundings.take("after");
      }
    }
  }

  /** Where a program is not installed, what any Linux has instead. */
  private void otherwise(Item item, List<Result> done, Path folder, List<Result> results) throws IOException, InterruptedException {
    List<String> commands = Policies.texts(Policies.map(Policies.read("measurements.yaml").get(item.measurement())).get("otherwise"));
    for (Result result : done) {
      if (result.exit() == NOT_FOUND && result.role().equals(Step.RUN)) {
        for (String command : commands) {
          results.addAll(new UnitRun(targets, item, folder, bundle, ".otherwise", this::left).run(List.of(new Step(result.node(), Step.RUN, 0, command))));
        }
      }
    }
  }

  /** What is taken around a load, where no load is in the plan: two readings of the running job. */
  private void twice(Item item, List<Result> results) throws IOException, InterruptedException {
    if (options.dryRun()) {
      say(item, "would run twice");
      return;
    }
    List<Step> steps = placed(item);
    Path folder = folder(item.measurement());
    progress.accept(item.measurement() + ", two readings");
    results.addAll(new UnitRun(targets, item, folder, bundle, ".before", this::left).run(steps));
    Thread.sleep(Duration.ofSeconds(Math.min(left(), Measuring.limit("around_seconds"))).toMillis());
    results.addAll(new UnitRun(targets, item, folder, bundle, ".after", this::left).run(steps));
  }

  /** The next number in the bundle. */
  private Path folder(String measurement) throws IOException {
    Path measured = Files.createDirectories(bundle.resolve("measured"));
    int last = 0;
    try (Stream<Path> all = Files.list(measured)) {
      for (Path folder : all.toList()) {
        java.util.regex.Matcher m = NUMBERED.matcher(folder.getFileName().toString());
        last = m.matches() ? Math.max(last, Integer.parseInt(m.group(1))) : last;
      }
    }
    return measured.resolve(String.format("%03d-%s", last + 1, measurement.replaceAll("[^A-Za-z0-9_.-]", "_")));
  }
}
