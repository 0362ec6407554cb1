package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.collect.operator.OperatorKinds;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.ReadyState;
import gdrproof.facts.Operator.PolicyState;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of a policy of the NVIDIA Network Operator (24 and 25) where the whole object is not there: `kubectl describe nicclusterpolicy`, and its `status:` alone, as
 * documents and tickets show it. Whole objects in YAML and JSON are read by {@link ClusterStates}.
 */
final class AppliedStates implements Collector {
  private static final Pattern HEAD = Pattern.compile("^(?<indent> *)(?:Applied States|appliedStates): *$");
  private static final Pattern PAIR = Pattern.compile("^(?<indent> *)(?<dash>- )?(?<key>[Nn]ame|[Ss]tate): +(?<value>\\S+) *$");
  private static final Pattern KIND = Pattern.compile("^Kind: +(?<kind>[A-Z]\\w+) *$");
  private static final Pattern NAME = Pattern.compile("^Name: +(?<name>[a-z0-9][a-z0-9.-]*) *$");
  private static final Pattern OBJECT = Pattern.compile("^ *(?:- )?(?:kind|apiVersion): .*");

  @Override
  public String tool() {
    return "kubectl describe nicclusterpolicy";
  }

  @Override
  public List<String> hints() {
    return List.of("Applied States:", "appliedStates:");
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().anyMatch(l -> OBJECT.matcher(l).matches())) {
      return;
    }
    String kind = "NicClusterPolicy";
    String name = Fact.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher kinds = KIND.matcher(section.lines().get(i));
      Matcher names = NAME.matcher(section.lines().get(i));
      Matcher head = HEAD.matcher(section.lines().get(i));
      if (kinds.matches()) {
        kind = kinds.group("kind");
      } else if (names.matches()) {
        name = names.group("name");
      } else if (head.matches()) {
        i = read(section, i, head.group("indent").length(), kind, name, sink);
      }
    }
  }

  /** @return index of the last line of the status */
  private static int read(Section section, int head, int indent, String kind, String name, Sink sink) {
    List<String> unready = new ArrayList<>();
    String part = Fact.UNKNOWN;
    int i = head + 1;
    for (; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher pair = PAIR.matcher(line);
      int depth = line.length() - line.stripLeading().length();
      if (!line.isBlank() && (depth < indent || depth == indent && !line.strip().startsWith("- ") && !line.strip().matches("(?i)(?:state|reason|message):.*"))) {
        break;
      }
      if (!pair.matches()) {
        continue;
      }
      boolean own = depth == indent && pair.group("dash") == null;
      if (own) {
        if (pair.group("key").equalsIgnoreCase("state")) {
          sink.fact(new ReadyState(Fact.UNKNOWN, kind, name, pair.group("value"), unready.stream().map(u -> u.replace(" ", " is ")).toList()), section.at(i));
          sink.fact(new PolicyState(kind + "/" + name, kind, pair.group("value"), unready), section.at(i));
          return i;
        }
      } else if (pair.group("key").equalsIgnoreCase("name")) {
        part = pair.group("value");
      } else if (OperatorKinds.unready(pair.group("value"))) {
        unready.add(part + " " + pair.group("value"));
      }
    }
    sink.unread(section, i - 1, "the status is cut: what the policy's parts come to is not told");
    return i - 1;
  }
}
