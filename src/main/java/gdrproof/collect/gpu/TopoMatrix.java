package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `nvidia-smi topo -m` and `-mp` of all drivers: NIC columns by number with a legend or by device name, one to three affinity columns,
 * tabs or blanks, rows that a terminal wrapped (mended) or cut (refused).
 */
final class TopoMatrix implements Collector {
  private static final Pattern HEADER = Pattern.compile("^\\s+GPU\\d+(?:\\s.*)?$");
  private static final Pattern ROW = Pattern.compile("^ ?(?<name>GPU\\d+|NIC\\d+|[a-z][a-z0-9]*_[a-z0-9_]*\\d+|mlx5\\w*|rdmap\\w+|ibp?\\w+)(?<cells>\\s.*)$");
  private static final Pattern PATH = Pattern.compile("X|NV\\d+|PIX|PXB|PHB|NODE|SYS|SOC|C2C|P2C");
  private static final Pattern LEGEND = Pattern.compile("^\\s*(?<nic>NIC\\d+)\\s*:\\s*(?<hca>[A-Za-z]\\S*)\\s*$");
  private static final int LONGEST_WRAP = 6;

  /** The header: names of device columns and of the affinity columns behind them. */
  private record Header(List<String> devices, List<String> affinity, int rows) {}

  @Override
  public String tool() {
    return "nvidia-smi topo -m";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      for (int i = 0; i < view.lines().size(); i++) {
        if (HEADER.matcher(view.lines().get(i)).matches()) {
          Header header = header(view, i);
          if (header != null) {
            i = table(view, i, header, sink);
          }
        }
      }
    }
  }

  /** Reads the header, joining lines that a terminal wrapped; null if no row of paths follows (the -p2p matrix has other words). */
  private static Header header(Section section, int at) {
    StringBuilder text = new StringBuilder(section.lines().get(at));
    int i = at + 1;
    while (i < section.lines().size() && (section.lines().get(i).isBlank() || !isRow(section.lines().get(i)))) {
      if (i - at > LONGEST_WRAP || isLegend(section.lines().get(i))) {
        return null;
      }
      text.append(section.lines().get(i++));
    }
    if (i == section.lines().size()) {
      return null;
    }
    List<String> devices = new ArrayList<>();
    List<String> affinity = new ArrayList<>();
    Matcher words = Pattern.compile("CPU Affinity|NUMA Affinity|GPU NUMA ID|\\S+").matcher(text);
    while (words.find()) {
      boolean named = words.group().contains(" ");
      if (named || !affinity.isEmpty()) {
        affinity.add(words.group());
      } else {
        devices.add(words.group());
      }
    }
    return affinity.isEmpty() && isPeerMatrix(section.lines().get(i), devices.size()) ? null : new Header(devices, affinity, i);
  }

  /** The rows of `topo -p2p` begin like those of `topo -m` (`GPU0 X OK`), but its words are no paths and no affinity column follows. */
  private static boolean isPeerMatrix(String firstRow, int devices) {
    Matcher row = ROW.matcher(firstRow);
    if (devices == 1 || !row.matches()) {
      return devices == 1;
    }
    String[] cells = row.group("cells").strip().split("\\s+");
    for (int i = 0; i < Math.min(cells.length, devices); i++) {
      if (!PATH.matcher(cells[i]).matches()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRow(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      return false;
    }
    String[] cells = row.group("cells").strip().split("\\s+");
    return PATH.matcher(cells[0]).matches();
  }

  private static boolean isLegend(String line) {
    return line.strip().endsWith("Legend:");
  }

  private int table(Section section, int at, Header header, Sink sink) {
    List<String> lines = section.lines();
    Set<String> seen = new HashSet<>();
    boolean whole = header.affinity().contains("CPU Affinity");
    sink.understood(section, at);
    if (whole) {
      // The header alone says how many there are, whatever becomes of the rows.
      long gpus = header.devices().stream().filter(d -> d.startsWith("GPU")).count();
      sink.fact(new GpuCount(section.node(), Num.of(gpus)), section.at(at));
    }
    int i = header.rows();
    int gap = 0;
    while (i < lines.size() && gap < 2) {
      String line = lines.get(i);
      if (line.isBlank()) {
        // Between rows of interleaved hosts lines are empty; two in a row, or a legend, end the table.
        gap += section.raw().get(i).isBlank() ? 2 : 0;
        i++;
        continue;
      }
      if (isLegend(line) || HEADER.matcher(line).matches() || !isRow(line)) {
        break;
      }
      int last = i;
      List<String> cells = cells(line);
      while (cells.size() < header.devices().size() && last + 1 < lines.size() && last - i < LONGEST_WRAP && !lines.get(last + 1).isBlank()
          && !isRow(lines.get(last + 1)) && !isLegend(lines.get(last + 1))) {
        cells = cells(String.join("", lines.subList(i, ++last + 1)));
      }
      while (last > i && last + 1 < lines.size() && !lines.get(last + 1).isBlank() && !isRow(lines.get(last + 1)) && !isLegend(lines.get(last + 1))) {
        last++;
      }
      String text = String.join("", lines.subList(i, last + 1));
      whole &= row(section, i, last, text, header, seen, sink);
      i = last + 1;
    }
    legend(section, i, sink);
    layout(section, at, i, header, sink);
    if (whole && seen.containsAll(header.devices())) {
      sink.looked(section, Kind.TOPOLOGY, at);
      sink.looked(section, Kind.GPUS, at);
    } else {
      sink.unread(section, Math.min(i, lines.size()) - 1, "topology matrix is not whole: rows or columns are missing");
    }
    return i - 1;
  }

  /** The path words of a row, up to the first word that is none. */
  private static List<String> cells(String row) {
    Matcher matcher = ROW.matcher(row);
    List<String> cells = new ArrayList<>();
    if (matcher.matches()) {
      for (String word : matcher.group("cells").strip().split("\\s+")) {
        if (!PATH.matcher(word).matches()) {
          break;
        }
        cells.add(word);
      }
    }
    return cells;
  }

  private static boolean row(Section section, int from, int to, String text, Header header, Set<String> seen, Sink sink) {
    Matcher matcher = ROW.matcher(text);
    List<String> paths = cells(text);
    int devices = header.devices().size();
    // Lines cut at one column lose fewer cells in rows than in a header that carries invisible control codes.
    boolean cut = header.affinity().isEmpty() && paths.size() > devices;
    if (!matcher.matches() || paths.size() != devices && !cut || !header.devices().contains(matcher.group("name"))) {
      sink.unread(section, from, "row of the topology matrix has " + paths.size() + " cells for " + devices + " columns");
      return false;
    }
    String name = matcher.group("name");
    seen.add(name);
    for (int c = 0; c < devices; c++) {
      if (!paths.get(c).equals("X")) {
        String path = paths.get(c).equals("SOC") ? "SYS" : paths.get(c);
        sink.fact(new TopoLink(section.node(), name, header.devices().get(c), path), section.at(from, to));
      }
    }
    if (!name.startsWith("GPU")) {
      if (!name.startsWith("NIC")) {
        sink.fact(new TopoNic(section.node(), name, name), section.at(from, to));
      }
      return true;
    }
    if (!header.affinity().isEmpty()) {
      List<String> rest = affinity(matcher.group("cells"), devices, header.affinity().size());
      sink.fact(new GpuAffinity(section.node(), name, rest.get(0), rest.get(1), rest.get(2)), section.at(from, to));
    }
    return !cut;
  }

  /** Affinity values in the order cpus, numa, gpu numa. Data rows have two tabs before the last one, so empty cells count only in front. */
  private static List<String> affinity(String cells, int devices, int columns) {
    List<String> values = new ArrayList<>();
    if (cells.indexOf('\t') >= 0) {
      String[] all = cells.strip().split("\t", -1);
      for (int c = devices; c < all.length; c++) {
        if (!all[c].isBlank() || values.size() < 2) {
          values.add(all[c].strip());
        }
      }
    } else {
      String[] words = cells.strip().split("\\s+");
      for (int c = devices; c < words.length; c++) {
        values.add(words[c]);
      }
    }
    List<String> found = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      String value = c < values.size() && c < columns ? values.get(c) : "";
      found.add(value.isEmpty() || value.equals("N/A") ? Fact.UNKNOWN : value);
    }
    return found;
  }

  /** Drivers differ in affinity columns and legend; a terminal or an editor turns tabs into blanks. */
  private void layout(Section section, int at, int end, Header header, Sink sink) {
    if (!header.affinity().isEmpty()) {
      sink.fact(new Layout(section.node(), tool(), "columns", String.join(",", header.affinity())), section.at(at));
    }
    sink.fact(new Layout(section.node(), tool(), "separator", section.lines().get(header.rows()).indexOf('\t') >= 0 ? "tabs" : "spaces"), section.at(header.rows()));
    Legends.read(section, end, tool(), sink);
  }

  private static void legend(Section section, int from, Sink sink) {
    for (int i = Math.max(0, from - 1); i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      if (HEADER.matcher(line).matches()) {
        return;
      }
      Matcher matcher = LEGEND.matcher(line);
      if (matcher.matches()) {
        sink.fact(new TopoNic(section.node(), matcher.group("nic"), matcher.group("hca")), section.at(i));
      }
    }
  }
}
