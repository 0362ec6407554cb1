package gdrproof.collect.operator;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Operator.HelmRelease;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** `helm list`, as table or with `-o json` (Helm 3 and 4). */
public final class HelmReleases implements Collector {
  private static final List<String> HEADS = List.of("NAME", "NAMESPACE", "REVISION", "UPDATED", "STATUS", "CHART", "APP VERSION");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Override
  public String tool() {
    return "helm list";
  }

  @Override
  public List<String> hints() {
    return List.of("CHART", "app_version");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean table = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      // Cells end with blanks and a tab; a transcript may have lost the tabs.
      List<String> cells = List.of(line.strip().split(line.indexOf('\t') >= 0 ? "\\s*\\t" : "\\s{2,}", -1));
      if (cells.equals(HEADS) || cells.equals(HEADS.subList(0, 6))) {
        table = true;
        sink.understood(section, i);
      } else if (table && cells.size() >= 6 && cells.get(2).matches("\\d+")) {
        sink.fact(release(cells.get(1), cells.get(0), cells.get(5), cells.size() > 6 ? cells.get(6) : "", cells.get(4)), section.at(i));
      } else {
        table = false;
      }
    }
    json(section, sink);
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
