package gdrproof.cli;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import gdrproof.bundle.Reasons;
import gdrproof.collect.kube.Repairs;
import gdrproof.collect.kube.Repairs.Repaired;
import gdrproof.collect.kube.Repairs.Wish;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.NcclSetting;
import gdrproof.finding.Conclusion.Problem;
import gdrproof.finding.Finding;
import gdrproof.finding.Verdict;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** `lint --fix-diff`: a unified diff of the repairs that are safe, for `patch -p1` or `git apply`; no file is changed. */
final class FixDiff {
  private static final int CONTEXT = 3;

  /**
   * @param done findings that the diff repairs
   * @param remarks files that get no diff, and why
   * @param apply the command that applies it
   */
  record Written(int done, List<String> remarks, String apply) {}

  /** The text of a file before and after. */
  private record Change(List<String> before, List<String> after) {}

  private FixDiff() {}

  static Written write(List<Finding> findings, LintRun.Result run, PrintWriter out) throws IOException {
    List<String> remarks = new ArrayList<>();
    Map<Path, Change> changes = new LinkedHashMap<>();
    int done = 0;
    for (Map.Entry<String, List<Wish>> each : wishes(findings, run).entrySet()) {
      Path file = Path.of(each.getKey());
      try {
        List<String> lines = List.of(Files.readString(file).split("\n", -1));
        Repaired repaired = Repairs.apply(each.getKey(), lines, each.getValue());
        done += repaired.done();
        if (repaired.done() > 0) {
          changes.put(file, new Change(lines, repaired.lines()));
        }
      } catch (CharacterCodingException e) {
        remarks.add(each.getKey() + ": no diff, since it is not UTF-8, which patches of text are; convert it first (iconv -t UTF-8)");
      } catch (IOException e) {
        remarks.add(each.getKey() + ": no diff: " + Reasons.word(e));
      }
    }
    boolean rooted = DiffNames.beyond(changes.keySet());
    for (Map.Entry<Path, Change> each : changes.entrySet()) {
      String name = DiffNames.name(each.getKey(), rooted);
      List<String> before = marked(each.getValue().before());
      UnifiedDiffUtils.generateUnifiedDiff(DiffNames.header("a/" + name), DiffNames.header("b/" + name), before, DiffUtils.diff(before, marked(each.getValue().after())), CONTEXT)
          .forEach(line -> out.print(line + "\n"));
    }
    return new Written(done, remarks, rooted ? "patch -d / -p1, since a file lies outside the working folder" : "patch -p1");
  }

  /** What a policy says of the repair of each violation, by file. */
  private static Map<String, List<Wish>> wishes(List<Finding> findings, LintRun.Result run) {
    Map<String, Object> fixes = Policies.read("fixes.yaml");
    Map<String, String> names = names(run);
    Map<String, List<Wish>> wishes = new TreeMap<>();
    for (Finding finding : findings) {
      String operation = String.valueOf(Policies.map(fixes.get(finding.rule().code())).getOrDefault("operation", ""));
      if (finding.verdict() == Verdict.VIOLATED && !operation.isEmpty()) {
        Evidence at = finding.at();
        wishes.computeIfAbsent(at.file(), f -> new ArrayList<>()).add(new Wish(operation, at.line(), at.column(), names.getOrDefault(key(finding.rule().code(), at), "")));
      }
    }
    return wishes;
  }

  /** Lines as a diff compares them: one that a file ends with and does not end is another than the same line with its end, and says so. */
  private static List<String> marked(List<String> pieces) {
    List<String> lines = new ArrayList<>(pieces);
    // A text that ends with a line end has an empty last piece, which is no line.
    String last = lines.remove(lines.size() - 1);
    if (!last.isEmpty()) {
      lines.add(last + "\n\\ No newline at end of file");
    }
    return lines;
  }

  /** The names that were likely meant, by rule and place. */
  private static Map<String, String> names(LintRun.Result run) {
    Map<String, String> names = new HashMap<>();
    run.engine().conclusions().forEach(derived -> {
      if (derived.conclusion() instanceof Problem problem && problem.at() instanceof NcclSetting setting) {
        for (Evidence at : run.ledger().of((Fact) setting)) {
          names.put(key(derived.rule().code(), at), setting.nearest());
        }
      }
    });
    return names;
  }

  private static String key(String rule, Evidence at) {
    return rule + " " + at.file() + ":" + at.line() + ":" + at.column();
  }
}
