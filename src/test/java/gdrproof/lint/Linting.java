package gdrproof.lint;

import gdrproof.cli.LintRun;
import gdrproof.cli.Main;
import gdrproof.engine.RuleBase;
import gdrproof.finding.Finding;
import gdrproof.finding.Severity;
import gdrproof.finding.Verdict;
import gdrproof.policy.LintConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

/** What lint tests share: one rule base, the call, the command line. */
final class Linting {
  static final RuleBase RULES = RuleBase.load("lint", List.of());

  private Linting() {}

  static LintRun.Result run(Path... paths) throws IOException {
    return LintRun.run(java.util.Arrays.stream(paths).map(Path::toString).toList(), null, LintConfig.read(""), RULES);
  }

  static boolean loud(Finding finding) {
    return finding.verdict() == Verdict.VIOLATED && finding.severity().compareTo(Severity.WARNING) >= 0;
  }

  static String show(Finding f) {
    return f.at().file() + ":" + f.at().line() + " " + f.severity() + " " + f.verdict() + " " + f.rule().name() + " (" + f.rule().check() + "): " + f.message();
  }

  /** Exit code and both outputs of a command line. */
  record Called(int code, String out, String err) {}

  static Called call(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err, true), arguments);
    return new Called(code, out.toString(), err.toString());
  }
}
