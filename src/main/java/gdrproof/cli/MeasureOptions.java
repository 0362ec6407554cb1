package gdrproof.cli;

import gdrproof.facts.Fact;
import gdrproof.probe.Measurer;
import gdrproof.probe.Target;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of `measure` and of `diagnose --measure`: what may run, where, and for how long. */
final class MeasureOptions {
  @Option(names = "--measure", paramLabel = "read-only|load", description = "what may run: commands that only read, or loads of GPUs and fabric too; nothing ever runs that changes a machine")
  private String permitted = "";

  @Mixin
  private Nodes nodes;

  @Option(names = "--budget", paramLabel = "SECONDS", description = "time for all measurements together (default: ${DEFAULT-VALUE})", defaultValue = "1800")
  private long budget;

  @Option(names = "--dry-run", description = "print the exact commands, run none")
  private boolean dryRun;

  @Option(names = "--overrule-busy", description = "load GPUs and ports although somebody else works there")
  private boolean overruleBusy;

  @Option(names = "--launcher", paramLabel = "NAME", description = "mpirun, srun or torchrun for tests over ranks (default: what the evidence shows)")
  private String launcher = Fact.UNKNOWN;

  boolean wanted() {
    return !permitted.isEmpty() || dryRun;
  }

  boolean dry() {
    return dryRun;
  }

  String launcher() {
    return launcher;
  }

  /** @throws IllegalArgumentException with a message for the user */
  void check() {
    if (!List.of("", "read-only", "load").contains(permitted)) {
      throw new IllegalArgumentException("--measure=" + permitted + ": read-only or load");
    }
    if (permitted.equals("load") && !nodes.named() && !dryRun) {
      throw new IllegalArgumentException("--measure=load loads GPUs and fabric: name the nodes with --targets");
    }
    if (budget < 1) {
      throw new IllegalArgumentException("--budget: a number of seconds above 0");
    }
    if (!List.of(Fact.UNKNOWN, "mpirun", "srun", "torchrun").contains(launcher)) {
      throw new IllegalArgumentException("--launcher=" + launcher + ": mpirun, srun or torchrun");
    }
    nodes.check();
  }

  /** Why a loop ends after one round: a dry run learns nothing. */
  String dryEnd(List<Measurer.Result> results) {
    return dryRun ? "dry run" : results.stream().noneMatch(Measurer.Result::ran) && results.stream().allMatch(r -> r.note().contains("of the budget are left")) && !results.isEmpty() ? "the budget is spent" : "";
  }

  Measurer.Options options() {
    return new Measurer.Options(permitted.equals("load"), Duration.ofSeconds(budget), overruleBusy, dryRun);
  }

  /** Targets by node; this machine (or the Slurm allocation) where none is named. */
  Map<String, Target> open(Consumer<String> progress) throws InterruptedException {
    Nodes.Opened opened = nodes.open();
    opened.failed().forEach((word, why) -> progress.accept(word + ": " + why));
    Map<String, Target> open = new LinkedHashMap<>();
    opened.targets().forEach(t -> open.put(t.node(), t));
    return open;
  }
}
