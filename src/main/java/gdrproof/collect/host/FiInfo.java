package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.LibfabricDomain;
import gdrproof.facts.Meta.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `fi_info` in its short and long form (`-v`), by util/info.c and src/fi_tostr.c of libfabric 1.6 to 2.3. The list of providers (`-l`) names what is
 * installed and says nothing of devices.
 */
final class FiInfo implements Collector {
  private static final Pattern SHORT = Pattern.compile("^provider: (?<provider>[a-z][\\w;.-]*)\\s*$");
  private static final Pattern LONG = Pattern.compile("^fi_info:\\s*$");
  private static final Pattern GROUP = Pattern.compile("^\\s+(?<group>fi_\\w+_attr):\\s*$");
  private static final Pattern FIELD = Pattern.compile("^\\s+(?<name>domain|version|name|prov_name|prov_version): (?<value>\\S.*?)\\s*$");
  private static final Pattern WHOLE = Pattern.compile("\\bfi_info(?: (?:-v|--verbose))*$");

  @Override
  public String tool() {
    return "fi_info";
  }

  @Override
  public List<String> hints() {
    return List.of("provider: ", "fi_info");
  }

  @Override
  public void collect(Section section, Sink sink) {
    int first = -1;
    boolean whole = true;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher start = SHORT.matcher(section.lines().get(i));
      boolean brief = start.matches();
      if (!brief && !LONG.matcher(section.lines().get(i)).matches()) {
        continue;
      }
      first = first < 0 ? i : first;
      int end = end(section, i + 1);
      boolean read = block(section, i, end, brief ? start.group("provider") : "", sink);
      if (!read) {
        sink.unread(section, end - 1, "fi_info is cut off inside a provider");
      }
      whole &= read;
      i = end - 1;
    }
    if (first >= 0 && whole && WHOLE.matcher(section.command().strip()).find()) {
      sink.looked(section, Kind.LIBFABRIC, first);
    }
  }

  /** A block goes on as long as its lines are indented. */
  private static int end(Section section, int from) {
    int end = from;
    while (end < section.lines().size() && section.lines().get(end).startsWith(" ")) {
      end++;
    }
    return end;
  }

  /** The short form has no groups and names its provider in the first line. */
  private static boolean block(Section section, int from, int end, String named, Sink sink) {
    String group = "";
    String domain = "";
    String provider = named;
    String version = Fact.UNKNOWN;
    for (int i = from + 1; i < end; i++) {
      Matcher heading = GROUP.matcher(section.lines().get(i));
      Matcher field = FIELD.matcher(section.lines().get(i));
      if (heading.matches()) {
        group = heading.group("group");
      } else if (field.matches()) {
        switch (group + " " + field.group("name")) {
          case " domain", "fi_domain_attr name" -> domain = field.group("value");
          case "fi_fabric_attr prov_name" -> provider = field.group("value");
          case " version", "fi_fabric_attr prov_version" -> version = field.group("value");
          default -> {
          }
        }
      }
    }
    if (provider.isEmpty() || domain.isEmpty()) {
      return false;
    }
    sink.fact(new LibfabricDomain(section.node(), Views.scope(section), provider, domain, version), section.at(from, end - 1));
    return true;
  }
}
