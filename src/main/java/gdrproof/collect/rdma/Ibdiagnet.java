package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.FabricCheck;
import gdrproof.facts.Rdma.FabricComplaint;
import gdrproof.facts.Rdma.FabricSize;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ibdiagnet` of ibutils2 (summary table, `-W-` and `-E-` lines; layout provisional) and the old Tcl tool of ibutils 1. */
final class Ibdiagnet implements Collector {
  private static final Pattern TABLE = Pattern.compile("(?i)\\s*(?:-I- )?Stage\\s+(?:Warnings\\s+Errors|(?<errors>Errors)\\s+Warnings)(?:\\s+Comment)?\\s*");
  private static final Pattern STAGE = Pattern.compile("(?:-I- |\\s+)(\\S.*?)\\s{2,}(\\d+|NA|N/A)\\s+(\\d+|NA|N/A)(?:\\s+.*)?");
  private static final Pattern NODES = Pattern.compile("-I- Discovering \\.\\.\\. (\\d+) nodes \\((\\d+) Switches & (\\d+) CA-s[^)]*\\) discovered\\b.*");
  private static final Pattern COMPLAINT = Pattern.compile("-([WE])- (.*)");

  @Override
  public String tool() {
    return "ibdiagnet";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean old = section.lines().stream().anyMatch(l -> l.contains("Loading IBDIAGNET from"));
    boolean mine = old || section.lines().stream().anyMatch(l -> l.contains("ibdiagnet2") || TABLE.matcher(l).matches());
    if (!mine) {
      return;
    }
    String generation = old ? "ibutils1" : "ibutils2";
    boolean table = false;
    boolean errorsFirst = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).stripTrailing();
      Matcher stage = STAGE.matcher(line);
      Matcher nodes = NODES.matcher(line);
      Matcher complaint = COMPLAINT.matcher(line);
      Matcher head = TABLE.matcher(line);
      if (head.matches()) {
        table = true;
        errorsFirst = head.group("errors") != null;
        sink.understood(section, i);
      } else if (table && stage.matches()) {
        sink.fact(new FabricCheck(stage.group(1), Num.parse(stage.group(errorsFirst ? 3 : 2)), Num.parse(stage.group(errorsFirst ? 2 : 3)), generation), section.at(i));
      } else if (nodes.matches()) {
        sink.fact(new FabricSize(Num.parse(nodes.group(1)), Num.parse(nodes.group(2)), Num.parse(nodes.group(3)), generation), section.at(i));
      } else if (complaint.matches()) {
        sink.fact(new FabricComplaint(complaint.group(1).equals("E") ? "error" : "warning", complaint.group(2)), section.at(i));
      }
    }
    if (!table && !old) {
      sink.unread(section, section.lines().size() - 1, "ibdiagnet without its summary table: what its stages found is unknown");
    }
  }
}
