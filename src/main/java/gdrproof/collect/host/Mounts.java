package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.FileSystem;
import gdrproof.facts.Host.Mount;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `mount`, /proc/PID/mounts and `findmnt -rn`: the visible mount on the paths that matter to RDMA jobs. */
final class Mounts implements Collector {
  private static final Pattern MOUNT = Pattern.compile("^(?<source>\\S+) on (?<path>/\\S*) type (?<type>\\S+) \\((?<options>[^)]*)\\)");
  private static final Pattern PROC = Pattern.compile("^(?<source>\\S+) (?<path>/\\S*) (?<type>[a-z][\\w.]*) (?<options>(?:ro|rw)\\b\\S*) \\d+ \\d+$");
  private static final Pattern RELEVANT = Pattern.compile("^/(?:$|dev(?:/shm|/hugepages\\S*|/infiniband\\S*)?$|sys(?:/|$)|proc$|mnt/huge\\S*)");
  private static final Pattern SIZE = Pattern.compile("\\bsize=(\\d+[kKmMgG]?)\\b");
  private static final Pattern ABSENT_SYS = Pattern.compile("mount.*\\|\\s*grep\\s+\\S*\\s?/sys");

  @Override
  public String tool() {
    return "mount";
  }

  private record Visible(Matcher match, int index, int count) {}

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, Visible> visible = new LinkedHashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher m = MOUNT.matcher(line);
      if (!m.find()) {
        m = PROC.matcher(line);
        if (!m.find()) {
          continue;
        }
      }
      sink.understood(section, i);
      String path = m.group("path");
      if (RELEVANT.matcher(path).find()) {
        int before = visible.containsKey(path) ? visible.get(path).count() : 0;
        visible.put(path, new Visible(m, i, before + 1));
      }
    }
    visible.forEach((path, v) -> put(section, sink, path, v));
    if (visible.isEmpty() && Views.command(section, ABSENT_SYS) && section.lines().stream().allMatch(String::isBlank)) {
      sink.fact(new gdrproof.facts.Host.PathState(section.node(), Views.scope(section), "/sys", "not-mounted"), section.lines().isEmpty()
          ? Views.commandLine(section) : section.at(0));
    }
  }

  private static void put(Section section, Sink sink, String path, Visible v) {
    String options = v.match().group("options");
    String access = options.matches("(?:^|.*,)ro(?:,.*|$)") ? "ro" : options.matches("(?:^|.*,)rw(?:,.*|$)") ? "rw" : Fact.UNKNOWN;
    String scope = Views.scope(section);
    sink.fact(new Mount(section.node(), scope, path, v.match().group("source"), v.match().group("type"), access, Num.of(v.count())), section.at(v.index()));
    Matcher size = SIZE.matcher(options);
    if (path.equals("/dev/shm") && size.find()) {
      sink.fact(new FileSystem(section.node(), scope, path, v.match().group("type"), Views.size(size.group(1), 1), Num.UNKNOWN, Num.UNKNOWN),
          section.at(v.index()));
      sink.looked(section, Kind.SHM, v.index());
    }
  }
}
