package gdrproof.report;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.finding.RuleInfo;
import gdrproof.finding.Severity;
import gdrproof.finding.Silenced;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SARIF 2.1.0, as code hosts and editors read it. A clean run is a run with no results, not an empty file. */
public final class SarifReport implements FindingWriter {
  /** The paragraph of a rule's page that tells the mechanism. */
  private static final Pattern WHY = Pattern.compile("(?:^## Why\\n+|^\\*\\*Why\\.\\*\\*)(.+?)(?:\\n\\n|\\z)", Pattern.MULTILINE | Pattern.DOTALL);
  private static final String SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  private final String version;
  private final UnaryOperator<String> pages;

  /**
   * @param pages the Markdown page of a rule, by code; "" where there is none
   */
  public SarifReport(String version, UnaryOperator<String> pages) {
    this.version = version;
    this.pages = pages;
  }

  @Override
  public void write(FindingReport report, PrintWriter out) {
    List<Finding> findings = report.findings();
    Map<String, RuleInfo> rules = new TreeMap<>();
    findings.forEach(f -> rules.put(f.rule().code(), f.rule()));
    List<String> codes = List.copyOf(rules.keySet());
    Map<String, Object> driver = new LinkedHashMap<>();
    driver.put("name", "gdrproof");
    driver.put("version", version);
    driver.put("rules", rules.values().stream().map(this::rule).toList());
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("tool", Map.of("driver", driver));
    run.put("invocations", List.of(invocation(report)));
    run.put("columnKind", "utf16CodeUnits");
    run.put("results", findings.stream().map(f -> result(f, codes.indexOf(f.rule().code()), report.silenced().get(f))).toList());
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("$schema", SCHEMA);
    root.put("version", "2.1.0");
    root.put("runs", List.of(run));
    JsonReport.print(root, out);
  }

  /** A run that judged nothing has done nothing, and a file that could not be read is no clean one. */
  private static Map<String, Object> invocation(FindingReport report) {
    List<Object> notes = new ArrayList<>();
    report.unread().forEach(u -> notes.add(note("warning", "not read: " + u.reason(), u)));
    report.idle().forEach(u -> notes.add(note("note", "not judged: " + u.reason(), u)));
    if (report.nothing()) {
      notes.add(Map.of("level", "error", "message", Map.of("text", "Nothing was judged.")));
    }
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("executionSuccessful", !report.nothing());
    m.put("toolExecutionNotifications", notes);
    return m;
  }

  private static Map<String, Object> note(String level, String text, Unread unread) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("level", level);
    m.put("message", Map.of("text", text));
    Map<String, Object> place = new LinkedHashMap<>();
    place.put("artifactLocation", Map.of("uri", uri(unread.file())));
    if (unread.line() > 0) {
      place.put("region", Map.of("startLine", unread.line()));
    }
    m.put("locations", List.of(Map.of("physicalLocation", place)));
    return m;
  }

  private Map<String, Object> rule(RuleInfo rule) {
    String page = pages.apply(rule.code());
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("id", rule.code());
    m.put("name", rule.slug());
    m.put("shortDescription", Map.of("text", filled(rule.summary(), rule.slug())));
    Matcher why = WHY.matcher(page);
    if (why.find()) {
      m.put("fullDescription", Map.of("text", (rule.summary().isBlank() ? "" : rule.summary() + ". ") + why.group(1).strip().replaceAll("\\s+", " ")));
    }
    Map<String, Object> help = new LinkedHashMap<>();
    help.put("text", filled(rule.remedy(), "See gdrproof rules explain " + rule.code()));
    if (!page.isBlank()) {
      help.put("markdown", page.strip());
    }
    m.put("help", help);
    m.put("defaultConfiguration", Map.of("level", level(rule.severity())));
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("tags", tags(rule));
    m.put("properties", properties);
    return m;
  }

  private static List<String> tags(RuleInfo rule) {
    List<String> tags = new ArrayList<>();
    for (String tag : List.of(rule.topic(), rule.layer(), rule.fault(), rule.check())) {
      if (!tag.isEmpty() && !tags.contains(tag)) {
        tags.add(tag);
      }
    }
    return tags;
  }

  private static Map<String, Object> result(Finding finding, int index, Silenced silenced) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("ruleId", finding.rule().code());
    m.put("ruleIndex", index);
    // A kind other than "fail" has no level.
    boolean fails = finding.verdict() == Verdict.VIOLATED || finding.verdict() == Verdict.SUPPRESSED;
    m.put("kind", fails ? "fail" : "open");
    m.put("level", fails ? level(finding.severity()) : "none");
    m.put("message", Map.of("text", finding.message()));
    Map<String, Object> place = new LinkedHashMap<>();
    place.put("artifactLocation", Map.of("uri", uri(finding.at().file())));
    if (finding.at().line() > 0) {
      Map<String, Object> region = new LinkedHashMap<>();
      region.put("startLine", finding.at().line());
      if (finding.at().column() > 0) {
        region.put("startColumn", finding.at().column());
      }
      if (finding.at().endLine() > finding.at().line()) {
        region.put("endLine", finding.at().endLine());
      }
      place.put("region", region);
    }
    m.put("locations", List.of(Map.of("physicalLocation", place)));
    if (!finding.at().path().isEmpty()) {
      m.put("properties", Map.of("path", finding.at().path()));
    }
    if (finding.verdict() == Verdict.SUPPRESSED) {
      m.put("suppressions", List.of(silenced == null ? Map.of("kind", "external")
          : Map.of("kind", silenced.inSource() ? "inSource" : "external", "justification", silenced.reason())));
    }
    return m;
  }

  /** Relative to the working folder where it can be, since code hosts join it with the repository; else a whole file URI. */
  static String uri(String file) {
    Path path = Path.of(file.isEmpty() ? "." : file);
    if (path.isAbsolute()) {
      Path here = Path.of("").toAbsolutePath();
      return path.startsWith(here) ? uri(here.relativize(path).toString()) : path.toUri().toASCIIString();
    }
    try {
      return new URI(null, null, file.isEmpty() ? "." : file, null).toASCIIString();
    } catch (URISyntaxException e) {
      return "unknown";
    }
  }

  private static String level(Severity severity) {
    return switch (severity) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case INFO -> "note";
    };
  }

  private static String filled(String text, String otherwise) {
    return text.isBlank() ? otherwise : text;
  }
}
