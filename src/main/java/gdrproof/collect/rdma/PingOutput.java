package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.Ping;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ping` of iputils, also with `-M do`, `-s` and `-I`. */
final class PingOutput implements Collector {
  private static final Pattern HEAD = Pattern.compile("PING (\\S+?)(?: ?\\(([0-9a-fA-F.:%]+)\\))? (?:from (\\S+) (\\S*?):? )?(\\d+)(?:\\(\\d+\\))? (?:data )?bytes(?: of data)?\\.?.*");
  private static final Pattern ERROR = Pattern.compile(".*?(Destination Host Unreachable|Destination Net Unreachable|[Mm]essage too long|Frag(?:mentation)? needed[^,]*|Network is unreachable|Packet filtered|Operation not permitted|Invalid argument).*");
  private static final Pattern TOTAL = Pattern.compile("(\\d+) packets transmitted, (\\d+) (?:packets )?received,.*");
  private static final Pattern REFUSED = Pattern.compile("(?:ping: )?(?:connect|sendmsg|bind|socket): (.*)|ping: (unknown iface .*|.*Name or service not known)");

  @Override
  public String tool() {
    return "ping";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher open = null;
    int start = 0;
    int errorLine = 0;
    String error = "none";
    int errors = 0;
    int replies = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher head = HEAD.matcher(line);
      Matcher total = TOTAL.matcher(line);
      Matcher wrong = ERROR.matcher(line);
      Matcher refused = REFUSED.matcher(line);
      if (head.matches()) {
        open = head;
        start = i;
        error = "none";
        errors = 0;
        replies = 0;
      } else if (open != null && total.matches()) {
        String target = open.group(2) == null ? open.group(1) : open.group(2);
        boolean named = open.group(4) != null && !open.group(4).isBlank();
        boolean full = section.command().matches(".*\\s-M\\s*do\\b.*");
        sink.fact(new Ping(section.node(), target, named ? open.group(4) : dev(section), Words.orUnknown(open.group(3)), Num.parse(open.group(5)),
            section.command().equals(Fact.UNKNOWN) ? Tri.UNKNOWN : Tri.of(full), Num.parse(total.group(1)), Num.parse(total.group(2)), error),
            error.equals("none") ? section.at(i) : section.at(errorLine, i - errorLine < 5 ? i : errorLine));
        sink.understood(section, start);
        open = null;
      } else if (open == null && total.matches() && Words.runs(section, "ping")) {
        // The heading was cut from the text; the command line names the target.
        sink.fact(new Ping(section.node(), section.command().strip().replaceFirst(".*\\s", ""), dev(section), Fact.UNKNOWN, Num.UNKNOWN,
            Tri.of(section.command().matches(".*\\s-M\\s*do\\b.*")), Num.parse(total.group(1)), Num.parse(total.group(2)), "none"), section.at(i));
      } else if (open != null && wrong.matches()) {
        error = wrong.group(1);
        errorLine = i;
        errors++;
      } else if (open != null && line.contains(" bytes from ")) {
        replies++;
      } else if (open == null && refused.matches() && Words.runs(section, "ping")) {
        String target = section.command().strip().replaceFirst(".*\\s", "");
        sink.fact(new Ping(section.node(), target, dev(section), Fact.UNKNOWN, Num.UNKNOWN, Tri.UNKNOWN, Num.of(0), Num.of(0),
            refused.group(1) == null ? refused.group(2) : refused.group(1)), section.at(i));
      }
    }
    if (open != null && errors > 0 && replies == 0) {
      // Cut, or ended from the keyboard: every request that was seen came back as an error.
      String target = open.group(2) == null ? open.group(1) : open.group(2);
      boolean named = open.group(4) != null && !open.group(4).isBlank();
      sink.fact(new Ping(section.node(), target, named ? open.group(4) : dev(section), Words.orUnknown(open.group(3)), Num.parse(open.group(5)), Tri.UNKNOWN, Num.of(errors), Num.of(0),
          error), section.at(errorLine));
      sink.understood(section, start);
    } else if (open != null) {
      sink.unread(section, start, "ping without its totals");
    }
  }

  private static String dev(Section section) {
    String dev = Words.option(section, "-I");
    return dev.matches("[\\d.]+|.*:.*") ? Fact.UNKNOWN : dev;
  }
}
