package gdrproof.collect.bench;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Columns of a perftest table by its header line. Bandwidth and latency tables, with every optional column, of perftest 4.4
 * to 26.x.
 *
 * @param columns normalised names in order
 * @param headerUnit unit of the bandwidth columns as printed, or unknown
 */
record PerftestTable(List<String> columns, String headerUnit) {
  private static final Pattern COLUMN = Pattern.compile("#bytes|#iterations|#sl|BW peak\\[([^\\]]+)\\]|BW average\\[([^\\]]+)\\]|MsgRate\\[[^\\]]+\\]|CPU_Util\\[%\\]|"
      + "t_(\\w+)\\[usec\\]|99% percentile\\[usec\\]|99\\.9% percentile\\[usec\\]|tps average|\\S{1,40} ?\\S{0,40}\\[[^\\]]{1,40}\\]");
  /** Gb/s in one MiB/s: 2^20 bytes of 8 bits. */
  private static final double GBPS_PER_MIB = 8.0 * 1024 * 1024 / 1e9;

  /** Characters of a header line with all its options; a damaged longer one would be searched for names at each of its places. */
  private static final int LONGEST_HEADER = 600;

  /** The table of a header line, or null. */
  static PerftestTable of(String line) {
    if (line.length() > LONGEST_HEADER || !line.contains("#bytes")) {
      return null;
    }
    List<String> columns = new ArrayList<>();
    String unit = Fact.UNKNOWN;
    Matcher column = COLUMN.matcher(line);
    while (column.find()) {
      String text = column.group();
      if (column.group(1) != null) {
        unit = column.group(1);
        columns.add(columns.contains("peak") ? "other" : "peak");
      } else if (column.group(2) != null) {
        unit = column.group(2);
        columns.add(columns.contains("average") ? "other" : "average");
      } else if (column.group(3) != null) {
        columns.add(column.group(3));
      } else {
        columns.add(text.startsWith("#") ? text.substring(1) : text.startsWith("Msg") ? "rate" : text.startsWith("CPU") ? "cpu" : text.startsWith("99%") ? "p99"
            : text.startsWith("99.9") ? "p999" : "other");
      }
    }
    return columns.size() < 3 ? null : new PerftestTable(columns, unit);
  }

  /** The table that a program prints without options for more columns, where its header is not at hand; null for a row of another width. */
  static PerftestTable of(PerftestCommand command, String row) {
    boolean latency = command.program().endsWith("_lat");
    List<String> columns = latency ? List.of("bytes", "iterations", "min", "max", "typical", "avg", "stdev", "p99", "p999") : List.of("bytes", "iterations", "peak", "average", "rate");
    return row.strip().split("\\s+").length == columns.size() ? new PerftestTable(columns, command.gbits() ? "Gb/sec" : "MB/sec") : null;
  }

  boolean latency() {
    return columns.contains("avg") || columns.contains("typical");
  }

  /** The four columns of a latency test by time (`-D`): no extremes, transactions per second. */
  boolean durationLatency() {
    return latency() && !columns.contains("min") && !columns.contains("typical");
  }

  /** `Gb/sec` or `MiB/sec`: what older releases call MB/sec are 2^20 bytes, too. */
  String unit() {
    return unit(headerUnit);
  }

  static String unit(String printed) {
    return printed.startsWith("Gb") ? "Gb/sec" : printed.startsWith("M") ? "MiB/sec" : Fact.UNKNOWN;
  }

  static Num gbps(Num value, String unit) {
    if (!value.known()) {
      return value;
    }
    return unit.equals("Gb/sec") ? value : unit.equals("MiB/sec") ? Num.of(value.value() * GBPS_PER_MIB) : Num.UNKNOWN;
  }

  /** Values of a row by column; null if the line is no row or not whole. */
  Map<String, Num> row(String line) {
    String[] tokens = line.strip().split("\\s+");
    if (tokens.length != columns.size()) {
      return null;
    }
    Map<String, Num> values = new HashMap<>();
    for (int i = 0; i < tokens.length; i++) {
      Num value = Num.parse(tokens[i]);
      if (!value.known()) {
        return null;
      }
      values.put(columns.get(i), value);
    }
    return values;
  }

  Num value(Map<String, Num> row, String name) {
    return row.getOrDefault(name, Num.UNKNOWN);
  }
}
