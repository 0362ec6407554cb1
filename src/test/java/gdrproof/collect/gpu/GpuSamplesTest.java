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

  @ParameterizedTest
  @ValueSource(strings = {"nvidia-smi-topo", "nvidia-smi-topo-p2p"})
  void samplesGiveTheirFacts(String tool) throws IOException {
    List<Samples.Row> rows = Samples.check(Set.of(tool), new GpuSampleKeys()).stream()
        .filter(r -> !FORM.contains(r.key()) && !r.key().startsWith("legend("))
        .toList();
    List<Samples.Row> wrong = rows.stream().filter(r -> !r.right()).toList();
    System.out.println(tool + ": " + (rows.size() - wrong.size()) + " of " + rows.size() + " right");
    wrong.forEach(System.out::println);
    assertTrue(!rows.isEmpty() && wrong.size() <= rows.size() * 0.03, () -> wrong.size() + " of " + rows.size() + " wrong: " + wrong);
  }
}
