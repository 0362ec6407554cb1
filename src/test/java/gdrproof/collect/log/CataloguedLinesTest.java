package gdrproof.collect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.collect.log.LogCatalogue.Message;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What `facts --summary --unmatched` lists holds no message of the catalogue, however often it was printed. */
class CataloguedLinesTest {
  private static final Pattern BODY = Pattern.compile("NCCL (?:INFO|WARN|TRACE) (.*)$");
  private static final LogCatalogue CATALOGUE = LogCatalogue.load();
  private static final List<Message> MESSAGES = Policies.read("log-messages.yaml").keySet().stream().map(CATALOGUE::byId).filter(m -> !m.part()).toList();

  @ParameterizedTest
  @ValueSource(strings = {"captures", "cases"})
  void noLineThatCarriesACataloguedMessageGoesUnrecognised(String folder) throws IOException {
    Path bundle = Shared.folder("gdrproof." + folder, folder);
    List<String> missed = new ArrayList<>();
    int[] lines = {0};
    Collectors.read(Bundle.open(bundle), (file, text, understood) -> {
      synchronized (missed) {
        for (int i = 0; i < text.size(); i++) {
          lines[0]++;
          String line = text.get(i).strip();
          if (!understood.get(i + 1) && line.length() < 4000 && !file.endsWith("README.md")) {
            message(line).forEach(id -> missed.add(file + " " + id + ": " + line));
          }
        }
      }
    });
    assertTrue(lines[0] > 1000);
    assertEquals(List.of(), missed, () -> missed.size() + " lines");
  }

  private static Stream<String> message(String line) {
    Matcher body = BODY.matcher(line);
    if (!body.find()) {
      String bare = LinePrefix.strip(line).text().strip();
      return MESSAGES.stream().filter(m -> m.text() && m.match(bare) != null).map(Message::id).limit(1);
    }
    String text = body.group(1).strip();
    return MESSAGES.stream().filter(m -> m.match(text) != null).map(Message::id).limit(1);
  }
}
