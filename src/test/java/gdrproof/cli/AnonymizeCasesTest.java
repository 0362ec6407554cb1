package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole bundles without names: the corpus and the shared cases keep their diagnosis. */
class AnonymizeCasesTest {
  @TempDir
  private Path temp;

  @Test
  void theCorpusKeepsItsDiagnosis() throws IOException {
    proved(Path.of("fixtures/corpus"));
  }

  @Test
  void theSharedCasesKeepTheirDiagnosis() throws IOException {
    proved(Shared.folder("gdrproof.cases", "cases"));
  }

  private void proved(Path folder) throws IOException {
    List<String> failed = new ArrayList<>();
    int count = 0;
    try (Stream<Path> cases = Files.list(folder)) {
      for (Path one : cases.filter(Files::isDirectory).sorted().toList()) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), "anonymize", one.toString(), temp.resolve(one.getFileName()).toString());
        count++;
        if (code != 0) {
          failed.add(one.getFileName() + ": " + code + " " + err);
        }
      }
    }
    assertTrue(count > 0);
    assertEquals(List.of(), failed);
  }
}
