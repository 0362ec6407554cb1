package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterSupport;
import gdrproof.facts.Rdma.FabricCheck;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Tri;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `perfquery` (basic, `-x`, `-D`, `-E`) and `ibqueryerrors` (also `--data`, `-r`) of infiniband-diags. */
final class Perfquery implements Collector {
  private static final Pattern HEAD = Pattern.compile("# (Port|Port extended|Port[A-Z]\\w+) (?:counters|Counters): (?:Lid (\\d+)|DR path .*?) port (\\d+|ALL)(?: \\((?:CapMask: (0x[0-9a-fA-F]{1,8}))?(?: ?CapMask2: (0x[0-9a-fA-F]{1,8}))?.*\\))?\\s*", Pattern.CASE_INSENSITIVE);
  private static final Pattern PAIR = Pattern.compile("([A-Za-z0-9]+):\\.+(0x[0-9a-fA-F]+|\\d+)\\s*");
  private static final Pattern ERRORS = Pattern.compile("Errors for (?:(0x[0-9a-f]+) )?\"([^\"]*)\"\\s*");
  private static final Pattern ROW = Pattern.compile("\\s+GUID (0x[0-9a-f]+) port (\\d+|ALL): ?(.*)");
  private static final Pattern COUNTER = Pattern.compile("\\[(\\w+) == (\\d+)(?: \\([^)]*\\))?]");
  private static final Pattern SUMMARY = Pattern.compile("## Summary: (\\d+) nodes checked, (\\d+) bad nodes found\\s*");
  private static final Pattern FILTERED = Pattern.compile("\\|\\s*(?:e?grep|awk|sed)\\b");
  private static final Pattern UNREACHABLE = Pattern.compile("(?:ibwarn: .*_do_madrpc failed; dport \\(Lid (\\d+)\\).*|perfquery: iberror: .*)");
  /** IB_PM_IS_ADDL_PORT_CTRS_EXT_SUP of the second capability mask (libibmad, iba_types.h). */
  private static final long WIDE_ERRORS = 1 << 1;
  /** Fields of the form itself. */
  private static final Set<String> NO_COUNTERS = Set.of("PortSelect", "CounterSelect", "CounterSelect2");

  @Override
  public String tool() {
    return "perfquery";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Moments moments = new Moments(section);
    Matcher head = null;
    String name = Fact.UNKNOWN;
    int unsummed = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher newHead = HEAD.matcher(line.strip());
      Matcher pair = PAIR.matcher(line.strip());
      Matcher errors = ERRORS.matcher(line.strip());
      Matcher row = ROW.matcher(line);
      Matcher summary = SUMMARY.matcher(line.strip());
      if (newHead.matches()) {
        head = newHead;
        sink.understood(section, i);
        support(section, sink, head, i);
      } else if (head != null && pair.matches()) {
        pair(section, sink, head, pair, i, moments);
      } else if (errors.matches()) {
        name = errors.group(2).strip();
        unsummed = i;
        sink.understood(section, i);
      } else if (row.matches() && !name.equals(Fact.UNKNOWN)) {
        row(section, sink, name, row, i, moments);
      } else if (summary.matches()) {
        unsummed = -1;
        sink.fact(new FabricCheck("ibqueryerrors", Num.UNKNOWN, Num.parse(summary.group(2)), Fact.UNKNOWN), section.at(i));
      } else if (line.contains("perfquery: iberror") && UNREACHABLE.matcher(line.strip()).matches()) {
        sink.fact(new RdmaToolError(section.node(), "perfquery", "lid-unreachable"), section.at(i));
      } else if (head != null && line.isBlank()) {
        head = null;
      }
    }
    // The tool ends with a summary, whatever it found.
    if (unsummed >= 0 && !FILTERED.matcher(section.command()).find()) {
      sink.unread(section, section.lines().size() - 1, "ibqueryerrors is cut before its summary: more nodes may have errors");
    }
  }

  private static void support(Section section, Sink sink, Matcher head, int index) {
    if (head.group(4) == null || head.group(3).equals("ALL")) {
      return;
    }
    Num second = Words.integer(head.group(5) == null ? "" : head.group(5));
    sink.fact(new CounterSupport(section.node(), device(section, head), Num.parse(head.group(3)), head.group(4), head.group(5) == null ? Fact.UNKNOWN : head.group(5),
        second.known() ? Tri.of(((long) second.value() & WIDE_ERRORS) != 0) : Tri.UNKNOWN), section.at(index));
  }

  private static String device(Section section, Matcher head) {
    return head.group(2) == null ? Words.option(section, "-G", "-C") : "lid " + head.group(2);
  }

  private static void pair(Section section, Sink sink, Matcher head, Matcher pair, int index, Moments moments) {
    sink.understood(section, index);
    if (NO_COUNTERS.contains(pair.group(1)) || head.group(3).equals("ALL")) {
      return;
    }
    String source = head.group(1).equalsIgnoreCase("Port extended") ? "perfquery-x" : "perfquery";
    sink.fact(CounterNames.reading(section.node(), device(section, head), Num.parse(head.group(3)), pair.group(1), Words.integer(pair.group(2)), source, moments.at(index)), section.at(index));
  }

  private static void row(Section section, Sink sink, String name, Matcher row, int index, Moments moments) {
    Matcher counter = COUNTER.matcher(row.group(3));
    boolean sum = row.group(2).equals("ALL");
    while (counter.find()) {
      // The line "port ALL" repeats the sum over the ports; it must not be counted twice.
      sink.fact(CounterNames.reading(Fact.UNKNOWN, name, sum ? Num.UNKNOWN : Num.parse(row.group(2)), counter.group(1), Num.parse(counter.group(2)),
          sum ? "ibqueryerrors-sum" : "ibqueryerrors", moments.at(index)), section.at(index));
    }
  }
}
