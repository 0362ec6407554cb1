package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.TcpTest;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Summary lines of iperf and iperf3: the last one of the whole interval, of all streams together where there are several. */
final class TcpTests implements Collector {
  private static final Pattern LINE = Pattern.compile("^\\[ *(?<id>SUM|\\d+)\\]\\s+0\\.0+\\s*-\\s*\\d+\\.\\d+\\s+sec\\s+[\\d.]+ [KMGT]?Bytes\\s+(?<rate>[\\d.]+) (?<unit>[KMG])bits/sec.*$");

  @Override
  public String tool() {
    return "iperf3";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int best = -1;
    boolean sum = false;
    Num gbps = Num.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher m = LINE.matcher(section.lines().get(i));
      if (m.matches() && (!sum || m.group("id").equals("SUM"))) {
        sum = m.group("id").equals("SUM");
        best = i;
        double scale = m.group("unit").equals("G") ? 1 : m.group("unit").equals("M") ? 1e-3 : 1e-6;
        gbps = Num.of(Double.parseDouble(m.group("rate")) * scale);
      }
    }
    if (best >= 0) {
      sink.fact(new TcpTest(section.node(), "iperf", gbps), section.at(best));
    }
  }
}
