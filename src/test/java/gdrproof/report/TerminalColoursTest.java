package gdrproof.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalColoursTest {
  private static final String COLOUR = "\u001b\\[[0-9;]+m";

  @Test
  void severitiesPlacesAndCodesAreColoured() {
    assertEquals("\u001b[1ma b/job.yaml:3:5\u001b[0m: \u001b[1;31merror\u001b[0m: x: warning: y\u001b[2m [POD230 no-shm]\u001b[0m", TerminalColours.coloured("a b/job.yaml:3:5: error: x: warning: y [POD230 no-shm]"));
    assertEquals("\u001b[1mcause 1\u001b[0m (\u001b[1;32mproven\u001b[0m): \u001b[1msocket-fallback\u001b[0m [nccl-transport, NET010]", TerminalColours.coloured("cause 1 (proven): socket-fallback [nccl-transport, NET010]"));
    assertTrue(TerminalColours.coloured("  not-proven     every GPU").contains("\u001b[1;33mnot-proven\u001b[0m  "));
  }

  @Test
  void whatIsNoLineOfAReportStaysAsItIs() {
    for (String line : List.of("", "    Mount an emptyDir", "  \"message\" : \"a:1: error: x [POD230 no-shm]\",", "{\"a\": \"error: \"}", "safety first", "accepted by all", "x".repeat(3000) + ": error: y [POD230 z]")) {
      assertEquals(line, TerminalColours.coloured(line));
    }
  }

  @Test
  void nothingIsLostWhateverThePieces() throws IOException {
    String text = "a:1: error: x [POD230 no-shm]\n    remedy\noutcome: fault-found\nhalf";
    for (int size = 1; size < text.length(); size += 3) {
      StringWriter out = new StringWriter();
      try (TerminalColours writer = new TerminalColours(out)) {
        for (int i = 0; i < text.length(); i += size) {
          writer.write(text, i, Math.min(size, text.length() - i));
        }
      }
      assertEquals(text, out.toString().replaceAll(COLOUR, ""));
      assertEquals(5 * 2, out.toString().split(COLOUR, -1).length - 1, "five words are coloured");
    }
  }
}
