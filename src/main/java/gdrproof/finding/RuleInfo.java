package gdrproof.finding;

import java.util.List;

/**
 * What a rule says of itself, read from its annotations.
 *
 * @param code stable code, as in `RDMA010`
 * @param slug readable name, as in `port-down`
 * @param topic folder below rules/
 * @param stages commands it serves: lint, diagnose, review, accept
 * @param fault name of the vocabulary, or "" for rules that conclude none
 * @param check code of the reference that a lint rule implements (J01, NP03), or ""
 * @param message template; `{name}` is a variable of the rule, `{name.part}` a component of it
 * @param help the page beside the rule, in Markdown, or ""
 * @param file path of the DRL below rules/, or of the site's own file
 * @param line line of the rule in it
 */
public record RuleInfo(String code, String slug, String topic, Severity severity, String layer, List<String> stages, String fault, String check,
    String message, String summary, String remedy, String source, String file, int line) {
  /** The name in the DRL. */
  public String name() {
    return code + " " + slug;
  }
}
