package gdrproof.report.html;

import gdrproof.facts.Num;
import gdrproof.finding.view.View.Chart;
import gdrproof.finding.view.View.Point;
import gdrproof.finding.view.View.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Draws bandwidth over message size, sizes on a logarithmic axis. Lines differ in dash and marker as well as in colour. */
final class ChartSvg {
  private static final int WIDTH = 420;
  private static final int HEIGHT = 270;
  private static final int LEFT = 44;
  private static final int RIGHT = 16;
  private static final int TOP = 20;
  private static final int BOTTOM = 42;
  private static final int TICKS = 6;
  /** Height that a number at the end of a line needs. */
  private static final int LABEL = 11;
  private static final String[] DASHES = {"", "7 4", "2 3", "9 3 2 3", "12 4", "4 2"};

  private final Html html;
  private final Chart chart;
  private final String id;
  private final double low;
  private final double high;
  private final double top;

  private ChartSvg(Html html, Chart chart, String id) {
    this.html = html;
    this.chart = chart;
    this.id = id;
    List<Point> points = chart.series().stream().flatMap(s -> s.points().stream()).toList();
    double least = points.stream().mapToDouble(Point::bytes).min().orElse(1);
    double most = points.stream().mapToDouble(Point::bytes).max().orElse(2);
    low = log(least);
    high = most > least ? log(most) : low + 1;
    top = nice(points.stream().mapToDouble(Point::gBps).max().orElse(1));
  }

  static void write(Html html, Chart chart, String id) {
    new ChartSvg(html, chart, id).write();
  }

  private void write() {
    html.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + WIDTH + " " + HEIGHT, "width", "560", "height", "360", "role", "img", "aria-labelledby", id + "-title " + id + "-desc");
    html.element("title", "Bus bandwidth over message size: " + chart.title(), "id", id + "-title");
    html.element("desc", describe(), "id", id + "-desc");
    axes();
    // What the runs are held against lies below them.
    chart.series().stream().filter(s -> s.kind().equals("baseline") || s.kind().equals("limit")).forEach(this::held);
    chart.series().stream().filter(s -> s.kind().equals("ceiling")).forEach(this::ceiling);
    int number = 0;
    for (Series series : runs()) {
      curve(series, number++);
    }
    ends();
    html.close("svg");
    legend();
  }

  private void axes() {
    for (int i = 0; i <= 4; i++) {
      double value = top * i / 4;
      String y = at(y(value));
      html.empty("path", "class", "grid", "d", "M " + LEFT + " " + y + " H " + (WIDTH - RIGHT));
      html.element("text", Num.of(value).rounded().toString(), "x", String.valueOf(LEFT - 5), "y", at(y(value) + 4), "text-anchor", "end");
    }
    int step = (int) Math.max(1, Math.ceil((high - low) / (TICKS - 1)));
    for (int power = (int) Math.ceil(low - 1e-9); power <= high + 1e-9; power += step) {
      String x = at(x(Math.pow(2, power)));
      html.empty("path", "class", "grid", "d", "M " + x + " " + TOP + " V " + (HEIGHT - BOTTOM));
      html.element("text", size(Math.pow(2, power)), "x", x, "y", String.valueOf(HEIGHT - BOTTOM + 15), "text-anchor", "middle");
    }
    html.empty("path", "class", "axis", "d", "M " + LEFT + " " + TOP + " V " + (HEIGHT - BOTTOM) + " H " + (WIDTH - RIGHT));
    html.element("text", "GB/s", "x", String.valueOf(LEFT - 5), "y", String.valueOf(TOP - 8), "text-anchor", "end", "class", "soft");
    html.element("text", "message size", "x", String.valueOf((LEFT + WIDTH - RIGHT) / 2), "y", String.valueOf(HEIGHT - 6), "text-anchor", "middle", "class", "soft");
  }

  /** Lines with a number and a marker: those that the bundle measured. */
  private List<Series> runs() {
    return chart.series().stream().filter(s -> s.kind().equals("run")).toList();
  }

  private void held(Series series) {
    html.empty("path", "class", series.kind(), "d", path(series));
  }

  private String path(Series series) {
    StringBuilder path = new StringBuilder();
    for (Point point : series.points()) {
      path.append(path.isEmpty() ? "M " : " L ").append(at(x(point.bytes()))).append(' ').append(at(y(point.gBps())));
    }
    return path.toString();
  }

  private void curve(Series series, int number) {
    html.empty("path", "class", "curve " + colour(number), "d", path(series), "stroke-dasharray", dash(series, number));
    series.points().forEach(p -> marker(x(p.bytes()), y(p.gBps()), number));
  }

  /** Numbers at the ends of the lines, moved apart where lines end at one height. */
  private void ends() {
    List<Series> lines = runs();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingDouble(i -> y(last(lines.get(i)).gBps())));
    double lowest = Double.NEGATIVE_INFINITY;
    for (int i : order) {
      Point last = last(lines.get(i));
      double y = Math.max(y(last.gBps()) + 4, lowest + LABEL);
      lowest = y;
      html.element("text", String.valueOf(i + 1), "x", at(Math.min(WIDTH - 7, x(last.bytes()) + 7)), "y", at(y), "class", "name");
    }
  }

  private static Point last(Series series) {
    return series.points().get(series.points().size() - 1);
  }

  private void ceiling(Series series) {
    String y = at(y(series.points().get(0).gBps()));
    html.empty("path", "class", "curve ceiling", "d", "M " + LEFT + " " + y + " H " + (WIDTH - RIGHT), "stroke-dasharray", "1 5");
    html.element("text", series.name().replaceFirst(":.*", ""), "x", String.valueOf(LEFT + 4), "y", at(y(series.points().get(0).gBps()) - 4), "class", "soft");
  }

  /** Circle, square, triangle, diamond, and the first two again with a different dash. */
  private void marker(double x, double y, int number) {
    String shape = switch (number % 4) {
      case 0 -> "M " + at(x - 3) + " " + at(y) + " a 3 3 0 1 0 6 0 a 3 3 0 1 0 -6 0 Z";
      case 1 -> "M " + at(x - 3) + " " + at(y - 3) + " h 6 v 6 h -6 Z";
      case 2 -> "M " + at(x) + " " + at(y - 4) + " l 4 7 h -8 Z";
      default -> "M " + at(x) + " " + at(y - 4) + " l 4 4 l -4 4 l -4 -4 Z";
    };
    html.empty("path", "class", "marker " + colour(number), "d", shape);
  }

  private void legend() {
    html.open("ul", "class", "legend");
    int number = 0;
    for (Series series : chart.series()) {
      boolean run = series.kind().equals("run");
      boolean held = series.kind().equals("baseline") || series.kind().equals("limit");
      html.open("li").open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 44 14", "width", "44", "height", "14", "aria-hidden", "true", "focusable", "false");
      html.empty("path", "class", held ? series.kind() : "curve " + (run ? colour(number) : "ceiling"), "d", "M 2 7 H 42", "stroke-dasharray", held ? "none" : run ? dash(series, number) : "1 5");
      if (run) {
        marker(22, 7, number);
      }
      html.close("svg").element("span", (run ? ++number + ". " : "") + series.name()).close("li");
    }
    html.close("ul");
    table();
  }

  private void table() {
    List<Series> lines = chart.series().stream().filter(s -> !s.kind().equals("ceiling")).sorted(Comparator.comparing((Series s) -> !s.kind().equals("run"))).toList();
    TreeSet<Double> sizes = new TreeSet<>();
    lines.forEach(s -> s.points().forEach(p -> sizes.add(p.bytes())));
    html.open("details").element("summary", "The same as a table");
    html.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", "Bus bandwidth of " + chart.title()).open("table");
    html.element("caption", "Bus bandwidth in GB/s, by message size and line of the chart");
    html.open("thead").open("tr").element("th", "size", "scope", "col");
    for (int i = 0; i < lines.size(); i++) {
      html.element("th", lines.get(i).kind().equals("run") ? String.valueOf(i + 1) : lines.get(i).kind(), "scope", "col", "class", "number");
    }
    html.close("tr").close("thead").open("tbody");
    for (double bytes : sizes) {
      html.open("tr").element("th", size(bytes), "scope", "row");
      lines.forEach(s -> html.element("td", value(s, bytes), "class", "number"));
      html.close("tr");
    }
    html.close("tbody").close("table").close("div").close("details");
  }

  private static String value(Series series, double bytes) {
    return series.points().stream().filter(p -> p.bytes() == bytes).map(p -> Num.of(p.gBps()).rounded().toString()).findFirst().orElse("");
  }

  private String describe() {
    List<String> words = new ArrayList<>();
    int number = 0;
    for (Series series : chart.series()) {
      Point last = series.points().get(series.points().size() - 1);
      if (series.kind().equals("ceiling")) {
        words.add(series.name());
      } else {
        double most = series.points().stream().mapToDouble(Point::gBps).max().orElse(0);
        words.add((series.kind().equals("run") ? "Line " + ++number + ", " : "") + series.name() + ": highest " + Num.of(most).rounded() + " GB/s, " + Num.of(last.gBps()).rounded() + " GB/s at " + size(last.bytes()));
      }
    }
    return String.join(". ", words) + ".";
  }

  private double x(double bytes) {
    return LEFT + (log(bytes) - low) / (high - low) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - value / top * (HEIGHT - BOTTOM - TOP);
  }

  private static double log(double value) {
    return Math.log(Math.max(1, value)) / Math.log(2);
  }

  /** The next round number above a value. */
  private static double nice(double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      return 1;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8}) {
      if (value <= step * unit) {
        return step * unit;
      }
    }
    return 10 * unit;
  }

  static String size(double bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return Num.of(value).rounded() + " " + units[unit];
  }

  private static String colour(int number) {
    return "s" + (number % DASHES.length + 1);
  }

  private static String dash(Series series, int number) {
    String dash = series.kind().equals("baseline") ? "1 3" : DASHES[number % DASHES.length];
    return dash.isEmpty() ? "none" : dash;
  }

  private static String at(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
