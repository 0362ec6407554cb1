package gdrproof.report;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.reading.Reading;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON contract of design section 9, `gdrproof/report/v1`. */
public final class JsonReport {
  public static final String SCHEMA = "gdrproof/report/v1";

  private JsonReport() {}

  public static void write(Diagnosis diagnosis, List<Reading> readings, String version, PrintWriter out) {
    Map<String, Object> root = head("diagnose", version);
    root.put("outcome", diagnosis.outcome().toString());
    root.put("findings", List.of());
    root.put("causes", numbered(diagnosis.causes()));
    root.put("open", diagnosis.open().stream().map(JsonReport::open).toList());
    root.put("observations", diagnosis.observations().stream().map(JsonReport::plain).toList());
    root.put("symptoms", diagnosis.symptoms().stream().map(JsonReport::plain).toList());
    root.put("layers", diagnosis.layers().stream().map(l -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("layer", l.layer().toString());
      m.put("verdict", l.verdict());
      m.put("requires", l.requires());
      m.put("proof", proof(l.cited()));
      m.put("missing", l.missing());
      return m;
    }).toList());
    root.put("ruledOut", diagnosis.ruledOut().stream().map(a -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("fault", a.fault());
      m.put("because", a.message());
      m.put("subject", a.subject());
      m.put("proof", proof(a.cited()));
      return m;
    }).toList());
    root.put("asks", diagnosis.asks().stream().map(a -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("measurement", a.measurement());
      m.put("command", a.command());
      m.put("on", a.on());
      m.put("cost", a.cost());
      m.put("separates", a.separates());
      m.put("proves", a.proves());
      m.put("seconds", a.seconds());
      if (!a.fill().isEmpty()) {
        m.put("fill", a.fill());
      }
      return m;
    }).toList());
    root.put("interpretation", ReadingReport.tree(readings));
    if (!diagnosis.rounds().isEmpty()) {
      root.put("steps", diagnosis.rounds().stream().map(JsonReport::round).toList());
    }
    root.put("firstFailures", diagnosis.context().first().stream().map(f -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("node", f.node());
      m.put("process", f.process());
      m.put("rank", f.rank());
      m.put("time", f.time());
      m.put("text", f.text());
      m.put("peer", f.peer());
      m.put("ofRun", f.ofRun());
      m.put("proof", proof(f.cited()));
      return m;
    }).toList());
    root.put("differences", diagnosis.context().differences().stream().map(d -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("node", d.node());
      m.put("reference", d.reference());
      m.put("aspect", d.aspect());
      m.put("part", d.part());
      m.put("value", d.value());
      m.put("referenceValue", d.other());
      m.put("explains", d.explains());
      m.put("proof", proof(d.cited()));
      return m;
    }).toList());
    root.put("unread", unread(diagnosis.unread()));
    root.put("failures", diagnosis.failures());
    print(root, out);
  }

  private static Map<String, Object> round(Diagnosis.Round round) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("round", round.number());
    m.put("outcome", round.outcome().toString());
    m.put("causes", round.causes());
    m.put("open", round.open());
    m.put("asked", round.asked());
    m.put("measured", round.did().stream().map(d -> {
      Map<String, Object> did = new LinkedHashMap<>();
      did.put("measurement", d.measurement());
      did.put("on", d.node());
      did.put("status", d.status());
      did.put("seconds", d.seconds());
      did.put("file", d.file());
      did.put("note", d.note());
      return did;
    }).toList());
    m.put("end", round.end());
    return m;
  }

  static Map<String, Object> head(String command, String version) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schema", SCHEMA);
    Map<String, Object> tool = new LinkedHashMap<>();
    tool.put("name", "gdrproof");
    tool.put("version", version);
    root.put("tool", tool);
    root.put("command", command);
    return root;
  }

  static void print(Object root, PrintWriter out) {
    JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    out.print(VisibleWriter.text(mapper.writeValueAsString(root)) + "\n");
  }

  private static List<Object> numbered(List<Answer> causes) {
    List<Object> list = new ArrayList<>();
    for (Answer cause : causes) {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("rank", list.size() + 1);
      m.put("rule", cause.rule().code());
      m.put("fault", cause.fault());
      m.put("layer", cause.layer().toString());
      m.put("status", cause.status().toString());
      m.put("subject", cause.subject());
      m.put("message", cause.message());
      m.put("remedy", cause.rule().remedy());
      m.put("run", cause.run());
      m.put("proof", proof(cause.cited()));
      m.put("explains", cause.explains());
      m.put("contradictedBy", cause.contradictedBy());
      list.add(m);
    }
    return list;
  }

  private static Map<String, Object> open(Answer answer) {
    Map<String, Object> m = plain(answer);
    m.put("missing", answer.missing());
    m.put("explains", answer.explains());
    m.put("contradictedBy", answer.contradictedBy());
    return m;
  }

  private static Map<String, Object> plain(Answer answer) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("rule", answer.rule().code());
    m.put("fault", answer.fault());
    m.put("layer", answer.layer().toString());
    m.put("subject", answer.subject());
    m.put("message", answer.message());
    m.put("proof", proof(answer.cited()));
    return m;
  }

  static List<Object> proof(List<Cited> cited) {
    List<Object> list = new ArrayList<>();
    for (Cited c : cited) {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("file", c.evidence().file());
      m.put("line", c.evidence().line());
      if (c.evidence().endLine() > c.evidence().line()) {
        m.put("endLine", c.evidence().endLine());
      }
      m.put("excerpt", c.evidence().excerpt());
      m.put("fact", c.fact());
      list.add(m);
    }
    return list;
  }

  static List<Object> unread(List<Unread> unread) {
    List<Object> list = new ArrayList<>();
    for (Unread u : unread) {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("file", u.file());
      m.put("line", u.line());
      m.put("reason", u.reason());
      list.add(m);
    }
    return list;
  }
}
