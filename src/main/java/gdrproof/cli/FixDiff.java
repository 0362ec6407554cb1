package gdrproof.cli;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import gdrproof.bundle.Yaml;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** `lint --fix-diff`: a unified diff of the repairs that are safe, for `patch -p1` or `git apply`; no file is changed. */
final class FixDiff {
  private static final int CONTEXT = 3;

  private FixDiff() {}

  /** Prints the diff; returns how many of the findings it repairs. */
  static int write(List<Finding> findings, LintRun.Result run, PrintWriter out) throws IOException {
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
    int done = 0;
    for (Map.Entry<String, List<Wish>> each : wishes.entrySet()) {
      Path file = Path.of(each.getKey());
      if (!Files.isRegularFile(file)) {
        continue;
      }
      String text = Files.readString(file);
      List<String> lines = List.of(text.split("\n", -1));
      Repaired repaired = Repairs.apply(Yaml.read(each.getKey(), text.replace("\r", "")), lines, each.getValue());
      done += repaired.done();
      String name = file.isAbsolute() ? each.getKey().substring(1) : each.getKey();
      // A text that ends with a line end has an empty last piece, which is no line.
      UnifiedDiffUtils.generateUnifiedDiff("a/" + name, "b/" + name, whole(lines), DiffUtils.diff(whole(lines), whole(repaired.lines())), CONTEXT).forEach(line -> out.print(line + "\n"));
    }
    return done;
  }

  private static List<String> whole(List<String> lines) {
    return !lines.isEmpty() && lines.get(lines.size() - 1).isEmpty() ? lines.subList(0, lines.size() - 1) : lines;
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
