package gdrproof.bench;

import gdrproof.cli.Pipeline;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.Causality;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Ranking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Time and memory of a whole diagnosis against the number of ranks: `JobScale bad-node|bad-rail RANKS...`. Prints a line for each size with the time
 * of reading, of the rules and of the ranking, and whether the culprit comes first; the first size is run once before as warm-up.
 */
public final class JobScale {
  private JobScale() {}

  public static void main(String[] args) throws IOException {
    RuleBase rules = RuleBase.load("diagnose", java.util.List.of());
    for (int i = 0; i < args.length; i++) {
      if (i > 0) {
        run(i == 1 ? "warm-up" : "run", args[0], Integer.parseInt(args[i]), rules);
        if (i == 1) {
          run("run", args[0], Integer.parseInt(args[i]), rules);
        }
      }
    }
  }

  private static void run(String name, String scenario, int ranks, RuleBase rules) throws IOException {
    JobGenerator job = new JobGenerator(scenario, ranks, 7);
    Path folder = Files.createTempDirectory("gdrproof-job");
    try {
      job.write(folder);
      System.gc();
      long cpu = cpu();
      long start = System.nanoTime();
      Ledger ledger = Pipeline.facts(folder);
      long read = System.nanoTime();
      Engine.Result result = new Engine(rules).conclude(ledger);
      long concluded = System.nanoTime();
      Diagnosis diagnosis = new Ranking(ledger, Causality.load()).rank(result.conclusions(), result.failures());
      long end = System.nanoTime();
      String first = diagnosis.causes().isEmpty() ? "none" : diagnosis.causes().get(0).fault() + " on " + diagnosis.causes().get(0).subject();
      System.out.printf("%s %s ranks=%d facts=%d conclusions=%d read=%.1fs rules=%.1fs ranking=%.1fs cpu=%.1fs used=%dMiB first=%s right=%s%n", name, scenario, ranks, ledger.size(),
          result.conclusions().size(), (read - start) / 1e9, (concluded - read) / 1e9, (end - concluded) / 1e9, (cpu() - cpu) / 1e9,
          (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20, first, first.contains(job.culprit()));
    } finally {
      delete(folder);
    }
  }

  private static long cpu() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os ? os.getProcessCpuTime() : 0;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> {
        try {
          Files.delete(p);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
  }
}
