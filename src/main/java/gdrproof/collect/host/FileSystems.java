package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.FileSystem;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `df` with any option for units, `-T`, translated headers and wrapped device names. Inode tables (`-i`) are left alone. */
final class FileSystems implements Collector {
  private static final Pattern ROW = Pattern.compile(
      "^(?:(?<device>\\S+)\\s+)?(?:(?<type>[a-z][\\w.-]*)\\s+)?(?<size>\\d[\\d.,]*[KMGTPE]?i?)\\s+(?<used>\\d[\\d.,]*[KMGTPE]?i?)\\s+(?<avail>\\d[\\d.,]*[KMGTPE]?i?)\\s+(?<percent>\\d+%|-)\\s+(?<mount>/\\S*)$");
  private static final Pattern UNIT = Pattern.compile("\\b(?<number>\\d+)(?<unit>[KMG]?)B?-(?:blocks|Bl\\S+)");
  private static final Pattern INODES = Pattern.compile("\\b(?:Inodes|IUse%)", Pattern.CASE_INSENSITIVE);

  /** Language by the last column of a translated heading. */
  private static final Map<String, String> LANGUAGES = new TreeMap<>();

  static {
    Policies.read("df-headings.yaml").forEach((language, headings) -> Policies.texts(headings).forEach(h -> LANGUAGES.put(h, language)));
  }

  @Override
  public String tool() {
    return "df -h";
  }

  @Override
  public List<String> hints() {
    return List.of("% ", "%\t", "- /", "-  /", "-\t/");
  }

  @Override
  public void collect(Section section, Sink sink) {
    double unit = 1024;
    boolean inodes = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      if (line.isEmpty()) {
        continue;
      }
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        Matcher header = UNIT.matcher(line);
        language(section, sink, line, i);
        if (INODES.matcher(line).find()) {
          inodes = true;
        } else if (header.find()) {
          inodes = false;
          unit = Double.parseDouble(header.group("number")) * ("KMG".contains(header.group("unit")) && !header.group("unit").isEmpty()
              ? Math.pow(1024, "KMG".indexOf(header.group("unit")) + 1) : 1);
        }
        continue;
      }
      if (inodes) {
        continue;
      }
      String device = row.group("device") != null ? row.group("device") : i > 0 ? section.lines().get(i - 1).strip() : "";
      String type = row.group("type") != null ? row.group("type") : device.isEmpty() || device.contains(" ") ? gdrproof.facts.Fact.UNKNOWN : device;
      String mount = row.group("mount");
      sink.fact(new FileSystem(section.node(), Views.scope(section), mount, type, size(row.group("size"), unit), size(row.group("used"), unit),
          size(row.group("avail"), unit)), section.at(i));
      if (mount.equals("/dev/shm")) {
        sink.looked(section, Kind.SHM, i);
      }
    }
  }

  /** A translated heading tells the locale of the shell, in which other tools translate theirs, too. */
  private static void language(Section section, Sink sink, String line, int index) {
    for (Map.Entry<String, String> each : LANGUAGES.entrySet()) {
      if (line.endsWith(each.getKey())) {
        sink.fact(new Layout(section.node(), "df", "language", each.getValue()), section.at(index));
        return;
      }
    }
  }

  private static Num size(String text, double unit) {
    return Views.size(text.replace("i", ""), unit);
  }
}
