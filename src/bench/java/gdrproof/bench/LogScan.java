package gdrproof.bench;

import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** `generate FILE BYTES RANKS PERCENT`, `patterns FILE` (for ripgrep), `read PATH`: see src/bench/README.md. */
public final class LogScan {
  private LogScan() {}

  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[1]);
    switch (args[0]) {
      case "generate" -> new LogGenerator(Integer.parseInt(args[3]), Integer.parseInt(args[4])).write(path, Long.parseLong(args[2]));
      case "patterns" -> Files.write(path, patterns());
      case "read" -> {
        long start = System.nanoTime();
        Ledger ledger = Collectors.read(Bundle.open(path));
        System.out.printf("%d facts in %.2f s, resident at most %d MiB%n", ledger.size(), (System.nanoTime() - start) / 1e9, resident());
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

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("VmHWM:")).mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) / 1024).findFirst().orElse(-1);
  }
}
