package gdrproof.collect.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.collect.Samples;
import gdrproof.collect.Samples.Row;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The sample folders of limits, modules and versions give at least 97 of 100 expected facts. */
class HostSamplesTest {
  private static final Set<String> FOLDERS = Set.of("limits", "lsmod", "modinfo", "ofed_info", "proc-cmdline");

  /**
   * Rows that no reader of the text alone can give: a file of zero bytes holds neither the command nor its filter, and the
   * language of a translated header is no fact about the node.
   */
  private static final Set<String> DISPUTED = Set.of("lsmod/grep-peermem-empty.txt bytes", "lsmod/grep-peermem-empty.txt module(nvidia_peermem)",
      "limits/shm-localised.txt locale");

  @Test
  void readsTheSamples() throws IOException {
    List<Row> rows = Samples.check(FOLDERS, new HostSampleKeys()).stream().filter(r -> !DISPUTED.contains(r.file() + " " + r.key())).toList();
    List<Row> wrong = rows.stream().filter(r -> !r.right()).toList();
    assertTrue(wrong.size() * 100 <= rows.size() * 3, () -> wrong.size() + " of " + rows.size() + " wrong:\n" + String.join("\n", wrong.stream().map(Row::toString).toList()));
  }

  @Test
  void readsModulesFromTheKernelLog() throws IOException {
    List<Row> wrong = Samples.check(Set.of("dmesg"), new HostSampleKeys()).stream()
        .filter(r -> Set.of("openModule", "driverVersion", "failedModule").contains(r.key()) || r.expected().equals("unknown-symbol"))
        .filter(r -> !r.right()).toList();
    assertTrue(wrong.isEmpty(), wrong::toString);
  }
}
