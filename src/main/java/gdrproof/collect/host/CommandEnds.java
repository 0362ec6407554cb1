package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Num;
import gdrproof.policy.ExitStatuses;
import java.util.List;
import java.util.regex.Matcher;

/** Lines that tell the exit status of a command, whatever the tool: the shell's, and those that every error of a family of tools has (`policies/exit-status.yaml`). */
final class CommandEnds implements Collector {
  /** One long line of a log is not the last word of a command. */
  private static final int LONGEST = 400;

  private final List<ExitStatuses.Line> known = ExitStatuses.all().lines();

  @Override
  public String tool() {
    return "sh";
  }

  @Override
  public List<String> hints() {
    return known.stream().map(ExitStatuses.Line::words).distinct().toList();
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      if (line.length() > LONGEST) {
        continue;
      }
      for (ExitStatuses.Line each : known) {
        Matcher m = line.contains(each.words()) ? each.pattern().matcher(line) : null;
        if (m != null && m.matches()) {
          Num exit = each.exit().known() ? each.exit() : Num.parse(group(m, each, "exit", ""));
          String tool = group(m, each, "tool", each.tool());
          sink.ended(new Ended(section.node(), tool.substring(tool.lastIndexOf('/') + 1), group(m, each, "error", each.error()), exit, each.exit().known() ? "implied" : "printed"),
              section.at(i));
          break;
        }
      }
    }
  }

  private static String group(Matcher m, ExitStatuses.Line line, String name, String otherwise) {
    String value = line.pattern().pattern().contains("(?<" + name + ">") ? m.group(name) : null;
    String text = value == null ? otherwise : value.strip();
    return text.isEmpty() ? Fact.UNKNOWN : text;
  }
}
