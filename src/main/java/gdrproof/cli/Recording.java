package gdrproof.cli;

import gdrproof.bundle.Redaction;
import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.finding.reading.Readings;
import gdrproof.finding.record.Handover;
import gdrproof.finding.record.Handovers;
import gdrproof.report.HandoverReport;
import gdrproof.report.VisibleWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** `accept --record DIR`: one folder for each record, `DATE` or `DATE.2`, each with record.json and record.md. */
final class Recording {
  private static final String JSON = "record.json";

  private Recording() {}

  /** Writes the record of a judgement beside the earlier ones and tells its folder. */
  static Path write(Path folder, Ledger ledger, Acceptance acceptance) throws IOException {
    Files.createDirectories(folder);
    Path last = last(folder);
    Map<String, String> before = last == null ? Map.of() : state(last.resolve(JSON));
    Handover handover = Handovers.of(ledger, acceptance, Readings.of(ledger, List.of()), last == null ? "" : last.getFileName().toString(), before);
    Path own = free(folder, acceptance.asOf());
    Files.createDirectory(own);
    redacted(own.resolve(JSON), out -> HandoverReport.json(handover, Version.text(), out));
    redacted(own.resolve("record.md"), out -> HandoverReport.markdown(handover, out));
    return own;
  }

  private static Path free(Path folder, String date) {
    Path own = folder.resolve(date);
    for (int i = 2; Files.exists(own); i++) {
      own = folder.resolve(date + "." + i);
    }
    return own;
  }

  /** The record written last: the latest date, and of one date the highest number. */
  private static Path last(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(p -> Files.isRegularFile(p.resolve(JSON)) && p.getFileName().toString().matches("\\d{4}-\\d{2}-\\d{2}(?:\\.\\d{1,6})?"))
          .max(java.util.Comparator.comparing((Path p) -> p.getFileName().toString().substring(0, 10)).thenComparing(Recording::number)).orElse(null);
    }
  }

  private static int number(Path record) {
    String name = record.getFileName().toString();
    return name.length() > 10 ? Integer.parseInt(name.substring(11)) : 1;
  }

  private static Map<String, String> state(Path file) throws IOException {
    try {
      JsonNode root = JsonMapper.builder().build().readTree(Files.readString(file));
      if (!HandoverReport.SCHEMA.equals(root.path("schema").asString(""))) {
        throw new IOException(file + ": not a record of this program (schema)");
      }
      Map<String, String> state = new TreeMap<>();
      root.path("state").properties().forEach(e -> state.put(e.getKey(), e.getValue().asString("")));
      return state;
    } catch (JacksonException e) {
      throw new IOException(file + ": " + e.getOriginalMessage(), e);
    }
  }

  private static void redacted(Path file, Consumer<PrintWriter> report) throws IOException {
    StringWriter text = new StringWriter();
    PrintWriter out = new VisibleWriter(new PrintWriter(text), false);
    report.accept(out);
    out.flush();
    Files.write(file, Redaction.lines(text.toString().lines().toList()), StandardCharsets.UTF_8);
  }
}
