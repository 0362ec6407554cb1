package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CUDA samples' bandwidthTest (up to CUDA 12, quick and range mode): copies between pinned host memory and one GPU. Copies of pageable memory measure the
 * processor, and `--device=all` adds GPUs up; both are passed over.
 */
final class BandwidthTest implements Collector {
  private static final Pattern DEVICE = Pattern.compile("^ ?Device (?<gpu>\\d{1,2}): \\S.*");
  private static final Pattern WAY = Pattern.compile("^ (?<from>Host|Device) to (?<to>Host|Device) Bandwidth, (?<devices>\\d+) Device\\(s\\)\\s*$");
  private static final Pattern MEMORY = Pattern.compile("^ (?<kind>PINNED|PAGEABLE) Memory Transfers\\s*$");
  private static final Pattern HEAD = Pattern.compile("^\\s+Transfer Size \\(Bytes\\)\\s+Bandwidth\\((?<unit>GB|MB)/s\\)\\s*$");
  private static final Pattern ROW = Pattern.compile("^\\s+(?<bytes>\\d+)\\s+(?<value>\\d+(?:\\.\\d+)?)\\s*$");

  @Override
  public String tool() {
    return "bandwidthTest";
  }

  @Override
  public java.util.List<String> hints() {
    return java.util.List.of("Bandwidth, ");
  }

  @Override
  public void collect(Section section, Sink sink) {
    String gpu = "";
    String way = "";
    boolean pinned = false;
    String unit = "";
    int best = -1;
    Num highest = Num.UNKNOWN;
    for (int i = 0; i <= section.lines().size(); i++) {
      String line = i < section.lines().size() ? section.lines().get(i) : "";
      Matcher m;
      if (!unit.isEmpty() && (m = ROW.matcher(line)).matches()) {
        Num value = Num.parse(m.group("value"));
        if (best < 0 || value.above(highest.value())) {
          best = i;
          highest = value;
        }
        sink.understood(section, i);
        continue;
      }
      // The highest figure of a range is that of large copies.
      if (best >= 0 && pinned && !way.isEmpty() && !gpu.isEmpty()) {
        Num value = unit.equals("MB") ? highest.over(Num.of(1000)) : highest;
        sink.fact(new GpuMatrixCell(section.node(), "bandwidthTest#" + way, GpuSets.METRIC, gpu, "GPU" + gpu, value, "GB/s"), section.at(best));
      }
      best = -1;
      unit = "";
      if ((m = DEVICE.matcher(line)).matches()) {
        gpu = m.group("gpu");
      } else if ((m = WAY.matcher(line)).matches()) {
        boolean alone = m.group("devices").equals("1") && !m.group("from").equals(m.group("to"));
        way = alone ? m.group("from").equals("Host") ? "host-to-device" : "device-to-host" : "";
      } else if ((m = MEMORY.matcher(line)).matches()) {
        pinned = m.group("kind").equals("PINNED");
      } else if ((m = HEAD.matcher(line)).matches()) {
        unit = m.group("unit");
      }
    }
  }
}
