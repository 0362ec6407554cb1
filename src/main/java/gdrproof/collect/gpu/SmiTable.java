package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuLoad;
import gdrproof.facts.Gpu.GpuProcess;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Gpu.SmiError;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The plain table of `nvidia-smi`, drivers 418 to 610; Windows prints the driver model in place of persistence mode. */
final class SmiTable implements Collector {
  private static final Pattern BANNER = Pattern.compile("^\\| NVIDIA-SMI\\s+(?<smi>\\S+)\\s+(?:Driver Version|KMD Version):\\s*(?<driver>\\S+)(?:\\s+CUDA (?:Version|UMD Version):\\s*(?<cuda>\\S+))?.*\\|$");
  /** `nvidia-smi --version`; from driver 610 on the driver's line points to the one named KMD. */
  private static final Pattern VERSION = Pattern.compile("^(?<key>DRIVER version|KMD version|CUDA (?:UMD )?[Vv]ersion)\\s*: (?<value>\\d[\\d.]*)$");
  private static final Pattern FIRST = Pattern.compile(
      "^\\|\\s+(?<index>\\d+)\\s+(?<name>\\S.*?)\\s+(?<persistence>On|Off|ERR!|N/A|WDDM|TCC|MCDM)\\s*\\|\\s*(?<address>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])\\s+\\S+\\s*\\|\\s*(?<ecc>\\S+).*\\|$");
  private static final Pattern SECOND = Pattern.compile(
      "^\\|\\s*(?<fan>\\S+)\\s+(?<temp>\\S+)\\s+(?<perf>P\\d+|ERR!)\\s+(?<power>\\S+)\\s*/\\s*(?<cap>\\S+)\\s*\\|\\s*(?<used>\\S+)\\s*/\\s*(?<total>\\S+)\\s*\\|\\s*(?<util>\\S+)\\s+(?<compute>\\S.*?)\\s*\\|$");
  private static final Pattern THIRD = Pattern.compile("^\\|\\s+\\|\\s+\\|\\s*(?<mig>Disabled|Enabled\\*?|N/A|Disabled\\*)\\s*\\|$");

  private static final Pattern PROCESS = Pattern.compile(
      "^\\|\\s+(?<index>\\d+)\\s+(?:\\S+\\s+\\S+\\s+)?(?<pid>\\d+)\\s+(?<type>[CGM](?:\\+[CG])?)\\s+(?<name>\\S.*?)\\s+(?<used>\\d+MiB|N/A)\\s*\\|$");

  @Override
  public String tool() {
    return "nvidia-smi";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      int banner = -1;
      int gpus = 0;
      for (int i = 0; i < view.lines().size(); i++) {
        Matcher top = BANNER.matcher(view.lines().get(i).strip());
        if (top.matches()) {
          banner = i;
          sink.fact(new SmiDriver(view.node(), top.group("driver"), top.group("cuda") == null ? Fact.UNKNOWN : top.group("cuda")), view.at(i));
        }
        if (view.lines().get(i).startsWith("NVIDIA-SMI version")) {
          versions(view, i, sink);
        }
        Matcher process = PROCESS.matcher(view.lines().get(i).strip());
        if (process.matches()) {
          sink.fact(new GpuProcess(view.node(), "GPU" + process.group("index"), Num.parse(process.group("pid")), process.group("name"),
              Num.parse(process.group("used").replace("MiB", ""))), view.at(i));
        }
        Matcher row = FIRST.matcher(view.lines().get(i).strip());
        if (row.matches()) {
          gpus++;
          gpu(view, i, row, sink);
        }
        if (banner >= 0 && gpus > 0 && view.lines().get(i).contains("Processes:")) {
          // The table of processes stands below the last GPU: the list above it is whole.
          sink.fact(new GpuCount(view.node(), Num.of(gpus)), view.at(banner));
          sink.looked(view, Kind.GPUS, banner);
          gpus = 0;
        }
      }
      if (banner >= 0 && gpus > 0) {
        sink.unread(view, view.lines().size() - 1, "table of nvidia-smi has no end: GPUs may be missing");
      }
    }
  }

  private static void versions(Section section, int at, Sink sink) {
    String driver = Fact.UNKNOWN;
    String cuda = Fact.UNKNOWN;
    int line = at;
    for (int i = at + 1; i < section.lines().size() && section.lines().get(i).contains(": "); i++) {
      Matcher m = VERSION.matcher(section.lines().get(i).strip());
      if (m.matches() && m.group("key").startsWith("CUDA")) {
        cuda = m.group("value");
      } else if (m.matches()) {
        driver = m.group("value");
        line = i;
      }
    }
    if (!driver.equals(Fact.UNKNOWN)) {
      sink.fact(new SmiDriver(section.node(), driver, cuda), section.at(line));
    }
  }

  private static void gpu(Section section, int at, Matcher row, Sink sink) {
    GpuReport report = new GpuReport(at);
    String gpu = "GPU" + row.group("index");
    report.put("pci/bus_id", row.group("address"), at);
    report.put("product_name", row.group("name"), at);
    report.put("persistence_mode", row.group("persistence").equals("On") ? "Enabled" : row.group("persistence").equals("Off") ? "Disabled" : "N/A", at);
    report.put("ecc/volatile_uncorrectable", row.group("ecc"), at);
    boolean broken = row.group().contains("ERR!");
    for (int i = at + 1; i < Math.min(at + 4, section.lines().size()); i++) {
      String line = section.lines().get(i).strip();
      broken |= line.contains("ERR!");
      Matcher second = SECOND.matcher(line);
      Matcher third = THIRD.matcher(line);
      if (second.matches()) {
        report.put("performance_state", second.group("perf"), i);
        report.put("gpu_power_readings/power_draw", second.group("power"), i);
        report.put("gpu_power_readings/power_limit", second.group("cap"), i);
        report.put("fb_memory_usage/used", second.group("used"), i);
        report.put("fb_memory_usage/total", second.group("total"), i);
        report.put("utilization/gpu", second.group("util"), i);
        Num percent = Num.parse(second.group("util").replace("%", ""));
        if (percent.known()) {
          sink.fact(new GpuLoad(section.node(), gpu, percent), section.at(i));
        }
        report.put("compute_mode", second.group("compute"), i);
        sink.understood(section, i);
      } else if (third.matches()) {
        report.put("mig_mode/current", third.group("mig").replace("*", ""), i);
        sink.understood(section, i);
      } else if (!line.startsWith("|") || line.startsWith("|=")) {
        break;
      }
    }
    report.emit(section, gpu, sink);
    if (broken) {
      sink.fact(new SmiError(section.node(), "gpu-unreachable", Addresses.normal(row.group("address")), "ERR! in the table of nvidia-smi"), section.at(at));
    }
  }
}
