package gdrproof.report.html;

import gdrproof.finding.view.View.BadPath;
import gdrproof.finding.view.View.Device;
import gdrproof.finding.view.View.Group;
import gdrproof.finding.view.View.Mark;
import gdrproof.finding.view.View.NodeView;
import gdrproof.finding.view.View.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Draws a node: sockets hold switches, switches hold GPUs (left) and HCAs (right); what a cause is about is dashed, thick and numbered. */
final class TopologySvg {
  private static final int WIDTH = 336;
  private static final int ROW = 40;
  private static final int BOX = 32;
  private static final int DEVICE = 114;
  private static final int GPU_X = 28;
  private static final int HCA_X = 206;
  private static final int BAR_X = 166;
  private static final int BAR = 14;
  private static final int HEAD = 20;
  private static final int GAP = 8;
  /** Letters that fit a device's second line. */
  private static final int NOTE = 19;

  private record Place(Device device, int x, int y) {
    int middle() {
      return y + BOX / 2;
    }
  }

  private final Html html;
  private final NodeView node;
  private final String id;
  private final Map<String, Place> places = new HashMap<>();
  private final List<Integer> gpuRows = new ArrayList<>();

  private TopologySvg(Html html, NodeView node, String id) {
    this.html = html;
    this.node = node;
    this.id = id;
  }

  static void write(Html html, NodeView node, String id) {
    new TopologySvg(html, node, id).write();
  }

  private void write() {
    int height = node.sockets().stream().mapToInt(TopologySvg::height).sum() + GAP + (node.nvlink().isEmpty() ? 0 : HEAD);
    html.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + WIDTH + " " + height, "width", String.valueOf(WIDTH), "height", String.valueOf(height), "role", "img",
        "aria-labelledby", id + "-title " + id + "-desc");
    html.element("title", "Topology of " + String.join(", ", node.names()), "id", id + "-title");
    html.element("desc", describe(node), "id", id + "-desc");
    int y = GAP / 2;
    for (Socket socket : node.sockets()) {
      y = socket(socket, y);
    }
    if (node.nvlink().startsWith("NVLink") && gpuRows.size() > 1) {
      html.empty("path", "class", "nvlink", "d", "M 18 " + gpuRows.get(0) + " V " + gpuRows.get(gpuRows.size() - 1));
      gpuRows.forEach(row -> html.empty("path", "class", "nvlink", "d", "M 18 " + row + " H " + GPU_X));
    }
    node.bad().forEach(this::way);
    if (!node.nvlink().isEmpty()) {
      html.element("text", node.nvlink(), "x", "10", "y", String.valueOf(height - 7), "class", "soft");
    }
    html.close("svg");
  }

  private static int height(Socket socket) {
    return HEAD + socket.groups().stream().mapToInt(TopologySvg::height).sum() + GAP;
  }

  private static int height(Group group) {
    return rows(group) * ROW + HEAD;
  }

  private static int rows(Group group) {
    return Math.max(group.gpus().size(), group.hcas().size());
  }

  private int socket(Socket socket, int top) {
    html.empty("rect", "class", "socket", "x", "4", "y", String.valueOf(top), "width", String.valueOf(WIDTH - 8), "height", String.valueOf(height(socket) - GAP / 2), "rx", "6");
    html.element("text", socket.name(), "x", String.valueOf(GPU_X), "y", String.valueOf(top + 14));
    int y = top + HEAD;
    for (Group group : socket.groups()) {
      group(group, y);
      y += height(group);
    }
    return top + height(socket);
  }

  private void group(Group group, int top) {
    html.empty("rect", "class", "group", "x", "10", "y", String.valueOf(top), "width", String.valueOf(WIDTH - 20), "height", String.valueOf(height(group) - 4), "rx", "4");
    if (!group.label().isEmpty()) {
      html.element("text", group.label(), "x", String.valueOf(BAR_X + BAR / 2), "y", String.valueOf(top + 12), "text-anchor", "middle", "class", "soft");
    }
    int y = top + HEAD - 4;
    if (!group.label().isEmpty()) {
      html.empty("rect", "class", "switch", "x", String.valueOf(BAR_X), "y", String.valueOf(y + 2), "width", String.valueOf(BAR), "height", String.valueOf(rows(group) * ROW - ROW + BOX - 4), "rx", "3");
    }
    column(group.gpus(), GPU_X, y, !group.label().isEmpty());
    column(group.hcas(), HCA_X, y, !group.label().isEmpty());
  }

  private void column(List<Device> devices, int x, int top, boolean wired) {
    int y = top;
    for (Device device : devices) {
      Place place = new Place(device, x, y);
      places.put(device.name(), place);
      if (x == GPU_X) {
        gpuRows.add(place.middle());
      }
      if (wired) {
        String wire = x == GPU_X ? "M " + (x + DEVICE) + " " + place.middle() + " H " + BAR_X : "M " + (BAR_X + BAR) + " " + place.middle() + " H " + x;
        html.empty("path", "class", "wire", "d", wire);
      }
      html.empty("rect", "class", device.marks().isEmpty() ? "device" : "device marked", "x", String.valueOf(x), "y", String.valueOf(y), "width", String.valueOf(DEVICE), "height", String.valueOf(BOX), "rx", "4");
      html.element("text", device.name(), "x", String.valueOf(x + 6), "y", String.valueOf(y + 13), "class", "name");
      html.element("text", brief(device), "x", String.valueOf(x + 6), "y", String.valueOf(y + 26), "class", "soft");
      if (!device.marks().isEmpty()) {
        html.element("text", "✗ " + numbers(device.marks()), "x", String.valueOf(x + DEVICE - 6), "y", String.valueOf(y + 13), "text-anchor", "end", "class", "tag");
      }
      y += ROW;
    }
  }

  private void way(BadPath way) {
    Place from = places.get(way.from());
    Place to = places.get(way.to());
    if (from == null || to == null) {
      return;
    }
    int x1 = from.x() == GPU_X ? GPU_X + DEVICE : from.x();
    int x2 = to.x() == HCA_X ? HCA_X : to.x() + DEVICE;
    String curve = "M " + x1 + " " + from.middle() + " C " + (x1 + 36) + " " + from.middle() + " " + (x2 - 36) + " " + to.middle() + " " + x2 + " " + to.middle();
    html.empty("path", "class", "halo", "d", curve);
    html.empty("path", "class", "way", "d", curve);
    int x = (x1 + x2) / 2;
    int y = (from.middle() + to.middle()) / 2;
    html.empty("rect", "class", "plate", "x", String.valueOf(x - 19), "y", String.valueOf(y - 9), "width", "38", "height", "17", "rx", "3");
    html.element("text", "✗ " + numbers(way.marks()), "x", String.valueOf(x), "y", String.valueOf(y + 4), "text-anchor", "middle", "class", "tag");
  }

  private static String brief(Device device) {
    String note = device.note().startsWith("port 1 ") && !device.note().contains(";") ? device.note().substring("port 1 ".length()) : device.note();
    String text = note.isEmpty() ? device.link() : note;
    return text.length() > NOTE ? text.substring(0, NOTE - 1) + "…" : text;
  }

  static String numbers(List<Mark> marks) {
    return marks.stream().map(m -> String.valueOf(m.number())).collect(Collectors.joining(","));
  }

  static String words(List<Mark> marks) {
    return marks.stream().map(Mark::toString).collect(Collectors.joining(", "));
  }

  /** The picture in words. */
  static String describe(NodeView node) {
    StringBuilder words = new StringBuilder();
    for (Socket socket : node.sockets()) {
      words.append(socket.name()).append(": ");
      words.append(socket.groups().stream().map(g -> (g.label().isEmpty() ? "" : g.label() + " with ") + g.devices().stream()
          .map(d -> d.name() + (d.marks().isEmpty() ? "" : " (" + words(d.marks()) + ")")).collect(Collectors.joining(", "))).collect(Collectors.joining("; ")));
      words.append(". ");
    }
    node.bad().forEach(b -> words.append("The way from ").append(b.from()).append(" to ").append(b.to()).append(" (").append(b.path()).append(") is marked by ").append(words(b.marks())).append(". "));
    if (!node.nvlink().isEmpty()) {
      words.append(node.nvlink()).append('.');
    }
    return words.toString().strip();
  }
}
