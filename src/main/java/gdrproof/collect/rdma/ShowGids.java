package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gids;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.EmptyGids;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.PortNetdev;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `show_gids` of the vendor's tools, and the same facts from sysfs (`grep . /sys/class/infiniband/HCA/ports/N/gids/I`, `gid_attrs/types`,
 * `gid_attrs/ndevs`).
 */
final class ShowGids implements Collector {
  private static final Pattern HEAD = Pattern.compile("DEV\\s+PORT\\s+INDEX\\s+GID\\b.*");
  private static final Pattern ROW = Pattern.compile("(?<hca>[A-Za-z]\\S*)\\s+(?<port>\\d+)\\s+(?<index>\\d+)\\s+(?<gid>[0-9a-fA-F:]{30,39})(?<rest>.*)");
  private static final Pattern REST = Pattern.compile("\\s*(?:(?<ipv4>\\d+\\.\\d+\\.\\d+\\.\\d+)\\s+)?(?:(?<version>v[12])\\b\\s*)?(?<netdev>\\S+)?\\s*");
  private static final Pattern TRAILER = Pattern.compile("\\s*n_gids_found=(\\d+)\\s*");
  private static final Pattern DEVICE = Pattern.compile("show_gids (\\w+)");
  private static final Pattern SYSFS = Pattern.compile(
      "\\S*/infiniband/([^/]+)/ports/(\\d+)/(gids|gid_attrs/types|gid_attrs/ndevs)/(\\d+):\\s*(.*?)\\s*");

  @Override
  public String tool() {
    return "show_gids";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = false;
    int rows = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher trailer = TRAILER.matcher(line);
      Matcher row = ROW.matcher(line);
      if (HEAD.matcher(line).matches()) {
        open = true;
        rows = 0;
        sink.understood(section, i);
      } else if (open && trailer.matches()) {
        sink.understood(section, i);
        if (Num.parse(trailer.group(1)).is(rows)) {
          sink.looked(section, Kind.GIDS, i);
          if (rows == 0) {
            Matcher device = DEVICE.matcher(section.command());
            sink.fact(new EmptyGids(section.node(), device.find() ? device.group(1) : Fact.UNKNOWN, Num.UNKNOWN, "show_gids"), section.at(i));
          }
        } else {
          sink.unread(section, i, "show_gids counts " + trailer.group(1) + " entries, " + rows + " are there");
        }
        open = false;
      } else if (row.matches()) {
        rows += row(section, sink, i, row) ? 1 : 0;
      } else if (open && !line.isBlank() && !line.startsWith("-")) {
        open = false;
      }
      sysfs(section, sink, i, line);
    }
  }

  private static boolean row(Section section, Sink sink, int index, Matcher row) {
    Matcher rest = REST.matcher(row.group("rest"));
    String gid = Gids.canonical(row.group("gid"));
    if (gid.equals(Fact.UNKNOWN) || !rest.matches()) {
      sink.unread(section, index, "cut or damaged row of the GID table");
      return false;
    }
    String version = rest.group("version") == null ? "none" : rest.group("version");
    String netdev = rest.group("netdev") == null ? "none" : rest.group("netdev");
    sink.fact(new Gid(section.node(), row.group("hca"), Num.parse(row.group("port")), Num.parse(row.group("index")), gid, Gids.kind(gid), Gids.ipv4(gid), version, netdev),
        section.at(index));
    if (!netdev.equals("none") && !netdev.contains(".")) {
      sink.fact(new PortNetdev(section.node(), row.group("hca"), Num.parse(row.group("port")), netdev, Fact.UNKNOWN), section.at(index));
    }
    return true;
  }

  private static void sysfs(Section section, Sink sink, int index, String line) {
    Matcher file = SYSFS.matcher(line);
    if (!file.matches() || !file.group(3).equals("gids")) {
      return;
    }
    String gid = Gids.canonical(file.group(5));
    if (gid.equals(Fact.UNKNOWN) || Gids.kind(gid).equals("zero")) {
      sink.understood(section, index);
      return;
    }
    String place = "/" + file.group(1) + "/ports/" + file.group(2) + "/gid_attrs/";
    String type = value(section, place + "types/" + file.group(4) + ":");
    String netdev = value(section, place + "ndevs/" + file.group(4) + ":");
    String version = type.equals("RoCE v2") ? "v2" : type.equals("IB/RoCE v1") || type.equals("RoCE v1") ? "v1" : Fact.UNKNOWN;
    sink.fact(new Gid(section.node(), file.group(1), Num.parse(file.group(2)), Num.parse(file.group(4)), gid, Gids.kind(gid), Gids.ipv4(gid), version, netdev),
        section.at(index));
  }

  private static String value(Section section, String place) {
    for (String line : section.lines()) {
      int at = line.indexOf(place);
      if (at >= 0) {
        return Words.orUnknown(line.substring(at + place.length()));
      }
    }
    return Fact.UNKNOWN;
  }
}
