package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables that people write of one raw RDMA test on each HCA of a node: a line above that names the perftest program, then `mlx5_0 [address] figure` a line. The unit is
 * in the heading, in the line, or follows from `--report_gbits`.
 */
final class HcaTables implements Collector {
  static final String HCA = "(?:mlx[45]_(?:bond_)?\\d+|bnxt_re\\d+|irdma\\d+|ionic_\\d+|erdma_\\d+|hns_\\d+|(?:rocep|ibp|rdmap)\\d\\w*)";
  private static final Pattern ROW = Pattern.compile("^[\\s|*-]*(?<hca>" + HCA + ")\\b(?::\\d+)?[\\s|,;:=]*(?:\\(?(?<pci>(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])\\)?)?[\\s|,;:=]+(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>"
      + Units.UNIT + ")?\\s*\\|?\\s*(?:[#(].*)?$");
  private static final int FEWEST = 2;
  private static final int ABOVE = 3;
  private static final int LONGEST_LINE = 400;
  private static final double BITS = 8;

  private record Row(int at, Matcher match) {}

  @Override
  public String tool() {
    return "table of results";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher row = line.length() > LONGEST_LINE ? ROW.matcher("") : ROW.matcher(line);
      if (row.matches()) {
        rows.add(new Row(i, row));
      } else if (!line.isBlank()) {
        table(section, rows, sink);
        rows.clear();
      }
    }
    table(section, rows, sink);
  }

  private static void table(Section section, List<Row> rows, Sink sink) {
    Map<String, Row> hcas = new LinkedHashMap<>();
    rows.forEach(r -> hcas.putIfAbsent(r.match().group("hca"), r));
    if (hcas.size() < FEWEST || hcas.size() != rows.size()) {
      return;
    }
    PerftestCommand command = null;
    String unit = Fact.UNKNOWN;
    for (int i = rows.get(0).at() - 1; i >= 0 && i >= rows.get(0).at() - ABOVE; i--) {
      String line = section.lines().get(i);
      command = command == null ? PerftestCommand.parse(line.replaceAll("[(),;`]", " ")) : command;
      unit = unit.equals(Fact.UNKNOWN) ? Units.find(line) : unit;
    }
    if (command == null || !command.program().endsWith("_bw")) {
      return;
    }
    for (Row row : rows) {
      Matcher m = row.match();
      String own = m.group("unit") != null ? Units.normal(m.group("unit")) : !unit.equals(Fact.UNKNOWN) ? unit : command.gbits() ? "Gb/s" : Fact.UNKNOWN;
      Num bytes = Units.gigabytes(Num.parse(m.group("value")), own);
      if (!bytes.known()) {
        return;
      }
      sink.fact(new RdmaTest(section.node(), section.file() + "#" + section.line(row.at()), command.test(), m.group("hca"), command.cuda().known() ? "cuda" : "host", Tri.of(command.dmabuf()),
          command.cuda().known() ? "GPU" + command.cuda() : Fact.UNKNOWN, Fact.UNKNOWN, command.bidirectional() ? "bidirectional" : "unidirectional", command.qps(), Num.UNKNOWN, Fact.UNKNOWN,
          Num.UNKNOWN, Fact.UNKNOWN, command.duration() ? "duration" : "iterations", "client", Fact.UNKNOWN, own, command.bytes(), Num.of(bytes.value() * BITS)), section.at(row.at()));
      if (m.group("pci") != null) {
        String pci = m.group("pci").toLowerCase(java.util.Locale.ROOT);
        sink.fact(new DeviceAddress(section.node(), m.group("hca"), pci.length() < 12 ? "0000:" + pci : pci), section.at(row.at()));
      }
    }
  }
}
