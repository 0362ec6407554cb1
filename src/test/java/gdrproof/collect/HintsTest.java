package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.log.LogCollectors;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.facts.Ledger;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whom a section is not offered would have taken nothing from it: the same facts with and without the search for hints. */
class HintsTest {
  private static final int LARGEST = 64 << 10;
  private static final int MUTATED = 150;
  private static final EntryReader SEARCHED = new EntryReader(Collectors.ALL, new Streams(LogCollectors.streams()), 1);
  private static final EntryReader OFFERED_ALL = new EntryReader(Collectors.ALL, new Streams(LogCollectors.streams()), Integer.MAX_VALUE);

  private record Sample(String name, byte[] bytes) {}

  private static List<Sample> samples() throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (Path folder : List.of(Path.of("fixtures/corpus"), Shared.path("gdrproof.samples", "samples"))) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
            if (Files.size(file) > 0 && Files.size(file) <= LARGEST) {
              samples.add(new Sample(file.toString(), Files.readAllBytes(file)));
            }
          }
        }
      }
    }
    return samples;
  }

  private static List<String> facts(EntryReader reader, Sample sample) {
    Ledger ledger = new Ledger();
    List<String> lines = new ArrayList<>();
    reader.read(new Entry(sample.name, sample.bytes.length, () -> new ByteArrayInputStream(sample.bytes)), ledger, new OperatorCollector(),
        (file, text, understood) -> lines.add(understood.toString()));
    FactLines.write(ledger, lines::add);
    return lines;
  }

  @Test
  void samplesGiveTheSameFactsWithAndWithoutTheSearch() throws IOException {
    List<Sample> samples = samples();
    assertTrue(samples.size() > 100, "samples: " + samples.size());
    for (Sample sample : samples) {
      assertEquals(facts(OFFERED_ALL, sample), facts(SEARCHED, sample), sample.name);
    }
    Random random = new Random(11);
    for (int i = 0; i < MUTATED; i++) {
      Sample sample = samples.get(random.nextInt(samples.size()));
      byte[] bytes = Mutations.mutate(sample.bytes, samples.get(random.nextInt(samples.size())).bytes, new Random(random.nextLong()));
      Sample mutated = new Sample(sample.name, bytes.length > LARGEST ? java.util.Arrays.copyOf(bytes, LARGEST) : bytes);
      assertEquals(facts(OFFERED_ALL, mutated), facts(SEARCHED, mutated), sample.name + ", mutation " + i);
    }
  }

  @Test
  void logOfARankIsOfferedToFew() {
    List<String> lines = Collections.nCopies(200, "gpu-node-07:2000:2100 [0] NCCL INFO Channel 00/0 : 1[1] -> 9[1] [send] via NET/IB/1/GDRDMA");
    Section section = Sections.split("rank-0001.log", lines).get(0);
    List<String> tools = new Hints(Collectors.ALL, 64).of(section).stream().map(Collector::tool).toList();
    assertFalse(tools.contains("df -h"), tools.toString());
    assertTrue(tools.size() < Collectors.ALL.size() - 15, tools.toString());
    assertEquals(Collectors.ALL, new Hints(Collectors.ALL, 1000).of(section));
  }
}
