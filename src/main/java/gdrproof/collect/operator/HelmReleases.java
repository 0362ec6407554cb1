package gdrproof.collect.operator;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Operator.HelmRelease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** `helm list`, as table or with `-o json`, `status`, `history`, and the release that `get values` was asked for (Helm 3 and 4). */
public final class HelmReleases implements Collector {
  private static final List<String> HEADS = List.of("NAME", "NAMESPACE", "REVISION", "UPDATED", "STATUS", "CHART", "APP VERSION");
  private static final Pattern HEAD = Pattern.compile("NAME\\s+NAMESPACE\\s+REVISION\\s+UPDATED\\s+STATUS\\s+CHART(?:\\s+APP VERSION)?");
  /** A row that a copy left with single blanks: only the date holds blanks of its own. */
  private static final Pattern ROW = Pattern.compile("(?<name>\\S+)\\s+(?<namespace>\\S+)\\s+(?<revision>\\d+)\\s+\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)? [+-]\\d{4}(?: [A-Z0-9+-]+)?\\s+"
      + "(?<status>[a-z][a-z-]+)\\s+(?<chart>\\S+-v?\\d\\S*)(?:\\s+(?<app>\\S+))?");
  private static final Pattern STATUS = Pattern.compile("(?<key>NAME|NAMESPACE|STATUS|LAST DEPLOYED|REVISION|CHART|VERSION|DESCRIPTION|APP[_ ]VERSION): ?(?<value>.*)");
  private static final Pattern HISTORY = Pattern.compile("REVISION\\s+UPDATED\\s+STATUS\\s+CHART\\s+APP VERSION\\s+DESCRIPTION");
  private static final Pattern REVISION = Pattern.compile("\\d+\\s+[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d+ [\\d:]{8} \\d{4}\\s+(?<status>[a-z][a-z-]+)\\s+(?<chart>\\S+-v?\\d\\S*)\\s+(?<app>\\S+)\\s+\\S.*");
  private static final Pattern ASKED = Pattern.compile("\\bhelm\\s+(?:-n \\S+ |--namespace[ =]\\S+ )?(?:history|hist)\\s+(?:-n \\S+ |--namespace[ =]\\S+ )?(?<name>[a-z0-9][a-z0-9.-]*)");
  private static final Pattern VALUES = Pattern.compile("\\bhelm\\s+(?:-n \\S+ |--namespace[ =]\\S+ )?get\\s+values\\s+(?:-n \\S+ |--namespace[ =]\\S+ |-a |--all )*(?<name>[a-z0-9][a-z0-9.-]*)");
  private static final Pattern NAMESPACE = Pattern.compile("(?:\\s-n |\\s--namespace[ =])(?<namespace>[a-z0-9-]+)");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public String tool() {
    return "helm list";
  }

  @Override
  public List<String> hints() {
    return List.of("CHART", "app_version", "LAST DEPLOYED", "helm ");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean table = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      // Cells end with blanks and a tab; a transcript may have lost the tabs.
      List<String> cells = List.of(line.strip().split(line.indexOf('\t') >= 0 ? "\\s*\\t" : "\\s{2,}", -1));
      Matcher row = ROW.matcher(line.strip());
      if (cells.equals(HEADS) || cells.equals(HEADS.subList(0, 6)) || HEAD.matcher(line.strip()).matches()) {
        table = true;
        sink.understood(section, i);
      } else if (table && cells.size() >= 6 && cells.get(2).matches("\\d+")) {
        sink.fact(release(cells.get(1), cells.get(0), cells.get(5), cells.size() > 6 ? cells.get(6) : "", cells.get(4)), section.at(i));
      } else if ((table || section.command().matches(".*\\bhelm\\b.*\\b(?:ls|list)\\b.*")) && row.matches()) {
        sink.fact(release(row.group("namespace"), row.group("name"), row.group("chart"), row.group("app") == null ? "" : row.group("app"), row.group("status")), section.at(i));
      } else if (HISTORY.matcher(line.strip()).matches()) {
        history(section, i, sink);
      } else if (line.startsWith("NAME: ")) {
        status(section, i, sink);
      } else {
        table = false;
      }
    }
    json(section, sink);
    values(section, sink);
  }

  /** `helm get values NAME`: only the command names the release. */
  private static void values(Section section, Sink sink) {
    Matcher asked = VALUES.matcher(section.command());
    if (asked.find() && section.lines().stream().noneMatch(l -> l.startsWith("Error: "))) {
      Matcher namespace = NAMESPACE.matcher(section.command());
      for (int i = 0; i < section.lines().size(); i++) {
        if (!section.lines().get(i).isBlank()) {
          sink.fact(release(namespace.find() ? namespace.group("namespace") : "", asked.group("name"), "", "", ""), section.at(i));
          return;
        }
      }
    }
  }

  /** `helm status`, and what `helm install` and `helm upgrade` print when they are done. */
  private static void status(Section section, int at, Sink sink) {
    Map<String, String> values = new HashMap<>();
    int last = at;
    for (int i = at; i < section.lines().size(); i++) {
      Matcher pair = STATUS.matcher(section.lines().get(i).strip());
      if (!pair.matches()) {
        break;
      }
      values.putIfAbsent(pair.group("key"), pair.group("value"));
      last = i;
    }
    if (values.containsKey("LAST DEPLOYED") && values.containsKey("STATUS")) {
      sink.fact(release(values.getOrDefault("NAMESPACE", ""), values.get("NAME"), values.containsKey("CHART") && values.containsKey("VERSION") ? values.get("CHART") + "-" + values.get("VERSION") : "", "",
          values.get("STATUS")), section.at(at, last));
    }
  }

  /** `helm history`: the last revision is what there is now. */
  private static void history(Section section, int head, Sink sink) {
    Matcher asked = ASKED.matcher(section.command());
    Matcher namespace = NAMESPACE.matcher(section.command());
    String name = asked.find() ? asked.group("name") : "";
    String where = namespace.find() ? namespace.group("namespace") : "";
    HelmRelease last = null;
    int at = head;
    for (int i = head + 1; i < section.lines().size(); i++) {
      Matcher row = REVISION.matcher(section.lines().get(i).strip());
      if (!row.matches()) {
        break;
      }
      sink.understood(section, i);
      last = release(where, name, row.group("chart"), row.group("app"), row.group("status"));
      at = i;
    }
    if (last != null) {
      sink.fact(last, section.at(at));
    }
  }

  private static void json(Section section, Sink sink) {
    int first = 0;
    while (first < section.lines().size() && section.lines().get(first).isBlank()) {
      first++;
    }
    if (first == section.lines().size() || !section.lines().get(first).strip().startsWith("[") || section.lines().stream().noneMatch(l -> l.contains("\"app_version\""))) {
      return;
    }
    List<HelmRelease> releases = new ArrayList<>();
    try {
      for (JsonNode release : JSON.readTree(String.join("\n", section.lines()))) {
        if (release.has("chart") && release.has("status")) {
          releases.add(release(release.path("namespace").asString(""), release.path("name").asString(""), release.path("chart").asString(""), release.path("app_version").asString(""),
              release.path("status").asString("")));
        }
      }
    } catch (JacksonException e) {
      sink.unread(section, first, "helm list: no whole JSON");
      return;
    }
    for (HelmRelease release : releases) {
      int at = first;
      for (int i = first; i < section.lines().size(); i++) {
        if (section.lines().get(i).contains("\"" + release.name() + "\"")) {
          at = i;
          break;
        }
      }
      sink.fact(release, section.at(at));
    }
    for (int i = first; i < section.lines().size() && !releases.isEmpty(); i++) {
      sink.understood(section, i);
    }
  }

  private static HelmRelease release(String namespace, String name, String chart, String app, String status) {
    return new HelmRelease("helm/" + namespace + "/" + name, known(namespace), known(name), known(chart), known(app), known(status));
  }

  private static String known(String text) {
    return text.isBlank() ? Fact.UNKNOWN : text.strip();
  }
}
