package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.SocketState;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ss` (any of -t -u -n -l -p) of iproute2, `netstat` of net-tools and `lsof -i`, whole or filtered. Only sockets that listen, wait or hold unsent data are facts; thousands of idle ones say nothing. */
final class Sockets implements Collector {
  private static final Pattern HEAD = Pattern.compile("(?:Netid\\s+)?State\\s+Recv-Q\\s+Send-Q\\s+Local Address:Port\\s+Peer Address:Port.*");
  private static final Pattern ROW = Pattern.compile("(?:(?:tcp|udp)\\s+)?(?<state>LISTEN|ESTAB|SYN-SENT|SYN-RECV|CLOSE-WAIT|FIN-WAIT-1|FIN-WAIT-2|TIME-WAIT|LAST-ACK|UNCONN)\\s+(?<rq>\\d+)\\s+(?<sq>\\d+)\\s+(?<local>\\S+:\\S+)\\s+(?<peer>\\S+:\\S+)(?:\\s+(?<process>users:.*?))?\\s*");

  private static final Pattern NETSTAT = Pattern.compile("(?:tcp|udp)6?\\s+\\d+\\s+(?<sq>\\d+)\\s+(?<local>\\S+:\\d+)\\s+(?<peer>\\S+:(?:\\d+|\\*))\\s+(?<state>LISTEN|SYN_SENT|SYN_RECV|ESTABLISHED)(?:\\s+(?<process>\\d+/\\S+|-))?.*");
  private static final Pattern LSOF = Pattern.compile("(?<process>\\S+\\s+\\d+)\\s.*\\sTCP\\s+(?<local>\\S+:\\S+?)(?:->(?<peer>\\S+))?\\s+\\((?<state>LISTEN|SYN_SENT|ESTABLISHED)\\)");

  @Override
  public String tool() {
    return "ss";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = Words.runs(section, "ss");
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher row = ROW.matcher(line);
      if (HEAD.matcher(line).matches()) {
        open = true;
        sink.understood(section, i);
      } else if (other(section, sink, i, line)) {
        continue;
      } else if (open && row.matches()) {
        boolean idle = !row.group("state").equals("LISTEN") && !row.group("state").startsWith("SYN") && row.group("sq").equals("0");
        if (idle) {
          sink.understood(section, i);
        } else {
          sink.fact(new SocketState(section.node(), row.group("state"), row.group("local"), row.group("peer"), Num.parse(row.group("sq")), Words.orUnknown(row.group("process"))),
              section.at(i));
        }
      }
    }
  }

  /** A row of netstat or lsof. */
  private static boolean other(Section section, Sink sink, int index, String line) {
    for (Pattern pattern : new Pattern[] {NETSTAT, LSOF}) {
      Matcher row = pattern.matcher(line);
      if (row.matches()) {
        String state = row.group("state").replace('_', '-');
        if (state.equals("ESTABLISHED")) {
          sink.understood(section, index);
        } else {
          sink.fact(new SocketState(section.node(), state, row.group("local"), Words.orUnknown(row.group("peer")), pattern == NETSTAT ? Num.parse(row.group("sq")) : Num.UNKNOWN,
              Words.orUnknown(row.group("process"))), section.at(index));
        }
        return true;
      }
    }
    return false;
  }
}
