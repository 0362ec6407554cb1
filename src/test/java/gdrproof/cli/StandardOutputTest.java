package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardOutputTest {
  @TempDir
  private Path temp;

  @Test
  void aFullDiskIsAnErrorOfTheOutputAndAReaderThatLeftIsNone() {
    assertEquals("2 gdrproof: standard output: not written to its end (No space left on device)\n", ended("No space left on device", false));
    assertEquals("1 ", ended("Broken pipe", false));
    assertEquals("1 ", ended("Daten\u00fcbergabe unterbrochen", true));
  }

  private static String ended(String error, boolean piped) {
    StandardOutput standard = new StandardOutput(new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(error);
      }
    }, piped);
    PrintWriter out = new PrintWriter(new OutputStreamWriter(standard, StandardCharsets.UTF_8), false);
    out.println("report");
    StringWriter err = new StringWriter();
    int code = Main.closed(1, out, standard, new PrintWriter(err, true));
    return code + " " + err;
  }

  @Test
  void twoOutputsDoNotGoToOneFile() {
    String file = temp.resolve("a").toString();
    Called called = Called.run("lint", "README.md", "-o", "json=" + file, "-o", "text=" + temp + "/./a");
    assertEquals(2, called.code());
    assertTrue(called.err().contains("two outputs would go to"), called.err());
  }
}
