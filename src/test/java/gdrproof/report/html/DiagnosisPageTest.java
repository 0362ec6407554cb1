package gdrproof.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.Main;
import gdrproof.cli.Pipeline;
import gdrproof.facts.Ledger;
import gdrproof.finding.view.View;
import gdrproof.finding.view.View.Device;
import gdrproof.finding.view.View.Group;
import gdrproof.finding.view.View.NodeView;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class DiagnosisPageTest {
  /** One GPU whose HCA hangs on the other socket, measured slow; the second GPU has its own. */
  private static final String TOPOLOGY = """
      $ nvidia-smi topo -m
      \tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID
      GPU0\t X \tSYS\tSYS\tPIX\t0-31\t0\t\tN/A
      GPU1\tSYS\t X \tPIX\tSYS\t32-63\t1\t\tN/A
      NIC0\tSYS\tPIX\t X \tSYS\t\t\t\t
      NIC1\tPIX\tSYS\tSYS\t X \t\t\t\t

      NIC Legend:

        NIC0: mlx5_0
        NIC1: mlx5_1
      """;
  private static final String HOSTILE = "host7:101:201 [0] misc/socket.cc:50 NCCL WARN socketStartConnect: <script>alert(1)</script>\"'><img src=x onerror=alert(2)> \u001b[31m\u202e ]]>&amp; failed";

  @TempDir
  private Path folder;

  private static String page(Path bundle) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Main.run(new PrintWriter(out), new PrintWriter(err), "diagnose", bundle.toString(), "-o", "html");
    return out.toString();
  }

  private static void sound(String page) throws Exception {
    assertEquals(List.of(), HtmlChecks.complaints(page));
    assertEquals(List.of(), HtmlChecks.requests(page));
    Document document = HtmlChecks.xml(page);
    Set<String> ids = new HashSet<>();
    NodeList all = document.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      if (element.hasAttribute("id")) {
        assertTrue(ids.add(element.getAttribute("id")), "twice: " + element.getAttribute("id"));
      }
    }
    NodeList links = document.getElementsByTagName("a");
    for (int i = 0; i < links.getLength(); i++) {
      assertTrue(ids.contains(((Element) links.item(i)).getAttribute("href").substring(1)), ((Element) links.item(i)).getAttribute("href"));
    }
    NodeList pictures = document.getElementsByTagName("svg");
    for (int i = 0; i < pictures.getLength(); i++) {
      Element picture = (Element) pictures.item(i);
      boolean told = picture.getAttribute("role").equals("img") && picture.getElementsByTagName("title").getLength() == 1 && picture.getElementsByTagName("desc").getLength() == 1;
      assertTrue(told || picture.getAttribute("aria-hidden").equals("true"), "a picture without words");
    }
  }

  @Test
  void everySharedBundleGivesASoundPage() throws Exception {
    List<Path> bundles;
    try (var all = Files.list(Path.of("fixtures/corpus"))) {
      bundles = all.filter(Files::isDirectory).sorted().limit(4).toList();
    }
    assertFalse(bundles.isEmpty());
    for (Path bundle : bundles) {
      sound(page(bundle));
    }
  }

  @Test
  void hostileEvidenceStaysText() throws Exception {
    Files.writeString(folder.resolve("nccl.log"), HOSTILE + "\nhost7:101:201 [0] NCCL INFO NCCL version 2.20.5+cuda12.4\n");
    String topology = TOPOLOGY.replace("mlx5_1", "mlx5_1<script>");
    Files.writeString(folder.resolve("topo.txt"), topology);
    String page = page(folder);
    sound(page);
    assertFalse(page.contains("<script"), page);
    assertFalse(page.contains("<img"), page);
  }

  @Test
  void devicesStandBelowTheirSwitches() throws IOException {
    Files.writeString(folder.resolve("topo.txt"), TOPOLOGY);
    NodeView node = view().nodes().get(0);
    assertEquals(List.of("NUMA 0", "NUMA 1"), node.sockets().stream().map(s -> s.name()).toList());
    Group first = node.sockets().get(0).groups().get(0);
    assertEquals("PCIe switch", first.label());
    assertEquals(List.of("GPU0", "mlx5_1"), first.devices().stream().map(Device::name).toList());
    assertEquals("no NVLink between the GPUs", node.nvlink());
  }

  @Test
  void nodesThatAreAlikeAreOnePicture() throws IOException {
    for (String node : List.of("n1", "n2", "n10")) {
      Files.createDirectories(folder.resolve(node));
      Files.writeString(folder.resolve(node + "/topo.txt"), "===== host: " + node + " =====\n[root@" + node + " ~]# hostname\n" + node + "\n" + TOPOLOGY.replace("$ ", "[root@" + node + " ~]# "));
    }
    View view = view();
    assertEquals(List.of(List.of("n1", "n2", "n10")), view.nodes().stream().map(NodeView::names).toList());
  }

  @Test
  void theSameInputGivesTheSameBytes() throws IOException {
    Files.writeString(folder.resolve("topo.txt"), TOPOLOGY);
    assertEquals(page(folder), page(folder));
  }

  @Test
  void htmlIsNoFormatOfLint() {
    StringWriter err = new StringWriter();
    assertEquals(2, Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), "lint", "x.yaml", "-o", "html"));
    assertTrue(err.toString().startsWith("gdrproof: no output format html"), err.toString());
  }

  private View view() throws IOException {
    Ledger ledger = Pipeline.facts(folder);
    return View.of(ledger, Pipeline.diagnose(ledger, List.of()).causes());
  }
}
