package gdrproof.finding;

import gdrproof.policy.FilePatterns;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Findings that a site has decided to live with. Each has a reason; one without a reason, or past its date, does not
 * count and is named; one that hides nothing is named too.
 */
public final class Suppressions {
  /**
   * @param where place of the suppression, for messages
   * @param codes rule codes, checks or slugs, or "all"
   * @param files files it holds for ({@link FilePatterns}); none for all
   * @param fromLine first line it holds for; 0 for the whole file
   * @param toLine last line
   */
  public record Suppression(String where, Set<String> codes, List<String> files, int fromLine, int toLine, String reason, String until) {
    boolean covers(Finding finding) {
      boolean rule = codes.contains("all") || codes.contains(finding.rule().code()) || !finding.rule().check().isEmpty() && codes.contains(finding.rule().check())
          || codes.contains(finding.rule().slug());
      // Patterns of files are dear, so they are asked last.
      return rule && (fromLine == 0 || finding.at().line() >= fromLine && finding.at().line() <= toLine)
          && (files.isEmpty() || files.stream().anyMatch(f -> FilePatterns.fits(f, finding.at().file())));
    }
  }

  private final List<Suppression> valid = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final Set<Suppression> used = new java.util.HashSet<>();

  /**
   * @param today the date that `until` is compared with
   */
  public Suppressions(List<Suppression> all, LocalDate today) {
    for (Suppression each : all) {
      if (each.codes().isEmpty()) {
        remarks.add(each.where() + ": suppression names no rule and does not count (CODE: reason)");
      } else if (each.reason().isBlank()) {
        remarks.add(each.where() + ": suppression of " + String.join(",", each.codes()) + " has no reason and does not count");
      } else if (!ended(each, today)) {
        valid.add(each);
      }
    }
  }

  /** Whether a suppression counts no more; the remark says why. */
  private boolean ended(Suppression each, LocalDate today) {
    if (each.until().isEmpty()) {
      return false;
    }
    try {
      boolean past = LocalDate.parse(each.until()).isBefore(today);
      if (past) {
        remarks.add(each.where() + ": suppression of " + String.join(",", each.codes()) + " ended on " + each.until());
      }
      return past;
    } catch (DateTimeParseException e) {
      remarks.add(each.where() + ": until " + each.until() + " is no date (YYYY-MM-DD); the suppression does not count");
      return true;
    }
  }

  /** Findings with the covered ones turned to `suppressed`. */
  public List<Finding> apply(List<Finding> findings) {
    List<Finding> result = new ArrayList<>();
    for (Finding finding : findings) {
      Suppression by = valid.stream().filter(s -> s.covers(finding)).findFirst().orElse(null);
      if (by == null) {
        result.add(finding);
      } else {
        used.add(by);
        result.add(new Finding(finding.rule(), finding.severity(), Verdict.SUPPRESSED, finding.at(), finding.message() + " (suppressed: " + by.reason().strip() + ")"));
      }
    }
    return result;
  }

  /** What is wrong with suppressions: no reason, ended, unused. Call after {@link #apply}. */
  public List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    valid.stream().filter(s -> !used.contains(s)).forEach(s -> all.add(s.where() + ": suppression of " + String.join(",", s.codes()) + " hides nothing"));
    return all;
  }

  /** Reads an annotation: `CODE[,CODE]: reason [until YYYY-MM-DD]`, several separated by `;`. */
  public static List<Suppression> parse(String text, String where, String file, int fromLine, int toLine) {
    List<Suppression> found = new ArrayList<>();
    for (String part : text.split(";")) {
      if (part.isBlank()) {
        continue;
      }
      int colon = part.indexOf(':');
      String codes = colon < 0 ? part : part.substring(0, colon);
      String reason = colon < 0 ? "" : part.substring(colon + 1).strip();
      String until = "";
      java.util.regex.Matcher date = java.util.regex.Pattern.compile("\\(?\\buntil:? *(\\S+?)\\)?$").matcher(reason);
      if (date.find()) {
        until = date.group(1);
        reason = reason.substring(0, date.start()).strip();
      }
      Set<String> set = new TreeSet<>();
      for (String code : codes.split(",")) {
        if (!code.isBlank()) {
          set.add(code.strip());
        }
      }
      found.add(new Suppression(where, set, List.of(file), fromLine, toLine, reason, until));
    }
    return found;
  }
}
