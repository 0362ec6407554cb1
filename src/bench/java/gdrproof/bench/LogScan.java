package gdrproof.bench;

import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** `generate FILE BYTES RANKS PERCENT`, `ranks FOLDER BYTES RANKS PERCENT` (a log of so many bytes for each rank), `patterns FILE` (for ripgrep), `read PATH`: see src/bench/README.md. */
public final class LogScan {
  private LogScan() {}

  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[1]);
    switch (args[0]) {
      case "generate" -> new LogGenerator(Integer.parseInt(args[3]), Integer.parseInt(args[4])).write(path, Long.parseLong(args[2]));
      case "ranks" -> {
        Files.createDirectories(path);
        for (int rank = 0; rank < Integer.parseInt(args[3]); rank++) {
          new LogGenerator(Integer.parseInt(args[3]), Integer.parseInt(args[4]), rank).write(path.resolve(String.format("rank-%04d.log", rank)), Long.parseLong(args[2]));
        }
      }
      case "patterns" -> Files.write(path, patterns());
      case "read" -> {
        long start = System.nanoTime();
        Ledger ledger = Collectors.read(Bundle.open(path));
        System.out.printf("%d facts in %.2f s, %.2f s CPU of the process, resident at most %d MiB%n", ledger.size(), (System.nanoTime() - start) / 1e9, cpu(), resident());
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** The catalogue in ripgrep's syntax; a body stands inside the line there, so that anchors go. */
  private static List<String> patterns() {
    List<String> patterns = new ArrayList<>();
    Policies.read("log-messages.yaml").forEach((id, entry) -> patterns.add(String.valueOf(Policies.map(entry).get("pattern")).replaceAll("\\(\\?<[a-zA-Z0-9]+>", "(?:")
        .replaceAll("^\\^", "").replaceAll("\\$$", "").replace("\\'", "'")));
    return patterns;
  }

  private static double cpu() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os ? os.getProcessCpuTime() / 1e9 : 0;
  }

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("VmHWM:")).mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) / 1024).findFirst().orElse(-1);
  }
}
