package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the hosts of one output apart: lines prefixed with `host: ` (pdsh, clush, ansible one-line), or blocks under a banner of
 * dashes (`clush -b`, dshbak). Each view has the length of the section, with other hosts' lines empty, so that line numbers stay.
 */
final class HostViews {
  private static final Pattern PREFIX = Pattern.compile("^(?<host>[A-Za-z][A-Za-z0-9._-]*): ?(?<rest>.*)$");
  private static final Pattern RULER = Pattern.compile("^-{5,}$");
  private static final Pattern NAME = Pattern.compile("^[A-Za-z][A-Za-z0-9._-]*$");

  private HostViews() {}

  static List<Section> of(Section section) {
    if (!section.node().equals(Fact.UNKNOWN)) {
      return List.of(section);
    }
    List<Section> banners = byBanner(section);
    if (!banners.isEmpty()) {
      return banners;
    }
    List<Section> prefixed = byPrefix(section);
    return prefixed.isEmpty() ? List.of(section) : prefixed;
  }

  private static List<Section> byBanner(Section section) {
    Map<String, List<String>> views = new LinkedHashMap<>();
    String host = null;
    List<String> lines = section.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (i + 2 < lines.size() && RULER.matcher(lines.get(i)).matches() && NAME.matcher(lines.get(i + 1).strip()).matches()
          && RULER.matcher(lines.get(i + 2)).matches()) {
        host = Sections.shortName(lines.get(i + 1).strip());
        i += 2;
      } else if (host != null) {
        put(views, host, i, lines.get(i), lines.size());
      }
    }
    return sections(section, views);
  }

  private static List<Section> byPrefix(Section section) {
    Map<String, List<String>> views = new LinkedHashMap<>();
    List<String> lines = section.lines();
    int filled = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      filled++;
      Matcher matcher = PREFIX.matcher(lines.get(i));
      if (!matcher.matches() || matcher.group("host").matches("(?:GPU|NIC)\\d+|(?i:error|warning|info|note|usage|fatal|hint)")) {
        return List.of();
      }
      put(views, Sections.shortName(matcher.group("host")), i, matcher.group("rest"), lines.size());
    }
    // Prose such as "Error: ..." has a new word before every colon; a host says more than one thing.
    return filled < 2 * views.size() ? List.of() : sections(section, views);
  }

  private static void put(Map<String, List<String>> views, String host, int index, String line, int size) {
    views.computeIfAbsent(host, h -> new ArrayList<>(java.util.Collections.nCopies(size, ""))).set(index, line);
  }

  private static List<Section> sections(Section section, Map<String, List<String>> views) {
    List<Section> sections = new ArrayList<>();
    views.forEach((host, lines) -> sections.add(
        new Section(section.file(), section.firstLine(), lines, section.raw(), host, section.command(), section.time(), section.numbers())));
    return sections;
  }
}
