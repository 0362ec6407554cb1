package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.engine.RuleBase;
import gdrproof.engine.Vocabulary;
import gdrproof.finding.Causality;
import gdrproof.finding.Layer;
import gdrproof.finding.RuleInfo;
import gdrproof.policy.Policies;
import gdrproof.review.ChangeMatrix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every rule is what CONTRIBUTING asks for: metadata, page, fixtures, and DRL that states a mechanism and nothing else. */
class CatalogueTest {
  private static final Path RULES = Path.of("rules");
  private static final Path FIXTURES = Path.of("fixtures");
  private static final List<String> HEADINGS = List.of("symptom", "why", "confirm", "fix", "false alarm", "source");
  private static final Pattern HEADING = Pattern.compile("(?m)^(?:#{1,4} |\\*\\*)(?<text>[^*\\n]+)");
  private static final Pattern FORBIDDEN = Pattern.compile("(?<![A-Za-z])insert\\(|\\bupdate\\(|\\bmodify\\b|\\bdelete\\(|\\bretract\\(|\\bsalience\\b|\\beval\\(|\\bglobal\\b|\\.equals\\(|\\bno-loop\\b|agenda-group|System\\.");
  private static final Pattern THRESHOLD = Pattern.compile("\\.(?:below|above|atLeast)\\(\\s*-?(?<a>\\d+(?:\\.\\d+)?)\\s*\\)|(?<![=\\-])[<>]=?\\s*(?<b>\\d+(?:\\.\\d+)?)\\b");
  private static final Pattern NOT = Pattern.compile("\\bnot\\s*\\(?\\s*(?<type>[A-Z]\\w+)\\(");
  private static final Pattern MEASUREMENTS = Pattern.compile("Hypothesis\\.of\\([^;]*?,\\s*\\d+\\s*,(?<list>[^;]*);");
  /** Comparisons with these say "any", "more than one", "both": no threshold. */
  private static final double LARGEST_COUNT = 2;

  /** A rule with its text. */
  private record Text(RuleInfo rule, String drl) {
    boolean finding() {
      return drl.contains("new Cause(") || drl.contains("Problem.") || drl.contains("new Symptom(") || drl.contains("Hypothesis.of(") || drl.contains("new Effect(");
    }

    boolean cause() {
      return drl.contains("new Cause(");
    }

    /** Whether all that it can say is that something stays open; then `open-` shows it at work and `fires-` cannot be. */
    boolean onlyOpen() {
      return drl.contains("Problem.open(") && !drl.contains("Problem.at(");
    }
  }

  private static List<Text> rules() throws IOException {
    List<Text> texts = new ArrayList<>();
    Map<String, String> files = new LinkedHashMap<>();
    for (RuleInfo rule : RuleBase.shipped()) {
      String file = files.computeIfAbsent(rule.file(), f -> {
        try {
          return Files.readString(RULES.resolve(f));
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      });
      int start = file.indexOf("rule \"" + rule.name() + "\"");
      int end = file.indexOf("\nend", start);
      texts.add(new Text(rule, file.substring(start, end < 0 ? file.length() : end)));
    }
    return texts;
  }

  private static void none(List<String> problems) {
    assertEquals("", problems.stream().sorted().distinct().collect(Collectors.joining("\n")), problems.size() + " problems");
  }

  @Test
  void everyRuleSaysWhatItIs() throws IOException {
    List<String> problems = new ArrayList<>();
    Set<String> faults = Causality.load().faults();
    for (Text text : rules()) {
      RuleInfo r = text.rule();
      check(r, r.code().matches("[A-Z]{2,6}\\d{3}"), "a code is capital letters and three digits", problems);
      check(r, r.slug().matches("[a-z0-9]+(?:-[a-z0-9]+)*"), "a slug is words in lower case, joined by -", problems);
      check(r, List.of("lint", "diagnose", "review", "accept", "drill", "verify").containsAll(r.stages()), "@Stages are of lint, diagnose, review, accept, drill, verify", problems);
      if (!text.finding()) {
        continue;
      }
      check(r, !r.summary().isBlank() && !r.summary().strip().endsWith("."), "@Summary is there and has no full stop", problems);
      check(r, !r.message().isBlank(), "@Message is there", problems);
      check(r, r.remedy().strip().matches("(?s).*[.?]"), "@Remedy is there and is a sentence", problems);
      check(r, !r.source().isBlank(), "@Source is there", problems);
      check(r, !r.stages().contains("diagnose") || !r.layer().isEmpty() && layer(r.layer()), "@Layer is a layer", problems);
      if (text.cause() || text.drl().contains("Hypothesis.of(")) {
        check(r, faults.contains(r.fault()), "@Fault is of policies/faults.yaml", problems);
      }
    }
    none(problems);
  }

  private static boolean layer(String name) {
    try {
      Layer.parse(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void check(RuleInfo rule, boolean right, String otherwise, List<String> problems) {
    if (!right) {
      problems.add(rule.file() + ":" + rule.line() + " " + rule.name() + ": " + otherwise);
    }
  }

  @Test
  void everyFindingRuleHasAPage() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Text text : rules()) {
      if (text.finding()) {
        String page = RuleBase.page(text.rule().code()).orElse("");
        String headings = HEADING.matcher(page).results().map(m -> m.group(1).toLowerCase(java.util.Locale.ROOT)).collect(Collectors.joining("\n"));
        for (String heading : HEADINGS) {
          check(text.rule(), headings.contains(heading) || heading.equals("symptom") && !text.rule().stages().contains("diagnose"), page.isEmpty() ? "no page" : "its page has no heading with \"" + heading + "\"", problems);
        }
      }
    }
    none(problems);
  }

  @Test
  void everyFindingRuleHasFixtures() throws IOException {
    List<String> problems = new ArrayList<>();
    Map<String, Set<String>> changes = ChangeMatrix.kinds();
    for (Text text : rules()) {
      if (text.finding()) {
        String code = text.rule().code();
        Set<String> kinds = text.rule().stages().contains("review") ? changes.getOrDefault(code, Set.of()) : kinds(code);
        String shows = text.onlyOpen() ? "open" : "fires";
        check(text.rule(), kinds.contains(shows), "no fixture " + shows + "-", problems);
        check(text.rule(), kinds.contains("silent"), "no fixture silent-", problems);
        check(text.rule(), !text.cause() || kinds.contains("open") || kinds.contains("certain"),
            "no fixture open- (or a file certain.txt that says why no lesser evidence exists)", problems);
      }
    }
    none(problems);
  }

  private static Set<String> kinds(String code) throws IOException {
    Path folder = FIXTURES.resolve(code);
    if (!Files.isDirectory(folder)) {
      return Set.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(p -> p.getFileName().toString().replaceFirst("[-.].*", "")).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void filesHoldOneFindingRule() throws IOException {
    Map<String, Long> counts = rules().stream().filter(Text::finding).collect(Collectors.groupingBy(t -> t.rule().file(), Collectors.counting()));
    none(counts.entrySet().stream().filter(e -> e.getValue() > 1 && !e.getKey().endsWith("derive.drl")).map(e -> e.getKey() + " holds " + e.getValue() + " finding rules").toList());
  }

  @Test
  void rulesStateMechanismsOnly() throws IOException {
    List<String> problems = new ArrayList<>();
    Set<String> factTypes = Vocabulary.factTypes().stream().map(Class::getSimpleName).collect(Collectors.toSet());
    Set<String> measurements = Policies.read("measurements.yaml").keySet();
    for (Text text : rules()) {
      String raw = text.drl().substring(Math.max(0, text.drl().indexOf("\nwhen")));
      String when = code(text.drl().substring(Math.max(0, text.drl().indexOf("\nwhen"))));
      Matcher forbidden = FORBIDDEN.matcher(when);
      check(text.rule(), !forbidden.find(), "uses " + (forbidden.reset().find() ? forbidden.group() : ""), problems);
      String left = when.contains("\nthen") ? when.substring(0, when.indexOf("\nthen")) : when;
      THRESHOLD.matcher(left).results().forEach(m -> {
        String number = m.group(1) == null ? m.group(2) : m.group(1);
        check(text.rule(), Double.parseDouble(number) <= LARGEST_COUNT, "holds the threshold " + number + ": take it from policies/thresholds.yaml by Setting", problems);
      });
      NOT.matcher(left).results().filter(m -> factTypes.contains(m.group(1)) && !m.group(1).equals("Looked"))
          .forEach(m -> check(text.rule(), !text.cause() || left.contains("Looked(") || text.drl().contains("// absence:"),
              "not " + m.group(1) + "(...) without Looked: absence of evidence is no evidence of absence (say `// absence: why` where the fact is its own proof)", problems));
      MEASUREMENTS.matcher(raw).results().forEach(m -> Pattern.compile("\"([a-z0-9-]+)\"").matcher(m.group(1)).results().map(q -> q.group(1))
          .forEach(name -> check(text.rule(), measurements.contains(name) || text.rule().fault().equals(name), "asks for " + name + ", which policies/measurements.yaml does not know", problems)));
    }
    none(problems);
  }

  private static String code(String drl) {
    return drl.lines().map(l -> l.replaceFirst("//.*", "").replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "\"\"")).collect(Collectors.joining("\n"));
  }
}
