package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the collectors of this folder share: whose view a section is, whether its command filters, and sizes as tools print them. */
final class Views {
  private static final Pattern IN_CONTAINER = Pattern.compile(
      "\\b(?:(?:docker|podman|kubectl|oc|crictl|nerdctl|ctr)\\b.*\\b(?:exec|run)\\b|singularity\\b|apptainer\\b|enroot\\b|bwrap\\b|chroot\\b|firejail\\b|srun\\b.*--container|nsenter\\b)");
  /** A remark behind the command that says where it was typed. */
  private static final Pattern REMARK = Pattern.compile("\\s#.*?\\b(?<where>host|container|pod)\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern CONTAINER_FILE = Pattern.compile("(?:^|[^a-z])(?:container|docker|podman|pod|ctr|singularity|rank)(?:[^a-z]|$)");
  /** Layout of collected bundles: `NODE/container/NAME.txt`. */
  private static final Pattern CONTAINER_FOLDER = Pattern.compile("(?:^|/)container/[^/]+$");
  private static final Pattern FILTER = Pattern.compile("\\|\\s*(?:sudo\\s+)?(?:[ef]?grep|rg|head|tail|awk|sed|cut|wc|sort|uniq)\\b");
  private static final Pattern SIZE = Pattern.compile("(\\d+(?:[.,]\\d+)?)\\s?([KMGTPE])?(?:i?B?)");

  private Views() {}

  /** `container` where the command or the file's name says so, `host` or `container` by a remark behind the command, else unknown. */
  static String scope(Section section) {
    Matcher remark = REMARK.matcher(section.command());
    if (remark.find()) {
      return remark.group("where").equalsIgnoreCase("host") ? "host" : "container";
    }
    if (!section.command().equals(Fact.UNKNOWN) && IN_CONTAINER.matcher(section.command()).find()) {
      return "container";
    }
    return CONTAINER_FILE.matcher(section.name()).find() || CONTAINER_FOLDER.matcher(section.file()).find() ? "container" : Fact.UNKNOWN;
  }

  static String scope(Section section, String otherwise) {
    String scope = scope(section);
    return scope.equals(Fact.UNKNOWN) ? otherwise : scope;
  }

  /** Whether the section's command is known and matches. */
  static boolean command(Section section, Pattern pattern) {
    return !section.command().equals(Fact.UNKNOWN) && pattern.matcher(section.command()).find();
  }

  /** Whether the command shows a part of its output only, so that absence is not proven. */
  static boolean filtered(Section section) {
    return !section.command().equals(Fact.UNKNOWN) && FILTER.matcher(section.command()).find();
  }

  /** Bytes of a size with a 1024-based suffix; a bare number counts in the given unit. */
  static Num size(String text, double bareUnit) {
    Matcher size = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      return Num.UNKNOWN;
    }
    double number = Double.parseDouble(size.group(1).replace(',', '.'));
    return Num.of(size.group(2) == null ? number * bareUnit : number * Math.pow(1024, "KMGTPE".indexOf(size.group(2)) + 1));
  }

  /** A limit: infinite when unlimited. */
  static Num limit(String text, double unit) {
    return text.equals("unlimited") || text.equals("infinity") || text.equals("-1")
        ? Num.of(Double.POSITIVE_INFINITY)
        : text.matches("\\d{1,18}") ? Num.of(Double.parseDouble(text) * unit) : Num.UNKNOWN;
  }

  /** Evidence for a command that printed nothing: the prompt's own line. */
  static Evidence commandLine(Section section) {
    int line = Math.max(1, section.firstLine() - 1);
    return Evidence.of(section.file(), line, section.command()).from(section.node(), section.command(), section.time());
  }

  /** Evidence whose excerpt is replaced, for lines that hold a secret. */
  static Evidence redacted(Evidence evidence, String excerpt) {
    return new Evidence(evidence.file(), evidence.line(), evidence.endLine(), evidence.column(), evidence.path(), excerpt, evidence.host(),
        evidence.command(), evidence.time());
  }
}
