package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.SXid;
import gdrproof.facts.Gpu.SmiError;
import gdrproof.facts.Gpu.Xid;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.AerErrors;
import gdrproof.facts.Pcie.IommuFault;
import gdrproof.facts.Pcie.IommuState;
import gdrproof.facts.Pcie.PciBandwidth;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kernel log (dmesg, journalctl -k, syslog): IOMMU, PCIe errors, GPU and NVSwitch error records, the PCIe bandwidth that drivers complain of. */
final class KernelLog implements Collector {
  private static final String BDF = "(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]";
  private static final Pattern XID = Pattern.compile("NVRM: Xid \\(PCI:(?<pci>[0-9a-fA-F:.]+)\\): (?<xid>\\d+)(?:, )?(?<text>.*)$");
  private static final Pattern SXID = Pattern.compile("SXid \\(PCI:(?<pci>[0-9a-fA-F:.]+)\\): (?<code>\\d+)(?:, )?(?<text>.*)$");
  private static final Pattern OFF_BUS = Pattern.compile("NVRM: (?:The NVIDIA )?GPU (?:at PCI:)?(?<pci>(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\\.[0-7])?):? .*(?:has fallen off the bus|GPU is lost)");
  /** The same in three lines: the address, the identifier, this end. */
  private static final Pattern OFF_BUS_END = Pattern.compile("NVRM: fallen off the bus and is not responding to commands");
  private static final Pattern OFF_BUS_START = Pattern.compile("NVRM: The NVIDIA GPU (?<pci>[0-9a-fA-F:.]+)\\s*$");
  private static final int OFF_BUS_LINES = 3;
  private static final Pattern INIT = Pattern.compile("NVRM: GPU (?<pci>[0-9a-fA-F:.]+): (?:RmInitAdapter failed|Failed to copy vbios)");
  private static final Pattern MISMATCH = Pattern.compile("NVRM: API mismatch: the client has the version (?<client>[\\d.]+)");
  private static final Pattern DOMAIN = Pattern.compile("iommu: Default domain type: (?<mode>Passthrough|Translated)");
  private static final Pattern INTEL_ON = Pattern.compile("DMAR: IOMMU enabled|DMAR: Intel\\(R\\) Virtualization Technology for Directed I/O");
  private static final Pattern INTEL = Pattern.compile("\\bDMAR: (?:Host address width|DRHD base)|ACPI: DMAR ");
  private static final Pattern AMD_ON = Pattern.compile("AMD-Vi: (?:Interrupt remapping enabled|Virtual APIC enabled|X2APIC enabled|Lazy IO/TLB flushing enabled|.*performance counters supported)");
  private static final Pattern ARM_ON = Pattern.compile("arm-smmu(?:-v3)? \\S+: (?:ias|oas|option|allocated|features)");
  private static final Pattern DMAR_FAULT = Pattern.compile(
      "DMAR: ?(?:DMAR: ?)?\\[DMA (?<access>Read|Write)(?: NO_PASID)?] Request device \\[(?<pci>" + BDF + ")](?: PASID \\S+)? fault addr [0-9a-fx]+(?: ?\\[fault reason (?<reason>0x[0-9a-f]+|\\d+)|\\s*$)");
  /** Kernels before 4.5 say the reason in the next line. */
  private static final Pattern DMAR_REASON = Pattern.compile("DMAR: ?\\[fault reason (?<reason>0x[0-9a-f]+|\\d+)");
  private static final Pattern AMD_FAULT = Pattern.compile("(?:(?<pci>" + BDF + "): )?AMD-Vi: Event logged \\[(?<reason>IO_PAGE_FAULT|INVALID_DEVICE_REQUEST|ILLEGAL_DEV_TABLE_ENTRY)(?: device=(?<device>" + BDF + "))?.*");
  /** Linux 6.14 and later name the event and the device; earlier ones print a number, and the stream's in the record below, which only firmware tables tie to a device. */
  private static final Pattern ARM_FAULT = Pattern.compile(
      "arm-smmu(?:-v3)? \\S+:\\s+(?:event: (?<reason>[FC]_\\w+) client: (?:(?<pci>" + BDF + ")|\\S+)|event: (?<plain>[FC]_\\w+)|event 0x(?<code>02|06|10|11|12|13) received|Unhandled (?<context>context) fault: fsr=)");
  private static final Map<String, String> ARM_EVENTS = Map.of("02", "C_BAD_STREAMID", "06", "F_STREAM_DISABLED", "10", "F_TRANSLATION", "11", "F_ADDR_SIZE", "12", "F_ACCESS", "13", "F_PERMISSION");
  private static final Pattern AER = Pattern.compile(
      "(?<pci>" + BDF + "): (?:AER: )?PCIe Bus Error: severity=(?<severity>Corrected|Correctable|Uncorrected \\((?:Non-)?Fatal\\)|Uncorrectable \\((?:Non-)?Fatal\\)), type=(?<layer>[^,]+),");
  /** The root port's own line, which names the device that sent the report (Linux 4.19 and later); it stands alone where the kernel left the report out. */
  private static final Pattern AER_RECEIVED = Pattern.compile(
      "AER: (?:Multiple )?(?<severity>Corrected|Correctable|Uncorrect(?:ed|able) \\((?:Non-)?Fatal\\)) error(?: message)? received(?: from|:) (?<pci>" + BDF + ")");
  private static final Pattern SUPPRESSED = Pattern.compile("\\b(?:aer_print_error|pci_print_aer|pcie_print_tlp_log|aer_isr_one_error|__aer_print_error|aer_ratelimit): (?<count>\\d+) callbacks suppressed");
  private static final Pattern BANDWIDTH = Pattern.compile("(?<pci>" + BDF + "): (?<available>[\\d.]+) Gb/s available PCIe bandwidth"
      + "(?:, limited by (?<limit>[\\d.]+ GT/s PCIe x\\d+) link at (?<at>" + BDF + ") \\(capable of (?<capable>[\\d.]+) Gb/s)?");

  /** util-linux, older util-linux, BusyBox; journalctl without the group. */
  private static final Pattern REFUSED = Pattern.compile("^(?:dmesg: (?:read kernel buffer failed|klogctl(?: failed)?|(?:can't|cannot) read (?:the )?kernel (?:log|buffer)\\S*): |"
      + "No journal files were opened due to insufficient permissions)");

  private static final String AER_KEY = "aer ";

  /** Xid number to kind, from the policy file. */
  private static final Map<String, String> KINDS = kinds();

  private static Map<String, String> kinds() {
    Map<String, String> kinds = new java.util.HashMap<>();
    Policies.read("xids.yaml").forEach((kind, entry) -> Policies.texts(Policies.map(entry).get("numbers")).forEach(n -> kinds.put(n, kind)));
    return kinds;
  }

  /** One counted kind of record. */
  private record Counted(Function<Num, Fact> fact, List<Evidence> lines) {}

  @Override
  public String tool() {
    return "dmesg";
  }

  @Override
  public List<String> hints() {
    return List.of("NVRM", "SXid", "iommu", "DMAR", "AMD-Vi", "arm-smmu", "PCIe Bus Error", "available PCIe bandwidth", "callbacks suppressed", "read kernel buffer failed", "klogctl", "kernel log", "journal files");
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, Counted> counted = new LinkedHashMap<>();
    Tri enabled = Tri.UNKNOWN;
    String vendor = Fact.UNKNOWN;
    String mode = Fact.UNKNOWN;
    int state = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      if (!line.contains(": ") && !line.startsWith("No journal") || line.length() > 4_000) {
        continue;
      }
      Matcher domain = DOMAIN.matcher(line);
      boolean intel = INTEL_ON.matcher(line).find();
      boolean amd = AMD_ON.matcher(line).find();
      boolean arm = ARM_ON.matcher(line).find();
      if (domain.find()) {
        mode = domain.group("mode").toLowerCase(Locale.ROOT);
        state = i;
      } else if (intel || amd || arm) {
        enabled = Tri.YES;
        vendor = intel ? "intel" : amd ? "amd" : "arm";
        state = state < 0 ? i : state;
        sink.understood(section, i);
      } else if (INTEL.matcher(line).find()) {
        // The firmware offers one; only the line "IOMMU enabled" says that the kernel uses it.
        enabled = enabled == Tri.YES ? Tri.YES : Tri.NO;
        vendor = "intel";
        state = state < 0 ? i : state;
        sink.understood(section, i);
      } else {
        record(section, i, line, counted, sink);
      }
      if (REFUSED.matcher(line).find()) {
        sink.unread(section, i, "kernel log is not readable: " + line.substring(line.lastIndexOf(':') + 1).strip());
      }
    }
    if (state >= 0) {
      sink.fact(new IommuState(section.node(), vendor, enabled, mode), section.at(state));
    }
    long suppressed = 0;
    List<Evidence> hidden = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher m = line.length() > 4_000 ? SUPPRESSED.matcher("") : SUPPRESSED.matcher(line);
      if (m.find()) {
        suppressed += Long.parseLong(m.group("count").substring(0, Math.min(9, m.group("count").length())));
        hidden.add(section.at(i));
      }
    }
    received(section, counted);
    // What the kernel left out belongs to a device only where it is the only one that reports; it tells no layer, so the layer it reports most has it.
    List<String> reports = counted.keySet().stream().filter(k -> k.startsWith(AER_KEY)).toList();
    boolean one = reports.stream().map(KernelLog::device).distinct().count() == 1;
    String most = one ? reports.stream().sorted().max(java.util.Comparator.comparingInt(k -> counted.get(k).lines().size())).orElse("") : "";
    long more = suppressed;
    counted.forEach((key, c) -> {
      Fact fact = c.fact().apply(Num.of(c.lines().size() + (key.equals(most) ? more : 0)));
      c.lines().forEach(e -> sink.fact(fact, e));
      if (key.equals(most)) {
        hidden.forEach(e -> sink.fact(fact, e));
      }
    });
  }

  private static void record(Section section, int i, String line, Map<String, Counted> counted, Sink sink) {
    String node = section.node();
    Matcher m;
    if ((m = XID.matcher(line)).find()) {
      sink.fact(new Xid(node, Addresses.normal(m.group("pci")), Num.parse(m.group("xid")), KINDS.getOrDefault(m.group("xid"), "other"), text(m.group("text"))), section.at(i));
    } else if ((m = SXID.matcher(line)).find()) {
      sink.fact(new SXid(node, Addresses.normal(m.group("pci")), Num.parse(m.group("code")), text(m.group("text"))), section.at(i));
    } else if ((m = OFF_BUS.matcher(line)).find()) {
      sink.fact(new SmiError(node, "gpu-unreachable", Addresses.normal(m.group("pci")), "GPU has fallen off the bus"), section.at(i));
    } else if (OFF_BUS_END.matcher(line).find()) {
      offBus(section, i, sink);
    } else if ((m = INIT.matcher(line)).find()) {
      sink.fact(new SmiError(node, "gpu-init-failed", Addresses.normal(m.group("pci")), line.substring(m.start())), section.at(i));
    } else if ((m = MISMATCH.matcher(line)).find()) {
      sink.fact(new SmiError(node, "driver-library-mismatch", Fact.UNKNOWN, line.substring(m.start())), section.at(i));
    } else if ((m = DMAR_FAULT.matcher(line)).find()) {
      fault(section, i, "intel", m.group("pci"), m.group("access"), m.group("reason") == null ? reason(section, i + 1) : m.group("reason"), counted);
    } else if ((m = AMD_FAULT.matcher(line)).find()) {
      fault(section, i, "amd", m.group("pci") != null ? m.group("pci") : m.group("device"), Fact.UNKNOWN, m.group("reason"), counted);
    } else if ((m = ARM_FAULT.matcher(line)).find()) {
      fault(section, i, "arm", m.group("pci"), Fact.UNKNOWN, armReason(m), counted);
    } else if ((m = AER.matcher(line)).find()) {
      String address = Addresses.normal(m.group("pci"));
      String severity = severity(m.group("severity"));
      String layer = m.group("layer");
      counted.computeIfAbsent(AER_KEY + address + " " + severity + layer, k -> new Counted(n -> new AerErrors(node, address, severity, layer, n), new ArrayList<>())).lines().add(section.at(i));
    } else if ((m = BANDWIDTH.matcher(line)).find()) {
      sink.fact(new PciBandwidth(node, Addresses.normal(m.group("pci")), Num.parse(m.group("available")), Num.parse(m.group("capable")),
          m.group("limit") == null ? Fact.UNKNOWN : m.group("limit"), m.group("at") == null ? Fact.UNKNOWN : Addresses.normal(m.group("at"))), section.at(i));
    }
  }

  private static String armReason(Matcher fault) {
    return fault.group("reason") != null ? fault.group("reason") : fault.group("plain") != null ? fault.group("plain")
        : fault.group("code") != null ? ARM_EVENTS.get(fault.group("code")) : "F_TRANSLATION";
  }

  private static String reason(Section section, int next) {
    Matcher reason = DMAR_REASON.matcher(next < section.lines().size() ? section.lines().get(next) : "");
    return reason.find() ? reason.group("reason") : Fact.UNKNOWN;
  }

  /** Devices that a root port names and that have no report of their own. */
  private static void received(Section section, Map<String, Counted> counted) {
    Set<String> reported = new java.util.HashSet<>();
    counted.keySet().stream().filter(k -> k.startsWith(AER_KEY)).forEach(k -> reported.add(device(k)));
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher m = line.length() > 4_000 || !line.contains("AER: ") ? AER_RECEIVED.matcher("") : AER_RECEIVED.matcher(line);
      if (m.find() && !reported.contains(Addresses.normal(m.group("pci")))) {
        String address = Addresses.normal(m.group("pci"));
        String severity = severity(m.group("severity"));
        counted.computeIfAbsent(AER_KEY + address + " " + severity, k -> new Counted(n -> new AerErrors(section.node(), address, severity, Fact.UNKNOWN, n), new ArrayList<>())).lines().add(section.at(i));
      }
    }
  }

  private static String severity(String text) {
    return text.startsWith("Corr") ? "corrected" : text.contains("Non") ? "nonfatal" : "fatal";
  }

  /** Address in the key of a count of PCIe errors. */
  private static String device(String key) {
    return key.substring(AER_KEY.length()).split(" ", 2)[0];
  }

  private static void offBus(Section section, int end, Sink sink) {
    for (int i = end - 1; i >= Math.max(0, end - OFF_BUS_LINES); i--) {
      Matcher m = OFF_BUS_START.matcher(section.lines().get(i));
      if (m.find()) {
        sink.fact(new SmiError(section.node(), "gpu-unreachable", Addresses.normal(m.group("pci")), "GPU has fallen off the bus"), section.at(i, end));
        return;
      }
    }
  }

  private static void fault(Section section, int i, String vendor, String pci, String access, String reason, Map<String, Counted> counted) {
    String address = pci == null ? Fact.UNKNOWN : Addresses.normal(pci);
    String code = reason.matches("\\d+") ? "0x" + reason : reason;
    counted.computeIfAbsent("fault" + address + access + code,
        k -> new Counted(n -> new IommuFault(section.node(), vendor, address, access, code, n), new ArrayList<>())).lines().add(section.at(i));
  }

  /** The record's words without pid and process name, so that one fault told for two processes is one statement. */
  private static String text(String text) {
    return text.replaceAll("(?:pid|name|channel|Ch)=?'?<?[\\w./:-]*>?'?,? ?", "").strip();
  }
}
