package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every collector over damaged samples, by the way of real bundles: none throws, hangs, or takes memory without bound. Longer by
 * `-Dgdrproof.fuzz.seconds=N`, other inputs by `-Dgdrproof.fuzz.seed=N`. An input that failed lies in `target/fuzz`; mended, it moves to
 * `src/test/resources/gdrproof/collect/fuzz` and is read in each build.
 */
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("gdrproof.fuzz.seconds", 20);
  private static final long SEED = Long.getLong("gdrproof.fuzz.seed", 1);
  /** Of one input of at most 1 MiB. Most need milliseconds; what grows with the square of its length is far beyond. */
  private static final double MOST_CPU_SECONDS = Double.parseDouble(System.getProperty("gdrproof.fuzz.cpu", "6"));
  private static final long MOST_ALLOCATED = 3L << 30;
  private static final long LARGEST_SAMPLE = 128 << 10;
  private static final com.sun.management.ThreadMXBean THREADS = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private record Sample(String name, byte[] bytes) {}

  private static List<Sample> samples() throws IOException {
    Set<String> seen = new HashSet<>();
    List<Sample> samples = new ArrayList<>();
    for (Path folder : List.of(Path.of("fixtures"), Shared.path("gdrproof.samples", "samples"))) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
            if (Files.size(file) > 0 && Files.size(file) <= LARGEST_SAMPLE) {
              byte[] bytes = Files.readAllBytes(file);
              if (seen.add(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))) {
                samples.add(new Sample(file.getFileName().toString(), bytes));
              }
            }
          }
        }
      }
    }
    return samples;
  }

  /** What is wrong with how an input is read, or "". */
  private static String flaw(String name, byte[] bytes) {
    AtomicReference<String> flaw = new AtomicReference<>("did not end");
    Thread reader = new Thread(null, () -> flaw.set(read(name, bytes)), "fuzz", 4 << 20);
    reader.setDaemon(true);
    reader.start();
    long limit = System.nanoTime() + (long) (MOST_CPU_SECONDS * 40e9);
    try {
      long used = 0;
      while (reader.isAlive() && System.nanoTime() < limit && used < MOST_CPU_SECONDS * 1e9) {
        reader.join(2000);
        used = reader.isAlive() ? Math.max(0, THREADS.getThreadCpuTime(reader.getId())) : 0;
      }
      if (reader.isAlive()) {
        StringBuilder where = new StringBuilder("hangs at");
        Stream.of(reader.getStackTrace()).filter(f -> f.getClassName().startsWith("gdrproof")).limit(6).forEach(f -> where.append(' ').append(f));
        return where.toString();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return flaw.get();
  }

  private static String read(String name, byte[] bytes) {
    long cpu = THREADS.getCurrentThreadCpuTime();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    try {
      Ledger ledger = Collectors.read(List.of(new Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes))));
      for (Unread unread : ledger.all(Unread.class)) {
        if (unread.reason().contains("reader failed")) {
          return unread.reason();
        }
      }
    } catch (RuntimeException | StackOverflowError e) {
      StringBuilder where = new StringBuilder(e.toString());
      Stream.of(e.getStackTrace()).limit(12).forEach(f -> where.append("\n  ").append(f));
      return where.toString();
    }
    double seconds = (THREADS.getCurrentThreadCpuTime() - cpu) / 1e9;
    if (seconds > MOST_CPU_SECONDS) {
      return "took " + seconds + " s";
    }
    long taken = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    return taken > MOST_ALLOCATED ? "took " + (taken >> 20) + " MiB" : "";
  }

  @Test
  void damagedSamplesAreReadWithoutHarm() throws IOException {
    List<Sample> samples = samples();
    assertTrue(samples.size() > 500, "samples: " + samples.size());
    Random random = new Random(SEED);
    List<String> flaws = new ArrayList<>();
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    int count = 0;
    while (System.nanoTime() < end && flaws.size() < 20) {
      Sample sample = samples.get(random.nextInt(samples.size()));
      byte[] bytes = Mutations.mutate(sample.bytes, samples.get(random.nextInt(samples.size())).bytes, new Random(random.nextLong()));
      String flaw = flaw(sample.name, bytes);
      count++;
      if (!flaw.isEmpty()) {
        Path kept = Path.of("target/fuzz", SEED + "-" + count + "-" + sample.name);
        Files.createDirectories(kept.getParent());
        Files.write(kept, bytes);
        flaws.add(kept + ": " + flaw);
        System.out.println(kept + " (" + bytes.length + " bytes): " + flaw);
      }
    }
    System.out.println("fuzz: " + count + " inputs from " + samples.size() + " samples");
    assertTrue(flaws.isEmpty(), () -> String.join("\n", flaws));
  }

  @Test
  void inputsThatOnceDidHarmAreReadWithoutIt() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/gdrproof/collect/fuzz"))) {
      List<String> flaws = files.sorted().map(file -> {
        try {
          String flaw = flaw(file.getFileName().toString(), Files.readAllBytes(file));
          return flaw.isEmpty() ? "" : file + ": " + flaw;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }).filter(f -> !f.isEmpty()).toList();
      assertTrue(flaws.isEmpty(), () -> String.join("\n", flaws));
    }
  }
}
