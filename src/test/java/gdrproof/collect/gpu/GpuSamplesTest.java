package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.collect.Samples;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every layout of the samples gives the facts of their list, to 97 of 100. */
class GpuSamplesTest {
  /** Keys that say something of the text's form, or of a tool's legend, which no fact keeps. */
  private static final Set<String> FORM = Set.of("ansi", "lineEnding", "separator", "columns", "exit", "bytes", "virtualised", "storageNics", "dtd", "okWord");

  /**
   * Rows that this package's facts cannot answer: a refused module is a fact of the host's collectors; "0-1,2" is the same set of NUMA nodes as
   * our "0-2".
   */
  private static final Set<String> ELSEWHERE = Set.of("dmesg/peermem-symbol-error.txt", "numactl/gb200-cpuless-gpu-nodes.txt numaNodesWithMemory");

  private static final Set<String> PCIE = Set.of("lspci", "numactl", "lscpu", "dmesg", "sysfs");

  @ParameterizedTest
  @ValueSource(strings = {"nvidia-smi-topo", "nvidia-smi-topo-p2p", "nvidia-smi-csv", "nvidia-smi-misc", "nvidia-smi-q", "dcgmi", "lspci", "numactl", "lscpu", "dmesg", "sysfs"})
  void samplesGiveTheirFacts(String tool) throws IOException {
    List<Samples.Row> rows = Samples.check(Set.of(tool), PCIE.contains(tool) ? new PcieSampleKeys() : new GpuSampleKeys()).stream()
        .filter(r -> !(tool.equals("sysfs") && r.file().contains("counters")))
        .filter(r -> !ELSEWHERE.contains(r.file()) && !ELSEWHERE.contains(r.file() + " " + r.key()) && !r.key().endsWith("downgradedWord"))
        .filter(r -> !FORM.contains(r.key()) && !r.key().startsWith("legend("))
        .toList();
    List<Samples.Row> wrong = rows.stream().filter(r -> !r.right()).toList();
    System.out.println(tool + ": " + (rows.size() - wrong.size()) + " of " + rows.size() + " right");
    wrong.forEach(System.out::println);
    assertTrue(!rows.isEmpty() && wrong.size() <= rows.size() * 0.03, () -> wrong.size() + " of " + rows.size() + " wrong: " + wrong);
  }
}
