package gdrproof.cli;

import gdrproof.engine.RuleBase;
import gdrproof.facts.Texts;
import gdrproof.finding.RuleInfo;
import gdrproof.policy.LintConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Holds the rules that a configuration names against those there are: a misspelt one would have no effect, and nobody would know. */
final class ConfiguredRules {
  /** Letters that may differ for a name to be suggested. */
  private static final int NEAR = 2;

  private ConfiguredRules() {}

  /**
   * @param folders a site's own rules
   * @throws IOException with a message for the user
   */
  static void check(LintConfig config, List<Path> folders) throws IOException {
    Map<String, String> named = config.named();
    if (named.isEmpty()) {
      return;
    }
    List<RuleInfo> rules = new ArrayList<>(RuleBase.shipped());
    rules.addAll(RuleBase.of("lint", Pipeline.sites(folders)));
    TreeSet<String> known = new TreeSet<>();
    for (RuleInfo rule : rules) {
      known.addAll(List.of(rule.code(), rule.check(), rule.slug()));
    }
    for (Map.Entry<String, String> each : named.entrySet()) {
      if (!known.contains(each.getKey())) {
        String near = known.stream().filter(k -> Texts.distance(k, each.getKey(), NEAR) <= Math.min(NEAR, each.getKey().length() / 4)).findFirst().orElse("");
        throw new IOException(each.getValue() + " names " + each.getKey() + ", and no rule, check or slug is called so" + (near.isEmpty() ? "" : " (" + near + "?)") + "; gdrproof rules list tells all");
      }
    }
  }
}
