package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Usual causes are named for a symptom that nothing explains, and not where a launcher's line tells how it came about. */
class ToldCausesTest {
  @ParameterizedTest
  @CsvSource({"fixtures/APP090/fires-key, false", "fixtures/LNC001/fires-pyxis, false", "fixtures/LNC001/fires-srun-refused, false", "fixtures/APP001/fires-exit, true"})
  void usualCausesAreForWhatNothingTells(String bundle, boolean named) {
    StringWriter out = new StringWriter();
    Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), "diagnose", bundle);
    assertEquals(named, out.toString().contains("can stand behind"), out::toString);
  }
}
