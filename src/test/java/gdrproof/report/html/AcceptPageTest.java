package gdrproof.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.accept.BaselineFile;
import gdrproof.cli.AcceptRun;
import gdrproof.cli.Pipeline;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.finding.view.View;
import gdrproof.finding.view.View.Chart;
import gdrproof.policy.Checklist;
import gdrproof.rules.Overlay;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.yaml.snakeyaml.Yaml;

/** The page of an acceptance with one bridge that redirects: what a reader sees first, what is drawn, and its structure. */
class AcceptPageTest {
  private static final Path HOME = Path.of("fixtures/_acceptance");
  private static Ledger facts;
  private static Acceptance acceptance;
  private static String page;

  @BeforeAll
  @SuppressWarnings("unchecked")
  static void judge() throws IOException {
    Map<String, Object> accepted = new Yaml().load(Files.readString(HOME.resolve("accepted.yaml")));
    Map<String, Object> items = new Yaml().load(Files.readString(HOME.resolve("items.yaml")));
    Object fails = ((Map<String, Object>) ((Map<String, Object>) items.get("acs-and-iommu")).get("fails")).get("edits");
    Path base = Path.of((String) accepted.get("base"));
    Map<String, String> texts = Overlay.apply(Overlay.apply(Overlay.texts(base), Overlay.edits(accepted.get("edits"))), Overlay.edits(fails));
    Ledger ledger = Pipeline.facts(Overlay.entries(texts, base));
    facts = AcceptRun.facts(ledger, Checklist.shipped(), Optional.of(BaselineFile.read(HOME.resolve("baseline.yaml"))));
    acceptance = AcceptRun.judge(facts, RuleBase.load("accept", List.of(), topic -> topic.equals("acceptance")), facts.facts(), Checklist.shipped(), LocalDate.of(2026, 11, 29));
    StringWriter out = new StringWriter();
    AcceptPage.write(acceptance, View.of(facts, acceptance), List.of(), "test", new PrintWriter(out));
    page = out.toString();
  }

  private static List<Element> all(String tag) throws Exception {
    Document document = HtmlChecks.xml(page);
    NodeList found = document.getElementsByTagName(tag);
    return java.util.stream.IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  @Test
  void thePageIsValidAndLoadsNothing() throws Exception {
    assertEquals(List.of(), HtmlChecks.complaints(page));
    assertEquals(List.of(), HtmlChecks.requests(page));
  }

  @Test
  void whatStandsInTheWayComesFirst() throws Exception {
    assertEquals("What stands in the way", all("h2").get(0).getTextContent());
    assertTrue(page.indexOf("href=\"#item-acs-and-iommu\"") < page.indexOf("id=\"item-acs-and-iommu\""));
    assertTrue(all("article").stream().anyMatch(a -> a.getAttribute("id").equals("item-acs-and-iommu")));
  }

  @Test
  void headingsSkipNoLevelAndTablesNameTheirRowsAndColumns() throws Exception {
    int before = 0;
    for (Element element : all("*")) {
      if (element.getTagName().matches("h[1-6]")) {
        int level = element.getTagName().charAt(1) - '0';
        assertTrue(level <= before + 1, element.getTextContent());
        before = level;
      }
      if (element.getTagName().equals("table")) {
        assertEquals(1, element.getElementsByTagName("caption").getLength());
      }
      if (element.getTagName().equals("th")) {
        assertTrue(List.of("col", "row").contains(element.getAttribute("scope")), element.getTextContent());
      }
    }
  }

  @Test
  void theWayThatFailsIsMarkedBetweenItsGpuAndItsHca() {
    List<View.BadPath> bad = View.of(facts, acceptance).nodes().stream().flatMap(n -> n.bad().stream()).toList();
    assertEquals(List.of("GPU4 mlx5_4"), bad.stream().map(b -> b.from() + " " + b.to()).toList());
    assertEquals(List.of("item 1"), bad.get(0).marks().stream().map(Object::toString).toList());
    assertTrue(page.contains("The way from GPU4 to mlx5_4 (PIX) is marked by item 1."), "no words for the marked way");
  }

  @Test
  void curvesStandBesideTheBaseline() {
    Chart chart = View.of(facts, acceptance).charts().stream().filter(c -> c.title().equals("all_reduce, 2 nodes")).findFirst().orElseThrow();
    View.Series baseline = chart.series().stream().filter(s -> s.kind().equals("baseline")).findFirst().orElseThrow();
    View.Series limit = chart.series().stream().filter(s -> s.kind().equals("limit")).findFirst().orElseThrow();
    long sizes = facts.all(BaselineCheck.class).stream().filter(c -> c.metric().equals("busbw") && c.subject().equals("all_reduce full-node")).count();
    assertEquals(sizes, baseline.points().size());
    for (int i = 0; i < limit.points().size(); i++) {
      assertTrue(limit.points().get(i).gBps() < baseline.points().get(i).gBps());
    }
    assertTrue(page.contains("class=\"baseline\"") && page.contains("class=\"limit\""));
    assertTrue(View.of(facts, acceptance).charts().stream().filter(c -> c.title().endsWith("one GPU each")).allMatch(c -> c.series().stream().noneMatch(s -> s.kind().equals("baseline"))), "a baseline of full nodes beside one GPU each");
  }

  @Test
  void railsStandSideBySideInOneTablePerNodeAndPeer() throws Exception {
    Element rails = all("table").stream().filter(t -> t.getElementsByTagName("caption").item(0).getTextContent().startsWith("hgx-n03: RDMA_Write BW to hgx-n04")).findFirst().orElseThrow();
    assertEquals(9, rails.getElementsByTagName("tr").getLength());
    assertTrue(rails.getTextContent().contains("host memory") && rails.getTextContent().contains("slowest of 3"), rails.getTextContent());
  }
}
