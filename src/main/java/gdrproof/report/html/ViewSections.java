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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The drawn part of a report: topology, curves, rails, counters. Each picture has its words or its table beside it. */
final class ViewSections {
  private final Page page;
  private final View view;

  ViewSections(Page page, View view) {
    this.page = page;
    this.view = view;
  }

  /** Titles of the sections that there is something for. */
  static void titles(View view, Map<String, String> titles) {
    if (!view.nodes().isEmpty()) {
      titles.put("topology", "Picture of the topology");
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
      page.section("topology", "Picture of the topology", this::topology);
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
      page.paragraph("A thick dashed line with ✗ and a number marks what the cause, or the failed item, of that number is about.");
    }
    page.html.open("div", "class", "pictures");
    int number = 0;
    for (NodeView node : view.nodes()) {
      page.html.open("figure").open("figcaption").text(name(node)).text(" ").element("small", "from " + node.source()).close("figcaption");
      if (!node.marks().isEmpty()) {
        page.html.open("p", "class", "bad").text("✗ " + node.marks().stream().map(m -> m + ": " + m.name()).collect(Collectors.joining("; ")) + " (the node as a whole)").close("p");
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
        group.devices().forEach(d -> rows.add(List.of(d.name(), socket.name(), below, d.note(), d.link(), d.marks().isEmpty() ? "" : "✗ " + TopologySvg.words(d.marks()))));
      }
    }
    page.html.open("details").element("summary", "The same as a table");
    page.table("Devices of " + name(node), List.of("device", "memory", "below", "what is known", "PCIe", "fault"), rows);
    page.html.close("details");
  }

  private void charts() {
    page.paragraph("Bus bandwidth of each benchmark run, mean of in-place and out-of-place. Judge the plateau of large messages, not the average of the sweep." + (view.charts().stream().flatMap(c -> c.series().stream()).anyMatch(s -> s.kind().equals("baseline")) ? " The thick grey line is the median of the baseline, the thin one below it what a median must not fall under." : ""));
    page.html.open("div", "class", "pictures charts");
    int number = 0;
    for (Chart chart : view.charts()) {
      page.html.open("figure").element("figcaption", chart.title());
      ChartSvg.write(page.html, chart, "chart" + ++number);
      page.html.close("figure");
    }
    page.html.close("div");
  }

  /** One table for each node and peer, a row for each rail and a column for each kind of memory: what should be alike stands side by side. */
  private void rails() {
    page.paragraph("The median of each rail's tests, and the slowest where there were several. The bar is the share of the port's rate, or of the best result of that test where no rate is known.");
    Map<String, List<Rail>> tests = new LinkedHashMap<>();
    view.rails().forEach(r -> tests.computeIfAbsent((r.node().equals(Fact.UNKNOWN) ? "node not told" : r.node()) + ": " + r.test(), k -> new ArrayList<>()).add(r));
    tests.forEach(this::rails);
  }

  private void rails(String title, List<Rail> rails) {
    Set<String> kinds = new TreeSet<>();
    Map<String, Map<String, List<Rail>>> rows = new LinkedHashMap<>();
    rails.forEach(r -> {
      kinds.add(memory(r));
      rows.computeIfAbsent(r.hca(), h -> new TreeMap<>()).computeIfAbsent(memory(r), m -> new ArrayList<>()).add(r);
    });
    String caption = title + ", Gb/s";
    page.html.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", caption).open("table", "class", "wide").element("caption", caption);
    page.html.open("thead").open("tr").element("th", "rail", "scope", "col").element("th", "port", "scope", "col", "class", "number");
    kinds.forEach(kind -> page.html.element("th", kind, "scope", "col"));
    page.html.close("tr").close("thead").open("tbody");
    rows.forEach((hca, cells) -> {
      Num rate = cells.values().iterator().next().get(0).rateGbps();
      page.html.open("tr").element("th", hca, "scope", "row").element("td", rate.known() ? rate.toString() : "not told", "class", "number", "data-label", "port");
      kinds.forEach(kind -> cell(kind, cells.getOrDefault(kind, List.of())));
      page.html.close("tr");
    });
    page.html.close("tbody").close("table").close("div");
  }

  /** The GPU's own number is told by the rail where each rail has its GPU; columns must not differ by it. */
  private static String memory(Rail rail) {
    return rail.memory().replaceFirst("^\\S*\\d+ memory", "GPU memory");
  }

  private void cell(String kind, List<Rail> tests) {
    if (tests.isEmpty()) {
      page.html.element("td", "not measured", "class", "soft", "data-label", kind);
      return;
    }
    List<Rail> sorted = tests.stream().sorted(Comparator.comparing(Rail::gbps)).toList();
    Rail middle = sorted.get((sorted.size() - 1) / 2);
    page.html.open("td", "class", "short", "data-label", kind).text(middle.gbps() + (middle.share().known() ? " (" + percent(middle.share()) + ")" : "") + (sorted.size() > 1 ? ", slowest of " + sorted.size() + ": " + sorted.get(0).gbps() : ""));
    if (middle.share().known()) {
      page.bar(middle.share().value());
    }
    page.html.close("td");
  }

  private void counters() {
    long grown = view.counters().stream().filter(c -> c.error() && !c.grown().is(0)).count();
    page.paragraph(grown == 0 ? "No counter that should stand still grew between the readings." : grown + (grown == 1 ? " counter that should stand still grew." : " counters that should stand still grew."));
    List<Counter> moved = view.counters().stream().filter(c -> !c.grown().is(0)).toList();
    List<Counter> still = view.counters().stream().filter(c -> c.grown().is(0)).toList();
    List<Counter> wrong = moved.stream().filter(Counter::error).toList();
    List<Counter> volume = moved.stream().filter(c -> !c.error()).toList();
    if (!wrong.isEmpty()) {
      readings("Counters that should stand still and moved", wrong);
    }
    if (!volume.isEmpty()) {
      page.html.open("details").element("summary", volume.size() + " counters that may move did (traffic, waiting)");
      readings("Counters that may move and did", volume);
      page.html.close("details");
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
