package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.SmiDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `nvidia-smi --query-gpu=... --format=csv`, with or without header and units. Without a header the command must name the fields. */
final class SmiCsv implements Collector {
  private static final Set<String> HOST_COLUMN = Set.of("host", "hostname", "node", "nodename", "node_name");
  private static final Pattern FIELD = Pattern.compile("[a-z][A-Za-z0-9_]*(?:\\.[A-Za-z0-9_]+)*(?: \\[[^\\]]+])?");
  private static final Pattern KNOWN = Pattern.compile(
      "index|uuid|gpu_uuid|pci\\..*|gpu_bus_id|driver_version|pcie\\..*|pstate|clocks.*|mig\\..*|ecc\\..*|persistence_mode|power\\..*|enforced\\.power.*"
          + "|utilization\\..*|temperature\\..*|memory\\..*|fabric.*|compute_mode|addressing_mode|remapped_rows.*|name|gpu_name");
  private static final Pattern COMMAND = Pattern.compile("--query-gpu[= ][\"']?(?<fields>[A-Za-z0-9_.,]+)");
  private static final Pattern BARE = Pattern.compile("^(?<index>\\d+), (?:.*, )?(?<address>[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])(?:, .*)?$");

  @Override
  public String tool() {
    return "nvidia-smi --query-gpu=... --format=csv";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      Matcher command = COMMAND.matcher(view.command());
      List<String> fields = command.find() ? List.of(command.group("fields").split(",")) : List.of();
      for (int i = 0; i < view.lines().size(); i++) {
        String line = view.lines().get(i);
        List<String> cells = cells(line);
        if (isHeader(cells) && (cells.size() > 1 || !nameFollows(view.lines(), i))) {
          fields = cells.stream().map(c -> c.replaceFirst(" \\[.*", "")).toList();
          sink.understood(view, i);
        } else if (!fields.isEmpty() && cells.size() == fields.size() && !line.isBlank()) {
          row(own(view, fields, cells), i, fields, cells, sink);
        } else if (fields.isEmpty()) {
          Matcher bare = BARE.matcher(line);
          if (bare.matches()) {
            row(view, i, List.of("index", "pci.bus_id"), List.of(bare.group("index"), bare.group("address")), sink);
          }
        } else if (!line.isBlank() && line.contains(",") && fields.size() > 1) {
          sink.unread(view, i, "row has " + cells.size() + " cells for " + fields.size() + " fields");
        } else if (!line.isBlank()) {
          fields = List.of();
        }
      }
    }
  }

  /** Whether the next line is a field's name too: a list of names, such as `--help-query-gpu` gives, has no rows. */
  private static boolean nameFollows(List<String> lines, int at) {
    for (int i = at + 1; i < lines.size(); i++) {
      String next = lines.get(i).strip();
      if (!next.isEmpty()) {
        return FIELD.matcher(next).matches() && (next.contains(".") || next.contains("_"));
      }
    }
    return false;
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    for (String cell : line.split(",", -1)) {
      // Tables that went through another program have their cells in quotes.
      cells.add(cell.strip().replaceAll("^\"(.*)\"$", "$1"));
    }
    return cells;
  }

  private static boolean isHeader(List<String> cells) {
    return !cells.isEmpty() && cells.stream().allMatch(c -> FIELD.matcher(c).matches())
        && cells.stream().map(c -> c.replaceFirst(" \\[.*", "")).anyMatch(c -> c.contains(".") && KNOWN.matcher(c).matches() || c.equals("index") && cells.size() > 1);
  }

  /** A table that was put together from several nodes has a column of their names, which nvidia-smi has not. */
  private static Section own(Section view, List<String> fields, List<String> cells) {
    int column = (int) fields.stream().takeWhile(f -> !HOST_COLUMN.contains(f)).count();
    return column < fields.size() && cells.get(column).matches("[A-Za-z][\\w.-]*") ? view.on(Sections.shortName(cells.get(column))) : view;
  }

  private static void row(Section section, int index, List<String> fields, List<String> cells, Sink sink) {
    GpuReport report = new GpuReport(index);
    String gpu = Fact.UNKNOWN;
    for (int c = 0; c < fields.size(); c++) {
      String field = fields.get(c);
      report.put(GpuReport.key(field), cells.get(c), index);
      if (field.equals("index") && cells.get(c).matches("\\d+")) {
        gpu = "GPU" + cells.get(c);
      }
      if (field.equals("driver_version") && cells.get(c).matches("\\d+\\.[\\d.]+")) {
        sink.fact(new SmiDriver(section.node(), cells.get(c), Fact.UNKNOWN), section.at(index));
      }
    }
    if (gpu.equals(Fact.UNKNOWN)) {
      gpu = Addresses.normal(report.text("address"));
    }
    report.emit(section, gpu, sink);
    sink.understood(section, index);
  }
}
