package gdrproof.engine;

import gdrproof.finding.RuleInfo;

/** Finds out which rule an exception came from: the engine names it in the message of one of the causes. */
final class Failures {
  private Failures() {}

  static String ruleOf(Throwable failure, RuleBase rules) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String text = String.valueOf(t.getMessage());
      for (RuleInfo rule : rules.rules()) {
        if (text.contains(rule.name())) {
          return rule.name();
        }
      }
    }
    return "";
  }

  static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }
}
