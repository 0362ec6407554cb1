package gdrproof.lint;

import gdrproof.cli.LintRun;
import gdrproof.finding.Finding;
import gdrproof.finding.Severity;
import gdrproof.finding.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** One entry of a manifest's `expect` column: `CODE:severity:line`, `unknown:field:line`, `silent:CODE`, `clean`, `template`. */
record Expectation(String text, String kind, List<String> parts) {
  static List<Expectation> of(String expect) {
    return Arrays.stream(expect.split(";")).map(e -> new Expectation(e, e.split(":")[0], List.of(e.split(":")))).toList();
  }

  /** The check that must be found, or "" for entries of another kind. */
  String check() {
    return Set.of("", "clean", "template", "silent", "unknown").contains(kind) ? "" : kind;
  }

  /** The check that must not fire, or "". */
  String trap() {
    return kind.equals("silent") ? parts.get(1) : "";
  }

  private Set<String> severities() {
    return Set.of(parts.get(1).split("\\|"));
  }

  /** Notes are allowed, not required. */
  boolean required() {
    return check().isEmpty() || !severities().equals(Set.of(Severity.INFO.toString()));
  }

  boolean found(List<Finding> found) {
    return found.stream().anyMatch(f -> f.rule().check().equals(check())
        && severities().contains(f.verdict() == Verdict.INCONCLUSIVE ? "unknown" : f.severity().toString()));
  }

  boolean met(LintRun.Result run) {
    List<Finding> found = run.findings();
    return switch (kind) {
      case "", "clean" -> true;
      case "template" -> run.judged() == 0 && found.stream().noneMatch(f -> f.verdict() == Verdict.VIOLATED);
      case "silent" -> found.stream().noneMatch(f -> f.verdict() == Verdict.VIOLATED && f.rule().check().equals(trap()));
      case "unknown" -> found.stream().anyMatch(f -> f.verdict() == Verdict.INCONCLUSIVE
          && (List.of(parts.get(parts.size() - 1).split("\\|")).contains(Integer.toString(f.at().line())) || (f.at().path() + f.message()).contains(parts.get(1))));
      default -> !required() || found(found);
    };
  }
}
