package gdrproof.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import gdrproof.facts.Evidence;
import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.finding.RuleInfo;
import gdrproof.finding.Severity;
import gdrproof.finding.Silenced;
import gdrproof.finding.Verdict;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FindingWritersTest {
  private static final RuleInfo RULE = new RuleInfo("JOB001", "no-rdma", "jobs", Severity.ERROR, "container", List.of("lint"), "pod-missing-rdma-resource", "J01", "m", "A pod asks for no RDMA device",
      "Ask for it; <b>then</b> | submit.", "docs", "jobs/JOB001.drl", 1);
  private static final List<Finding> SOME = List.of(finding(Verdict.VIOLATED, Severity.ERROR, "50% of it, \"quoted\" <x>:\nsecond line | pipe \u0001"), finding(Verdict.INCONCLUSIVE, Severity.ERROR, "template"),
      finding(Verdict.SUPPRESSED, Severity.WARNING, "known"), finding(Verdict.VIOLATED, Severity.INFO, "note"));

  private static final SarifReport SARIF = new SarifReport("1.0", code -> "# JOB001 no-rdma\n\n**Why.** Without a device\nnothing is registered.\n\n**Fix.** Ask.\n");

  private static Finding finding(Verdict verdict, Severity severity, String message) {
    return new Finding(RULE, severity, verdict, new Evidence("jobs/a b,c.yaml", 3, 3, 7, "spec.containers[0]", "image: x", "unknown", "unknown", "unknown"), message);
  }

  private static final FindingReport NOTHING = new FindingReport(List.of(), List.of(new Unread("unknown", "jobs/a b.yaml", 7, "not a text file")), List.of(new Unread("unknown", "none.yaml", 0, "empty")), 0,
      Optional.of(Severity.WARNING), Map.of());

  private static String written(FindingWriter writer, List<Finding> findings) {
    return written(writer, FindingReport.of(findings));
  }

  private static String written(FindingWriter writer, FindingReport findings) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    writer.write(findings, out);
    out.flush();
    return text.toString();
  }

  @Test
  void sarifIsValidWithAndWithoutFindings() throws Exception {
    Schema schema;
    try (InputStream stream = FindingWritersTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
      schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(new String(stream.readAllBytes(), StandardCharsets.UTF_8), InputFormat.JSON);
    }
    FindingReport silenced = new FindingReport(SOME, List.of(), List.of(), 1, Optional.empty(), Map.of(SOME.get(2), new Silenced(true, "the image mounts it")));
    for (FindingReport findings : List.of(FindingReport.of(SOME), FindingReport.of(List.of()), NOTHING, silenced)) {
      String sarif = written(SARIF, findings);
      List<Error> errors = schema.validate(sarif, InputFormat.JSON);
      assertEquals(List.of(), errors, sarif);
    }
    assertTrue(written(SARIF, SOME).contains("jobs/a%20b,c.yaml"));
  }

  @Test
  void sarifTellsWhySomethingIsSuppressedAndWhatARuleIs() {
    FindingReport report = new FindingReport(SOME, List.of(), List.of(), 1, Optional.empty(), Map.of(SOME.get(2), new Silenced(true, "the image mounts it")));
    JsonNode run = JsonMapper.builder().build().readTree(written(SARIF, report)).get("runs").get(0);
    assertEquals("{\"kind\":\"inSource\",\"justification\":\"the image mounts it\"}", sorted(run.get("results").get(2).get("suppressions").get(0)));
    assertTrue(run.get("invocations").get(0).get("executionSuccessful").asBoolean());
    JsonNode rule = run.get("tool").get("driver").get("rules").get(0);
    assertEquals("A pod asks for no RDMA device. Without a device nothing is registered.", rule.get("fullDescription").get("text").asString());
    assertTrue(rule.get("help").get("markdown").asString().startsWith("# JOB001"));
  }

  private static String sorted(JsonNode node) {
    return "{\"kind\":" + node.get("kind") + ",\"justification\":" + node.get("justification") + "}";
  }

  /** A server that sees only the report must not take a call that judged nothing, or could not read a file, for a clean one. */
  @Test
  void nothingJudgedIsNotGreen() {
    String junit = written(new JunitReport("lint"), NOTHING);
    assertTrue(junit.contains("tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"2\"") && junit.contains("name=\"jobs/a b.yaml:7\"><error message=\"not read: not a text file\"/>"), junit);
    assertTrue(junit.contains("nothing was judged") && !junit.contains("no findings"), junit);
    String markdown = written(new MarkdownReport("lint"), NOTHING);
    assertTrue(markdown.contains("Nothing was judged.") && markdown.contains("- not read: `jobs/a b.yaml:7`: not a text file") && !markdown.contains("No findings"), markdown);
    String json = written(new FindingJson("lint", "1.0"), NOTHING);
    assertTrue(json.contains("\"outcome\" : \"nothing-judged\"") && json.contains("\"judged\" : 0") && json.contains("jobs/a b.yaml"), json);
    JsonNode invocation = JsonMapper.builder().build().readTree(written(SARIF, NOTHING)).get("runs").get(0).get("invocations").get(0);
    assertFalse(invocation.get("executionSuccessful").asBoolean());
    assertEquals(3, invocation.get("toolExecutionNotifications").size());
    assertTrue(written(new GithubReport(), NOTHING).contains("::warning file=jobs/a b.yaml,line=7,title=not read::not read: not a text file\n"));
    assertEquals("jobs/a b.yaml:7: not read: not a text file\nnone.yaml: not judged: empty\nnothing was judged\n", written(new FindingText(), NOTHING));
  }

  /** JUnit fails what the call fails. */
  @Test
  void junitFollowsTheLimit() {
    for (Map.Entry<Optional<Severity>, Integer> each : Map.of(Optional.<Severity>empty(), 0, Optional.of(Severity.ERROR), 1, Optional.of(Severity.INFO), 2).entrySet()) {
      String junit = written(new JunitReport("lint"), new FindingReport(SOME, List.of(), List.of(), 1, each.getKey(), Map.of()));
      assertTrue(junit.contains("failures=\"" + each.getValue() + "\""), junit);
      assertEquals(2 - each.getValue(), junit.split("<system-out>", -1).length - 1, junit);
    }
  }

  /** `@microsoft/sarif-multitool validate` warns of a relative reference that begins with a slash. */
  @Test
  void sarifNamesFilesAsConsumersJoinThem() {
    assertEquals("jobs/a%20b.yaml", SarifReport.uri(Path.of("jobs/a b.yaml").toAbsolutePath().toString()));
    assertEquals("file:///elsewhere/a%20b.yaml", SarifReport.uri("/elsewhere/a b.yaml"));
    assertEquals("stdin", SarifReport.uri("stdin"));
  }

  @Test
  void junitIsXmlThatCountsRight() throws Exception {
    Element suite = (Element) DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(written(new JunitReport("lint"), SOME).getBytes(StandardCharsets.UTF_8))).getElementsByTagName("testsuite").item(0);
    assertEquals("4", suite.getAttribute("tests"));
    assertEquals("1", suite.getAttribute("failures"));
    assertEquals("2", suite.getAttribute("skipped"));
    assertEquals(4, suite.getElementsByTagName("testcase").getLength());
    assertTrue(written(new JunitReport("lint"), List.of()).contains("tests=\"1\""));
  }

  @Test
  void githubCommandsAreEscaped() {
    assertEquals("::error file=jobs/a b%2Cc.yaml,line=3,col=7,title=JOB001 no-rdma::50%25 of it, \"quoted\" <x>:%0Asecond line | pipe \\u0001", written(new GithubReport(), SOME).lines().findFirst().orElseThrow());
    assertEquals(3, written(new GithubReport(), SOME).lines().count());
  }

  @Test
  void markdownKeepsItsTable() {
    String text = written(new MarkdownReport("lint"), SOME);
    assertTrue(text.contains("| error | JOB001 no-rdma | `jobs/a b,c.yaml:3` | 50% of it, \"quoted\" &lt;x>: second line \\| pipe"), text);
    assertTrue(written(new MarkdownReport("lint"), List.of()).contains("No findings."));
  }
}
