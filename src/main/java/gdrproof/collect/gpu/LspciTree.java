package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Pcie.PciBridge;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Tri;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `lspci -t`, `-tv`, `-tvnn`: the tree as a drawing, in which columns tell the level. */
final class LspciTree implements Collector {
  private static final Pattern LINE = Pattern.compile("^[ |]*[-+\\\\][-+\\\\|]*[-+]*(?:\\[|[0-9a-f]{2}\\.[0-7]).*$");
  private static final Pattern TOKEN = Pattern.compile("\\[(?:(?<domain>[0-9a-f]{4,8}):)?(?<bus>[0-9a-f]{2})(?:-(?<until>[0-9a-f]{2}))?]|(?<=[-+\\\\])(?<device>[0-9a-f]{2}\\.[0-7])");
  private static final Pattern IDS = Pattern.compile("\\[([0-9a-f]{4}:[0-9a-f]{4})]$");

  /** A bus in the drawing: column of its bracket, and the bridge it hangs on ("" for a host bridge). */
  private record Bus(int column, String domain, String bus, String bridge) {}

  @Override
  public String tool() {
    return "lspci -tv";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      Deque<Bus> open = new ArrayDeque<>();
      for (int i = 0; i < view.lines().size(); i++) {
        String line = view.lines().get(i);
        if (LINE.matcher(line).matches() && (!open.isEmpty() || line.contains("["))) {
          line(view, i, line, open, sink);
        }
      }
    }
  }

  private static void line(Section section, int index, String line, Deque<Bus> open, Sink sink) {
    // A name follows two blanks and may hold brackets of its own.
    Matcher name = Pattern.compile("(?<=[0-9a-f]{2}\\.[0-7])\\s{2}\\S").matcher(line);
    String drawing = name.find() ? line.substring(0, name.start()) : line;
    String text = name.hitEnd() && drawing.length() == line.length() ? "" : line.substring(drawing.length()).strip();
    String last = "";
    Matcher token = TOKEN.matcher(drawing);
    while (token.find()) {
      while (!open.isEmpty() && open.getLast().column() >= token.start()) {
        open.removeLast();
      }
      if (token.group("bus") != null) {
        String domain = token.group("domain") != null ? token.group("domain") : open.isEmpty() ? "0000" : open.getLast().domain();
        open.addLast(new Bus(token.start(), domain, token.group("bus"), last));
        if (!last.isEmpty()) {
          // A bridge shows by the bus behind it, also where that is empty.
          sink.fact(new PciBridge(section.node(), last, token.group("bus"), token.group("until") == null ? token.group("bus") : token.group("until")), section.at(index));
        }
        continue;
      }
      if (open.isEmpty()) {
        return;
      }
      Bus bus = open.getLast();
      last = Addresses.normal(bus.domain() + ":" + bus.bus() + ":" + token.group("device"));
      String parent = bus.bridge().isEmpty() ? "root:" + bus.domain().replaceFirst("^0+(?=.{4})", "") + ":" + bus.bus() : bus.bridge();
      sink.fact(new PciParent(section.node(), last, parent, Tri.YES), section.at(index));
    }
    if (!last.isEmpty() && !text.isEmpty()) {
      Matcher ids = IDS.matcher(text);
      sink.fact(new PciDevice(section.node(), last, Fact.UNKNOWN, text, ids.find() ? ids.group(1) : Fact.UNKNOWN), section.at(index));
    }
  }
}
