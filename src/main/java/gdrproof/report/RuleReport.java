package gdrproof.report;

import gdrproof.finding.RuleInfo;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rules and what they say of themselves. */
public final class RuleReport {
  private RuleReport() {}

  public static void list(List<RuleInfo> rules, PrintWriter out) {
    int width = rules.stream().mapToInt(r -> r.slug().length()).max().orElse(0);
    for (RuleInfo rule : rules) {
      out.println(String.format("%-8s %-" + Math.max(1, width) + "s %-7s %s", rule.code(), rule.slug(), rule.severity(), rule.summary()).stripTrailing());
    }
  }

  /** Every rule by topic, as a page: what `docs/rules.md` holds. */
  public static void markdown(List<RuleInfo> rules, PrintWriter out) {
    out.println("# Rules");
    out.println();
    out.println("Made by `gdrproof rules list -o markdown`; a test fails when it is out of date. Each code leads to the rule's page.");
    Map<String, List<RuleInfo>> topics = new TreeMap<>();
    rules.forEach(rule -> topics.computeIfAbsent(rule.topic(), t -> new ArrayList<>()).add(rule));
    topics.forEach((topic, each) -> {
      out.println();
      out.println("## " + topic);
      out.println();
      out.println("| code | rule | severity | fault or check | what it says |");
      out.println("| --- | --- | --- | --- | --- |");
      for (RuleInfo rule : each) {
        String page = rule.file().replaceFirst("\\.drl$", ".md");
        String link = rule.file().endsWith("/" + rule.code() + "-" + rule.slug() + ".drl") ? "[" + rule.code() + "](../rules/" + page + ")" : rule.code();
        String about = rule.fault().isEmpty() ? rule.check() : rule.fault();
        out.println("| " + link + " | " + rule.slug() + " | " + rule.severity() + " | " + about + " | " + rule.summary().replace("|", "\\|") + " |");
      }
    });
    checks(rules, out);
  }

  /** Which rules speak for each check of the lists that lint works through. */
  private static void checks(List<RuleInfo> rules, PrintWriter out) {
    Map<String, List<String>> byCheck = new TreeMap<>();
    rules.stream().filter(r -> r.check().matches("(J|NP)\\d\\d")).forEach(r -> byCheck.computeIfAbsent(r.check(), c -> new ArrayList<>()).add(r.code()));
    out.println();
    out.println("## Checks of lint and their rules");
    out.println();
    out.println("J: checks of jobs; NP: checks of the operator's objects and values. A finding names both codes in JSON (`rule`, `check`), and suppressions take either.");
    out.println();
    out.println("| check | rules |");
    out.println("| --- | --- |");
    byCheck.forEach((check, codes) -> out.println("| " + check + " | " + String.join(", ", codes) + " |"));
  }

  public static void explain(RuleInfo rule, String page, PrintWriter out) {
    out.println(rule.code() + " " + rule.slug());
    if (!rule.summary().isEmpty()) {
      out.println(rule.summary());
    }
    out.println();
    field("severity", rule.severity().toString(), out);
    field("layer", rule.layer(), out);
    field("stages", String.join(", ", rule.stages()), out);
    field("fault", rule.fault(), out);
    field("check", rule.check(), out);
    field("remedy", rule.remedy(), out);
    field("source", rule.source(), out);
    field("file", "rules/" + rule.file() + ":" + rule.line(), out);
    if (!page.isEmpty()) {
      out.println();
      page.strip().lines().forEach(out::println);
    }
  }

  public static void json(List<RuleInfo> rules, PrintWriter out) {
    JsonReport.print(rules.stream().map(RuleReport::map).toList(), out);
  }

  public static void json(RuleInfo rule, String page, PrintWriter out) {
    Map<String, Object> m = map(rule);
    m.put("page", page);
    JsonReport.print(m, out);
  }

  private static void field(String name, String value, PrintWriter out) {
    if (!value.isEmpty()) {
      out.println(String.format("%-9s %s", name, value));
    }
  }

  private static Map<String, Object> map(RuleInfo rule) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("code", rule.code());
    m.put("slug", rule.slug());
    m.put("topic", rule.topic());
    m.put("severity", rule.severity().toString());
    m.put("layer", rule.layer());
    m.put("stages", rule.stages());
    m.put("fault", rule.fault());
    m.put("check", rule.check());
    m.put("summary", rule.summary());
    m.put("message", rule.message());
    m.put("remedy", rule.remedy());
    m.put("source", rule.source());
    m.put("file", "rules/" + rule.file());
    m.put("line", rule.line());
    return m;
  }
}
