package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.OperatorPod;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Pods of the operators in the table of `kubectl get pods -o wide` (also `-A`): columns are cut by two blanks or more. */
final class PodTable implements Collector {
  private static final Pattern HEAD = Pattern.compile("^(?:NAMESPACE\\s{2,})?NAME\\s{2,}READY\\s{2,}STATUS\\s{2,}RESTARTS\\s{2,}.*\\bNODE\\b.*$");

  private static final class Components {
    static final Map<String, List<Pattern>> ALL = new LinkedHashMap<>();

    static {
      Policies.map(Policies.read("acceptance.yaml").get("components")).forEach((name, list) -> ALL.put(name, Policies.texts(list).stream().map(Pattern::compile).toList()));
    }
  }

  /** What a pod of this name is, or "". */
  static String component(String pod) {
    return Components.ALL.entrySet().stream().filter(e -> e.getValue().stream().anyMatch(p -> p.matcher(pod).lookingAt())).map(Map.Entry::getKey).findFirst().orElse("");
  }

  @Override
  public String tool() {
    return "kubectl get pods -o wide";
  }

  @Override
  public List<String> hints() {
    return List.of("READY");
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<String> columns = List.of();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).stripTrailing();
      if (HEAD.matcher(line).matches()) {
        columns = Arrays.asList(line.split("\\s{2,}"));
        sink.understood(section, i);
        continue;
      }
      List<String> cells = new ArrayList<>(Arrays.asList(line.split("\\s{2,}")));
      if (columns.isEmpty() || cells.size() < columns.size() - 2 || cells.size() <= columns.indexOf("NODE")) {
        columns = line.isBlank() || cells.size() < 4 ? List.of() : columns;
        continue;
      }
      String name = cells.get(columns.indexOf("NAME"));
      String[] ready = cells.get(columns.indexOf("READY")).split("/");
      if (ready.length != 2 || !ready[0].matches("\\d+") || !ready[1].matches("\\d+")) {
        columns = List.of();
        continue;
      }
      sink.understood(section, i);
      String component = component(name);
      if (!component.isEmpty()) {
        String namespace = columns.get(0).equals("NAMESPACE") ? cells.get(0) : Fact.UNKNOWN;
        String node = cells.get(columns.indexOf("NODE"));
        sink.fact(new OperatorPod(node.equals("<none>") ? Fact.UNKNOWN : Sections.shortName(node), namespace, name, component, cells.get(columns.indexOf("STATUS")), Tri.of(ready[0].equals(ready[1]) && !ready[1].equals("0")),
            Num.parse(cells.get(columns.indexOf("RESTARTS")).replaceAll(" .*", ""))), section.at(i));
      }
    }
  }
}
