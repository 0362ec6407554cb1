package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.IommuRequest;
import gdrproof.facts.Host.KernelParameter;
import gdrproof.facts.Meta.Kind;
import gdrproof.policy.Policies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kernel's command line: /proc/cmdline, or the `Command line:` record of the kernel log. */
final class KernelParameters implements Collector {
  private static final Pattern LOG = Pattern.compile("(?:Kernel command line|Command line): (?<line>.+)$");
  private static final Pattern PROC = Pattern.compile("^(?<line>(?:BOOT_IMAGE=|initrd=|root=)\\S+(?:\\s.*)?)$");
  /** Parameters that kernels of any distribution and of virtual machines are started with. */
  private static final Pattern KNOWN = Pattern.compile(String.join("|", Policies.texts(Policies.read("linux.yaml").get("parameters"))));
  private static final Pattern NAMED = Pattern.compile("[A-Za-z][\\w.-]*+(?:=.*)?");
  /** Of a line without a boot loader's words so many must be known. */
  private static final int ENOUGH = 3;
  private static final Pattern CAT = Pattern.compile("/proc/cmdline");
  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]++|\"[^\"]*+\")++");

  @Override
  public String tool() {
    return "cat /proc/cmdline";
  }

  @Override
  public List<String> hints() {
    return List.of("ommand line: ", "BOOT_IMAGE=", "initrd=", "root=", "/proc/cmdline");
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<String> lines = section.lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      Matcher m = LOG.matcher(line);
      if (m.find() || (m = PROC.matcher(line)).matches()) {
        put(section, sink, i, m.group("line"));
        return;
      }
      if (section.command().equals(Fact.UNKNOWN) && alone(lines, i) && parameters(line)) {
        put(section, sink, i, line);
        return;
      }
      if (Views.command(section, CAT) && line.contains("=") && !line.contains(": ")) {
        put(section, sink, i, line);
        return;
      }
    }
  }

  /** What stands behind two dashes is for the first process, not for the kernel. */
  private static String own(String line) {
    int dashes = line.indexOf(" -- ");
    return dashes < 0 ? line : line.substring(0, dashes);
  }

  private static boolean alone(List<String> lines, int index) {
    return !lines.get(index).isBlank() && lines.stream().filter(l -> !l.isBlank()).count() == 1;
  }

  /** A line of nothing but parameters, as kernels have it that no boot loader started (direct boot of virtual machines, containers' own kernels). */
  private static boolean parameters(String line) {
    int known = 0;
    int valued = 0;
    Matcher word = WORD.matcher(own(line));
    while (word.find()) {
      String item = word.group();
      if (!NAMED.matcher(item).matches()) {
        return false;
      }
      int equals = item.indexOf('=');
      known += KNOWN.matcher(equals < 0 ? item : item.substring(0, equals)).matches() ? 1 : 0;
      valued += equals > 0 ? 1 : 0;
    }
    return known >= ENOUGH && valued > 1;
  }

  private static void put(Section section, Sink sink, int index, String text) {
    Map<String, String> values = new LinkedHashMap<>();
    Matcher word = WORD.matcher(own(text));
    while (word.find()) {
      String item = word.group().replace("\"", "");
      int equals = item.indexOf('=');
      values.put(equals < 0 ? item : item.substring(0, equals), equals < 0 ? "" : item.substring(equals + 1));
    }
    values.forEach((name, value) -> {
      if (!name.equals("BOOT_IMAGE") && !name.equals("root") && !name.contains("/")) {
        sink.fact(new KernelParameter(section.node(), name, value), section.at(index));
      }
    });
    sink.fact(new IommuRequest(section.node(), mode(values), vendor(values)), section.at(index));
    sink.looked(section, Kind.KERNEL_PARAMETERS, index);
  }

  /** Passthrough and off are said outright; a vendor switched on without them translates. */
  private static String mode(Map<String, String> values) {
    String iommu = values.getOrDefault("iommu", "");
    String intel = values.getOrDefault("intel_iommu", "");
    String amd = values.getOrDefault("amd_iommu", "");
    if (has(iommu, "off") || has(intel, "off") || has(amd, "off")) {
      return "off";
    }
    if (has(iommu, "pt") || values.getOrDefault("iommu.passthrough", "").equals("1")) {
      return "passthrough";
    }
    if (has(iommu, "nopt") || values.getOrDefault("iommu.passthrough", "").equals("0") || intel.contains("on") || has(iommu, "force")) {
      return "translated";
    }
    return "kernel-default";
  }

  private static boolean has(String list, String item) {
    return List.of(list.split(",")).contains(item);
  }

  private static String vendor(Map<String, String> values) {
    if (values.containsKey("intel_iommu")) {
      return "intel";
    }
    if (values.containsKey("amd_iommu")) {
      return "amd";
    }
    // The parameters of the common layer name no maker; consoles and kernels of their own, and pages of 64 KiB, are Arm's.
    boolean arm = values.keySet().stream().anyMatch(k -> k.startsWith("arm-smmu")) || values.getOrDefault("console", "").startsWith("ttyAMA")
        || values.getOrDefault("BOOT_IMAGE", "").matches(".*(?:-64k|aarch64|arm64).*");
    return arm ? "arm" : Fact.UNKNOWN;
  }
}
