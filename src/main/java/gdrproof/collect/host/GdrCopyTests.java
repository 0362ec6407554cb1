package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.HostMessage;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the tests of GDRCopy print when they run: `gdrcopy_sanity`, `gdrcopy_copybw`, `gdrcopy_copylat`, `gdrcopy_pplat` of 2.0 to 2.6 and their
 * older names. What they say when they cannot run is in the catalogue of messages.
 */
final class GdrCopyTests implements Collector {
  /** The summary names no program, so the command, a test's name or a failed test must. */
  private static final Pattern OURS = Pattern.compile("\\bgdrcopy_\\w+|\\bgdrdrv\\b|\\bgdr_copy_(?:to|from)_mapping\\b|^\\s{4}(?:basic|data_validation|invalidation)_\\w*(?:cumemalloc|vmmalloc|with_tokens)\\b");
  private static final Pattern SUMMARY = Pattern.compile("^Total: (?<total>\\d+), Passed: (?<passed>\\d+), Failed: (?<failed>\\d+), Waived: (?<waived>\\d+)\\s*$");
  private static final Pattern CHECKS = Pattern.compile("^\\d+%: Checks: (?<total>\\d+), Failures: (?<failed>\\d{1,9}), Errors: (?<errors>\\d{1,9})\\s*$");
  private static final Pattern BANDWIDTH = Pattern.compile("^(?:write|read) BW: (?<value>[\\d.]+)MB/s\\s*$");
  private static final Pattern LATENCY = Pattern.compile("^gdr_copy_(?:to|from)_mapping\\s+\\d+\\s+[\\d.]+.*");

  @Override
  public String tool() {
    return "gdrcopy_sanity";
  }

  @Override
  public List<String> hints() {
    return List.of("gdr");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean refused = section.lines().stream().anyMatch(l -> l.contains("error opening driver (errno="));
    boolean ours = OURS.matcher(section.command()).find() || section.lines().stream().anyMatch(l -> OURS.matcher(l).find());
    for (int i = 0; ours && i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher m;
      if ((m = SUMMARY.matcher(line)).matches()) {
        put(section, i, m.group("total"), m.group("failed"), refused, sink);
      } else if ((m = CHECKS.matcher(line)).matches()) {
        put(section, i, m.group("total"), String.valueOf(Long.parseLong(m.group("failed")) + Long.parseLong(m.group("errors"))), refused, sink);
      } else if (BANDWIDTH.matcher(line).matches() || LATENCY.matcher(line).matches()) {
        put(section, i, "1", "0", refused, sink);
      }
    }
  }

  /** @param refused whether the module could not be opened: from release 2.6 on the GPU driver's DMA-BUF stands in */
  private static void put(Section section, int index, String total, String failed, boolean refused, Sink sink) {
    boolean ran = !total.equals("0");
    String id = !ran ? "" : !failed.equals("0") ? "gdrcopy-tests-failed" : refused ? "gdrcopy-works-without-module" : "gdrcopy-works";
    if (!id.isEmpty()) {
      sink.fact(new HostMessage(section.node(), id, failed.equals("0") ? Map.of() : Map.of("failed", failed, "total", total)), section.at(index));
    }
  }
}
