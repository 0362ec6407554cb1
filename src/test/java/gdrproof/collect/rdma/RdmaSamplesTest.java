package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.collect.Samples;
import gdrproof.collect.Samples.Row;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The facts of the sample outputs of RDMA and network tools, against what an expert reads there. */
class RdmaSamplesTest {
  private static final Set<String> TOOLS = Set.of("ibstat", "ibstatus", "ibv_devinfo", "show_gids");
  /** Keys that no reader of the text can give, with the reason. */
  private static final Map<String, String> DISPUTED = Map.of("exit", "the exit status of a command is not in its text", "bytes", "size of the file, no fact", "lineEnding",
      "property of the file, undone before reading");
  /** Single rows where the list wants the tool's own word and the facts hold a normalised one, with the reason. */
  private static final Map<String, String> NORMALISED = Map.of("ibstat/ibsim-down-real.txt linkLayer", "the simulator's IB is InfiniBand",
      "ibstat/ibsim-init-no-sm-real.txt linkLayer", "the simulator's IB is InfiniBand");

  @Test
  void almostEveryExpectedFactIsFound() throws IOException {
    List<Row> rows = Samples.check(TOOLS, new RdmaSampleKeys()).stream().filter(r -> !DISPUTED.containsKey(r.key()) && !NORMALISED.containsKey(r.file() + " " + r.key())).toList();
    List<Row> wrong = rows.stream().filter(r -> !r.right()).toList();
    assertTrue(wrong.size() <= 0.03 * rows.size(), () -> wrong.size() + " of " + rows.size() + " wrong:\n" + String.join("\n", wrong.stream().map(Row::toString).toList()));
  }
}
