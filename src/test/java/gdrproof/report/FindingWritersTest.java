package gdrproof.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import gdrproof.facts.Evidence;
import gdrproof.finding.Finding;
import gdrproof.finding.RuleInfo;
import gdrproof.finding.Severity;
import gdrproof.finding.Verdict;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class FindingWritersTest {
  private static final RuleInfo RULE = new RuleInfo("JOB001", "no-rdma", "jobs", Severity.ERROR, "container", List.of("lint"), "pod-missing-rdma-resource", "J01", "m", "A pod asks for no RDMA device",
      "Ask for it; <b>then</b> | submit.", "docs", "jobs/JOB001.drl", 1);
  private static final List<Finding> SOME = List.of(finding(Verdict.VIOLATED, Severity.ERROR, "50% of it, \"quoted\" <x>:\nsecond line | pipe \u0001"), finding(Verdict.INCONCLUSIVE, Severity.ERROR, "template"),
      finding(Verdict.SUPPRESSED, Severity.WARNING, "known"), finding(Verdict.VIOLATED, Severity.INFO, "note"));

  private static Finding finding(Verdict verdict, Severity severity, String message) {
    return new Finding(RULE, severity, verdict, new Evidence("jobs/a b,c.yaml", 3, 3, 7, "spec.containers[0]", "image: x", "unknown", "unknown", "unknown"), message);
  }

  private static String written(FindingWriter writer, List<Finding> findings) {
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
    for (List<Finding> findings : List.of(SOME, List.<Finding>of())) {
      String sarif = written(new SarifReport("1.0"), findings);
      List<Error> errors = schema.validate(sarif, InputFormat.JSON);
      assertEquals(List.of(), errors, sarif);
    }
    assertTrue(written(new SarifReport("1.0"), SOME).contains("jobs/a%20b,c.yaml"));
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
