package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.Fact;
import gdrproof.policy.Policies;
import gdrproof.report.html.HtmlChecks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one team hands to the next: the engineering record, the escalation archive, the page of an acceptance. */
class HandingOnTest {
  private static final Path HEALTHY = Path.of("fixtures/corpus/two-nodes-eight-gpus");
  private static final String SECRET = "hf_abcdefghijklmnopqrstuv";

  @TempDir
  private Path folder;

  private Path bundle(String name, List<String> files) throws IOException {
    Path bundle = folder.resolve(name);
    for (String file : files) {
      try (Stream<Path> all = Files.walk(HEALTHY.resolve(file))) {
        for (Path from : all.filter(Files::isRegularFile).toList()) {
          Path to = bundle.resolve(HEALTHY.relativize(from).toString());
          Files.createDirectories(to.getParent());
          Files.copy(from, to);
        }
      }
    }
    return bundle;
  }

  @Test
  void aRecordTellsWhatChangedSinceTheLast() throws IOException {
    Path bundle = bundle("one", List.of("hgx-n03/host/ibstat.txt", "hgx-n03/host/nvidia-smi-topo.txt", "hgx-n03/host/nvidia-smi-q.txt", "switch/iblinkinfo.txt"));
    Path records = folder.resolve("records");
    Called first = Called.run("accept", bundle.toString(), "--as-of", "2026-11-01", "--record", records.toString());
    assertEquals(1, first.code(), first.err());
    String text = Files.readString(records.resolve("2026-11-01/record.md"));
    assertTrue(text.contains("first record"), text);
    for (String heading : List.of("What changed since the last record", "What proves health", "What requires rollback", "What requires escalation", "Inventory", "Cable and port map", "Versions", "Commands",
        "Representative outputs", "Owners")) {
      assertTrue(text.contains("## " + heading), heading);
    }
    Path ibstat = bundle.resolve("hgx-n03/host/ibstat.txt");
    Files.writeString(ibstat, Files.readString(ibstat).replaceFirst("Rate: 400", "Rate: 200"));
    Called.run("accept", bundle.toString(), "--as-of", "2026-11-01", "--record", records.toString());
    String second = Files.readString(records.resolve("2026-11-01.2/record.md"));
    assertTrue(second.contains("| port hgx-n03 mlx5_0:1 | ACTIVE 400 Gb/s InfiniBand | ACTIVE 200 Gb/s InfiniBand |"), second);
    Called.run("accept", bundle.toString(), "--as-of", "2026-11-02", "--record", records.toString());
    assertTrue(Files.readString(records.resolve("2026-11-02/record.md")).contains("Nothing, compared with `2026-11-01.2`"));
  }

  @Test
  void anEscalationIsRedactedAndSaysWhatItLacks() throws IOException {
    Path bundle = bundle("two", List.of("hgx-n03/host", "hgx-n04/host/ibstat.txt"));
    Files.writeString(bundle.resolve("hgx-n03/job.env"), "NCCL_DEBUG=INFO\nHF_TOKEN=" + SECRET + "\n");
    Files.write(bundle.resolve("core.bin"), new byte[] {0, 1, 2, 0, 5, 0});
    Path archive = folder.resolve("out.tar.gz");
    Called run = Called.run("bundle", "escalate", bundle.toString(), archive.toString());
    assertEquals(1, run.code(), run.err());
    Map<String, String> files = new TreeMap<>();
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(Files.newInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        files.put(entry.getName(), new String(tar.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertFalse(files.values().stream().anyMatch(t -> t.contains(SECRET)));
    assertTrue(files.get("evidence/hgx-n03/job.env").contains("NCCL_DEBUG=INFO"));
    assertFalse(files.containsKey("evidence/core.bin"));
    String missing = files.get("MISSING.md");
    assertTrue(missing.contains("MISSING on hgx-n04: GPU and HCA topology"), missing);
    assertTrue(missing.contains("there: HCA ports"), missing);
    assertTrue(missing.contains("core.bin: not text"), missing);
    assertEquals(2, Called.run("bundle", "escalate", bundle.toString(), archive.toString()).code(), "an archive is not overwritten");
  }

  @Test
  void anAcceptanceIsASoundPage() throws Exception {
    Path bundle = bundle("three", List.of("hgx-n03", "hgx-n04", "perftest", "runs/04-two-nodes-repeat-2"));
    Path page = folder.resolve("gate.html");
    Called.run("accept", bundle.toString(), "--as-of", "2026-11-01", "-o", "html=" + page);
    String text = Files.readString(page);
    assertEquals(List.of(), HtmlChecks.complaints(text));
    assertEquals(List.of(), HtmlChecks.requests(text));
    HtmlChecks.xml(text);
    assertTrue(text.contains("not accepted") && text.contains("every GPU-to-HCA path is mapped") && text.contains("id=\"interpretation\""));
  }

  @Test
  void theEscalationPolicyNamesFactsAndMeasurementsThatExist() throws IOException {
    Set<String> facts = new TreeSet<>();
    for (Class<?> topic : Fact.class.getPermittedSubclasses()) {
      for (Class<?> fact : topic.getPermittedSubclasses()) {
        facts.add(fact.getSimpleName());
      }
    }
    Map<String, Object> measurements = Policies.read("measurements.yaml");
    Policies.read("escalation.yaml").forEach((name, value) -> {
      Map<String, Object> entry = Policies.map(value);
      Policies.texts(entry.get("facts")).forEach(f -> assertTrue(facts.contains(f.replaceFirst(":.*", "")), name + ": " + f));
      assertTrue(measurements.containsKey(String.valueOf(entry.get("measurement"))), name);
    });
    try (InputStream css = HandingOnTest.class.getResourceAsStream("/report/page.css")) {
      assertTrue(css != null);
    }
  }
}
