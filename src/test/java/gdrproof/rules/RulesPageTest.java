package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** `docs/rules.md` is what the rules say of themselves. */
class RulesPageTest {
  @Test
  void thePageIsUpToDate() throws IOException {
    StringWriter out = new StringWriter();
    assertEquals(0, Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), "rules", "list", "-o", "markdown"));
    assertEquals(out.toString(), Files.readString(Path.of("docs/rules.md")), "run: bin/gdrproof rules list -o markdown > docs/rules.md");
  }
}
