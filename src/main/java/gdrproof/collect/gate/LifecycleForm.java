package gdrproof.collect.gate;

import gdrproof.bundle.Section;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.IntendedNode;
import gdrproof.facts.Gate.Undertaking;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What people write down for a change: who saved, defined and documented what, when, and where it lies. A YAML document with
 * `kind: lifecycle`, alone or as the front matter or a fenced block of a Markdown file. `gdrproof accept --lifecycle-form` prints an empty one.
 */
final class LifecycleForm implements Collector {
  /** Required fields of each entry, beside who (`by`) and when (`date`). */
  private static final Map<String, List<String>> REQUIRED = new TreeMap<>(Map.of("pre-change-manifests", List.of("files"), "baseline-evidence", List.of("files"), "canary", List.of("scope", "stop"), "rollback",
      List.of("requirements", "notRestored"), "escalation", List.of("contact", "files")));
  private static final Pattern KIND = Pattern.compile("^kind:\\s*[\"']?lifecycle[\"']?\\s*$");
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}.*");
  private static final Pattern FENCE = Pattern.compile("^(?:---|```.*|~~~.*)\\s*$");

  @Override
  public String tool() {
    return "lifecycle form";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<String> lines = section.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (KIND.matcher(lines.get(i)).matches()) {
        int from = i;
        while (from > 0 && !FENCE.matcher(lines.get(from - 1)).matches()) {
          from--;
        }
        int to = i;
        while (to + 1 < lines.size() && !FENCE.matcher(lines.get(to + 1)).matches()) {
          to++;
        }
        form(section, from, to, sink);
        i = to;
      }
    }
  }

  private static void form(Section section, int from, int to, Sink sink) {
    List<Document> documents = Yaml.read(section.file(), section.lines().subList(from, to + 1), section.line(from));
    for (Document document : documents) {
      document.flaws().stream().limit(1).forEach(f -> sink.unread(section, from, "lifecycle form: " + f.message()));
      Value root = document.root();
      for (Value node : root.at("intended", "nodes").items()) {
        sink.fact(new IntendedNode(node.text(), "the lifecycle form names it"), evidence(document, node, section));
      }
      for (Map.Entry<String, List<String>> kind : REQUIRED.entrySet()) {
        Value entry = root.at(kind.getKey());
        if (entry.isMap()) {
          sink.fact(entry(kind.getKey(), kind.getValue(), entry), evidence(document, entry, section).from(section.node(), "lifecycle form", entry.at("date").text(Fact.UNKNOWN)));
        } else if (entry.exists()) {
          sink.unread(section, from, "lifecycle form: " + kind.getKey() + " is no map");
        }
      }
    }
    for (int i = from; i <= to; i++) {
      sink.understood(section, i);
    }
  }

  private static Evidence evidence(Document document, Value value, Section section) {
    return document.atKey(value).from(section.node(), "lifecycle form", section.time());
  }

  private static Undertaking entry(String kind, List<String> required, Value entry) {
    List<String> lacks = new ArrayList<>();
    String by = entry.at("by").text("").strip();
    String date = entry.at("date").text("").strip();
    if (by.isEmpty()) {
      lacks.add("by (who)");
    }
    if (!DATE.matcher(date).matches()) {
      lacks.add("date (YYYY-MM-DD)");
    }
    for (String field : required) {
      Value value = entry.at(field);
      boolean filled = value.isList() ? value.items().stream().anyMatch(v -> !v.isScalar() || !v.text().isBlank()) : value.isMap() ? !value.entries().isEmpty() : !value.text().isBlank();
      if (!filled) {
        lacks.add(field);
      }
    }
    List<String> files = entry.at("files").isList() ? entry.at("files").items().stream().map(Value::text).filter(t -> !t.isBlank()).toList() : entry.at("files").text().isBlank() ? List.of() : List.of(entry.at("files").text());
    return new Undertaking(Fact.UNKNOWN, kind, by.isEmpty() ? Fact.UNKNOWN : by, date.isEmpty() ? Fact.UNKNOWN : date, files, lacks);
  }
}
