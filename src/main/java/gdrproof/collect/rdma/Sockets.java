package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.SocketState;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ss` (any of -t -u -n -l -p) of iproute2. Only sockets that listen, wait or hold unsent data are facts; thousands of idle ones say nothing. */
final class Sockets implements Collector {
  private static final Pattern HEAD = Pattern.compile("(?:Netid\\s+)?State\\s+Recv-Q\\s+Send-Q\\s+Local Address:Port\\s+Peer Address:Port.*");
  private static final Pattern ROW = Pattern.compile("(?:(?:tcp|udp)\\s+)?(?<state>LISTEN|ESTAB|SYN-SENT|SYN-RECV|CLOSE-WAIT|FIN-WAIT-1|FIN-WAIT-2|TIME-WAIT|LAST-ACK|UNCONN)\\s+(?<rq>\\d+)\\s+(?<sq>\\d+)\\s+(?<local>\\S+:\\S+)\\s+(?<peer>\\S+:\\S+)(?:\\s+(?<process>users:.*?))?\\s*");

  @Override
  public String tool() {
    return "ss";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher row = ROW.matcher(line);
      if (HEAD.matcher(line).matches()) {
        open = true;
        sink.understood(section, i);
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
}
