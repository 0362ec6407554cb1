package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.Neighbour;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which hardware address answers for an IP address: `arping` of iputils and of Thomas Habets, and `arp-scan` 1.9 and later. Every answer is a {@link Neighbour}
 * of state `ANSWERED`; two of them with different hardware addresses mean that two ports claim the address.
 */
final class Arping implements Collector {
  private static final String MAC = "(?<mac>[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5})";
  private static final String IP = "(?<ip>\\d{1,3}(?:\\.\\d{1,3}){3})";
  private static final Pattern HEAD = Pattern.compile("ARPING " + IP + "(?: from \\S+ (?<dev>\\S+?))?:?\\s*");
  private static final Pattern IPUTILS = Pattern.compile("(?:Unicast|Broadcast) (?:reply|request) from " + IP + " \\[" + MAC + "\\].*");
  private static final Pattern HABETS = Pattern.compile("\\d+ bytes from " + MAC + " \\(" + IP + "\\): index=.*");
  private static final Pattern SCAN_HEAD = Pattern.compile("Interface: (?<dev>[^,\\s]+), (?:datalink )?type: .*");
  private static final Pattern SCAN = Pattern.compile(IP + "\\t" + MAC + "\\t.*");

  @Override
  public String tool() {
    return "arping";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String asked = Words.option(section, "-I", "-i");
    String dev = asked;
    boolean arping = false;
    boolean scan = false;
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      if (line.length() > 400) {
        continue;
      }
      Matcher head = HEAD.matcher(line);
      Matcher scanned = SCAN_HEAD.matcher(line);
      if (head.matches() || scanned.matches()) {
        String named = head.matches() ? head.group("dev") : scanned.group("dev");
        arping |= head.matches();
        scan |= scanned.matches();
        dev = named == null ? asked : named;
        sink.understood(section, i);
        continue;
      }
      Matcher answer = IPUTILS.matcher(line);
      if (!answer.matches()) {
        answer = arping ? HABETS.matcher(line) : SCAN.matcher(line);
        if (!answer.matches() || !arping && !scan) {
          continue;
        }
      }
      String mac = answer.group("mac").toLowerCase(Locale.ROOT);
      sink.understood(section, i);
      if (seen.add(dev + " " + answer.group("ip") + " " + mac)) {
        sink.fact(new Neighbour(section.node(), answer.group("ip"), dev, mac, "ANSWERED"), section.at(i));
      }
    }
  }
}
