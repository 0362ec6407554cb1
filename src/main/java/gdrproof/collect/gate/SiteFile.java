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
import gdrproof.facts.Gate.IntendedPort;
import gdrproof.facts.Num;
import java.util.regex.Pattern;

/** What a site means to have: `site.yaml` as `gdrproof site init` drafts it. Only what says which nodes and ports are meant is read here. */
final class SiteFile implements Collector {
  /** Why a node is intended; what follows from the file tells its nodes from those of a lifecycle form by it. */
  static final String WHY = "site.yaml names it";
  private static final Pattern CLASSES = Pattern.compile("^nodeClasses:\\s*(?:#.*)?$");

  @Override
  public String tool() {
    return "site.yaml";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().noneMatch(l -> CLASSES.matcher(l).matches())) {
      return;
    }
    for (Document document : Yaml.read(section.file(), section.lines(), section.line(0))) {
      document.flaws().stream().limit(1).forEach(f -> sink.unread(section, 0, "site.yaml: " + f.message()));
      for (Value group : document.root().at("nodeClasses").items()) {
        for (Value node : group.at("nodes").items()) {
          sink.fact(new IntendedNode(node.text(), WHY), evidence(document, node, section));
          group.at("hcas").items().forEach(hca -> port(node.text(), hca, document, section, sink));
        }
      }
    }
    for (int i = 0; i < section.lines().size(); i++) {
      sink.understood(section, i);
    }
  }

  private static void port(String node, Value hca, Document document, Section section, Sink sink) {
    String name = hca.isMap() ? hca.at("name").text("") : hca.text("");
    if (!name.isEmpty()) {
      sink.fact(new IntendedPort(node, name, number(hca, "port"), number(hca, "rail"), number(hca, "rateGbps"), hca.at("linkLayer").text(Fact.UNKNOWN)), evidence(document, hca, section));
    }
  }

  private static Num number(Value map, String key) {
    return Num.parse(map.at(key).text(Fact.UNKNOWN));
  }

  private static Evidence evidence(Document document, Value value, Section section) {
    return document.atKey(value).from(section.node(), "site.yaml", section.time());
  }
}
