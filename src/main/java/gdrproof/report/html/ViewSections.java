package gdrproof.report.html;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.finding.view.View;
import gdrproof.finding.view.View.Chart;
import gdrproof.finding.view.View.Counter;
import gdrproof.finding.view.View.Group;
import gdrproof.finding.view.View.NodeView;
import gdrproof.finding.view.View.Rail;
import gdrproof.finding.view.View.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The drawn part of a report: topology, curves, rails, counters. Each picture has its words or its table beside it. */
final class ViewSections {
  private static final int BAR = 120;

  private final Page page;
  private final View view;

  ViewSections(Page page, View view) {
    this.page = page;
    this.view = view;
  }

  /** Titles of the sections that there is something for. */
  static void titles(View view, Map<String, String> titles) {
    if (!view.nodes().isEmpty()) {
      titles.put("topology", "Topology");
    }
    if (!view.charts().isEmpty()) {
      titles.put("bandwidth", "Bandwidth");
    }
    if (!view.rails().isEmpty()) {
      titles.put("rails", "Rails");
    }
    if (!view.counters().isEmpty()) {
      titles.put("counters", "Counters");
    }
  }

  void write() {
    if (!view.nodes().isEmpty()) {
      page.section("topology", "Topology", this::topology);
    }
    if (!view.charts().isEmpty()) {
      page.section("bandwidth", "Bandwidth", this::charts);
    }
    if (!view.rails().isEmpty()) {
      page.section("rails", "Rails", this::rails);
    }
    if (!view.counters().isEmpty()) {
      page.section("counters", "Counters", this::counters);
    }
  }

  private void topology() {
    if (view.nodes().stream().anyMatch(NodeView::marked)) {
      page.paragraph("A thick dashed line with ✗ and a number marks what the cause of that number is about.");
    }
    page.html.open("div", "class", "pictures");
    int number = 0;
    for (NodeView node : view.nodes()) {
      page.html.open("figure").open("figcaption").text(name(node)).text(" ").element("small", "from " + node.source()).close("figcaption");
      if (!node.marks().isEmpty()) {
        page.html.open("p", "class", "bad").text("✗ " + node.marks().stream().map(m -> "cause " + m.cause() + ": " + m.fault()).collect(Collectors.joining("; ")) + " (the node as a whole)").close("p");
      }
      TopologySvg.write(page.html, node, "node" + ++number);
      devices(node);
      page.html.close("figure");
    }
    page.html.close("div");
    if (!view.left().isEmpty()) {
      page.paragraph(view.left());
    }
  }

  private static String name(NodeView node) {
    List<String> names = node.names().stream().map(n -> n.equals(Fact.UNKNOWN) ? "node not told" : n).toList();
    return names.size() < 4 ? String.join(", ", names) + (names.size() > 1 ? " (alike)" : "") : names.get(0) + ", " + names.get(1) + " and " + (names.size() - 2) + " more (alike)";
  }

  private void devices(NodeView node) {
    List<List<String>> rows = new ArrayList<>();
    for (Socket socket : node.sockets()) {
      int number = 0;
      for (Group group : socket.groups()) {
        String below = group.label().isEmpty() ? "" : group.label() + " " + ++number;
        group.devices().forEach(d -> rows.add(List.of(d.name(), socket.name(), below, d.note(), d.link(), d.marks().isEmpty() ? "" : "✗ cause " + TopologySvg.numbers(d.marks()))));
      }
    }
    page.html.open("details").element("summary", "The same as a table");
    page.table("Devices of " + name(node), List.of("device", "memory", "below", "what is known", "PCIe", "fault"), rows);
    page.html.close("details");
  }

  private void charts() {
    page.paragraph("Bus bandwidth of each benchmark run, mean of in-place and out-of-place. Judge the plateau of large messages, not the average of the sweep.");
    page.html.open("div", "class", "pictures charts");
    int number = 0;
    for (Chart chart : view.charts()) {
      page.html.open("figure").element("figcaption", chart.title());
      ChartSvg.write(page.html, chart, "chart" + ++number);
      page.html.close("figure");
    }
    page.html.close("div");
  }

  private void rails() {
    page.paragraph("The bar is the share of the port's rate, or of the best result of that test where no rate is known.");
    String caption = "RDMA bandwidth of each rail";
    page.html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption).open("table").element("caption", caption);
    page.html.open("thead").open("tr");
    List.of("rail", "Gb/s", "share", "bar", "memory", "test", "port Gb/s").forEach(h -> page.html.element("th", h, "scope", "col"));
    page.html.close("tr").close("thead").open("tbody");
    for (Rail rail : view.rails()) {
      page.html.open("tr").element("th", (rail.node().equals(Fact.UNKNOWN) ? "" : rail.node() + " ") + rail.hca(), "scope", "row");
      page.html.element("td", rail.gbps().toString(), "class", "number").element("td", percent(rail.share()), "class", "number").open("td");
      if (rail.share().known()) {
        bar(rail.share());
      }
      page.html.close("td").element("td", rail.memory()).element("td", rail.test()).element("td", rail.rateGbps().known() ? rail.rateGbps().toString() : "not told", "class", "number").close("tr");
    }
    page.html.close("tbody").close("table").close("div");
  }

  private void bar(Num share) {
    long width = Math.round(BAR * Math.max(0, Math.min(1, share.value())));
    page.html.open("svg", "xmlns", "http://www.w3.org/2000/svg", "class", "bar", "viewBox", "0 0 " + BAR + " 14", "width", String.valueOf(BAR), "height", "14", "aria-hidden", "true", "focusable", "false");
    page.html.empty("rect", "x", "0", "y", "1", "width", String.valueOf(width), "height", "12");
    page.html.empty("rect", "class", "frame", "x", "0.5", "y", "1.5", "width", String.valueOf(BAR - 1), "height", "11");
    page.html.close("svg");
  }

  private void counters() {
    long grown = view.counters().stream().filter(c -> c.error() && !c.grown().is(0)).count();
    page.paragraph(grown == 0 ? "No counter of errors grew between the readings." : grown + " counters that should stand still grew; they come first.");
    List<Counter> moved = view.counters().stream().filter(c -> !c.grown().is(0)).toList();
    List<Counter> still = view.counters().stream().filter(c -> c.grown().is(0)).toList();
    if (!moved.isEmpty()) {
      readings("Counters that moved", moved);
    }
    if (!still.isEmpty()) {
      page.html.open("details").element("summary", still.size() + " counters stood still");
      readings("Counters that stood still", still);
      page.html.close("details");
    }
  }

  private void readings(String caption, List<Counter> counters) {
    page.table(caption, List.of("device", "counter", "meaning", "before", "after", "growth", "in"), counters.stream()
        .map(c -> List.of((c.node().equals(Fact.UNKNOWN) ? "" : c.node() + " ") + c.device(), c.name(), c.meaning(), c.before().toString(), c.after().toString(),
            (c.error() && !c.grown().is(0) ? "✗ " : "") + (c.grown().known() ? "+" + c.grown() : "was reset"), c.seconds().known() ? c.seconds() + " s" : ""))
        .toList());
  }

  private static String percent(Num share) {
    return share.known() ? Math.round(share.value() * 100) + " %" : "";
  }
}
