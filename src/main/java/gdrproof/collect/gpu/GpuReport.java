package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.ClockReason;
import gdrproof.facts.Gpu.GpuClocks;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.GpuFabric;
import gdrproof.facts.Gpu.GpuMemory;
import gdrproof.facts.Gpu.GpuMemoryErrors;
import gdrproof.facts.Gpu.GpuMode;
import gdrproof.facts.Gpu.GpuPcie;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What nvidia-smi says of one GPU in one snapshot, whatever the form (text, XML, CSV), as paths in lower case with `/` between levels and
 * blanks, dots, hyphens and underscores all written `_`. Values of one snapshot must stay together: a generation of 1 means nothing without
 * the performance state beside it.
 */
final class GpuReport {
  private record Entry(String value, int index) {}

  /** Names of one value in text, XML and CSV, as ends of paths. The first that the report has counts. */
  private static final Map<String, List<String>> NAMES = Map.ofEntries(
      Map.entry("address", List.of("pci/bus_id", "pci/pci_bus_id", "pci_bus_id", "gpu_bus_id")),
      Map.entry("model", List.of("product_name", "name", "gpu_name")),
      Map.entry("gen", List.of("pcie_generation/current", "pcie_gen/current_link_gen", "pcie_link_gen_current", "pcie_link_gen_gpucurrent")),
      Map.entry("genMax", List.of("pcie_generation/max", "pcie_gen/max_link_gen", "pcie_link_gen_max")),
      Map.entry("genHost", List.of("pcie_generation/host_max", "pcie_gen/max_host_link_gen", "pcie_link_gen_hostmax")),
      Map.entry("width", List.of("link_width/current", "link_widths/current_link_width", "pcie_link_width_current")),
      Map.entry("widthMax", List.of("link_width/max", "link_widths/max_link_width", "pcie_link_width_max")),
      Map.entry("replays", List.of("replays_since_reset", "replay_counter", "pcie_replay_counter")),
      Map.entry("pstate", List.of("performance_state", "pstate")),
      Map.entry("util", List.of("utilization/gpu", "utilization/gpu_util", "utilization_gpu")),
      Map.entry("sm", List.of("clocks/sm", "clocks/sm_clock", "clocks_sm", "clocks_current_sm")),
      Map.entry("smMax", List.of("max_clocks/sm", "max_clocks/sm_clock", "clocks_max_sm")),
      Map.entry("power", List.of("gpu_power_readings/average_power_draw", "gpu_power_readings/power_draw", "power_readings/power_draw",
          "gpu_power_readings/instant_power_draw", "power_draw")),
      Map.entry("limit", List.of("gpu_power_readings/current_power_limit", "power_readings/power_limit", "power_readings/enforced_power_limit",
          "gpu_power_readings/power_limit", "enforced_power_limit", "power_limit")),
      Map.entry("limitDefault", List.of("gpu_power_readings/default_power_limit", "power_readings/default_power_limit", "power_default_limit")),
      Map.entry("mask", List.of("clocks_event_reasons_active", "clocks_throttle_reasons_active")),
      Map.entry("fabricState", List.of("fabric/state", "fabric_state")),
      Map.entry("fabricStatus", List.of("fabric/status", "fabric_status")),
      Map.entry("clique", List.of("fabric/cliqueid", "fabric_cliqueid")),
      Map.entry("cluster", List.of("fabric/clusteruuid", "fabric_clusteruuid")),
      Map.entry("remapPending", List.of("remapped_rows/pending", "remapped_rows/remapped_row_pending", "remapped_rows_pending", "retired_pages/pending_page_blacklist",
          "retired_pages/pending_blacklist", "retired_pages_pending")),
      Map.entry("remapFailed", List.of("remapped_rows/remapping_failure_occurred", "remapped_rows/remapped_row_failure", "remapped_rows_failure")),
      Map.entry("memory", List.of("fb_memory_usage/total", "memory_total")),
      Map.entry("memoryUsed", List.of("fb_memory_usage/used", "memory_used")),
      Map.entry("bar1", List.of("bar1_memory_usage/total")),
      Map.entry("bar1Used", List.of("bar1_memory_usage/used")));

  private static final Map<String, List<String>> MODES = new LinkedHashMap<>();

  static {
    MODES.put("persistence", List.of("persistence_mode"));
    MODES.put("mig", List.of("mig_mode/current", "mig_mode/current_mig", "mig_mode_current"));
    MODES.put("ecc", List.of("ecc_mode/current", "ecc_mode/current_ecc", "ecc_mode_current"));
    MODES.put("addressing", List.of("addressing_mode"));
    MODES.put("c2c", List.of("gpu_c2c_mode", "c2c_mode"));
    MODES.put("virtualization", List.of("virtualization_mode"));
    MODES.put("compute", List.of("compute_mode"));
    MODES.put("recovery-action", List.of("gpu_recovery_action"));
  }

  /** Modes of parts that some boards lack. */
  private static final List<String> HARDWARE = List.of("ecc", "c2c");

  /** Reasons by the bit of NVML's mask. */
  private static final List<String> REASONS = List.of("idle", "applications-clocks-setting", "sw-power-cap", "hw-slowdown", "sync-boost", "sw-thermal-slowdown",
      "hw-thermal-slowdown", "hw-power-brake-slowdown", "display-clock-setting");

  private final Map<String, Entry> values = new LinkedHashMap<>();
  private final int first;

  GpuReport(int first) {
    this.first = first;
  }

  /** One spelling for a level of a path, whatever tool wrote it. */
  static String key(String text) {
    return text.strip().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9/]+", "_").replaceAll("^_|_$", "");
  }

  void put(String path, String value, int index) {
    values.putIfAbsent(path, new Entry(value.strip(), index));
  }

  boolean has(String end) {
    return find(List.of(end)) != null;
  }

  boolean empty() {
    return values.isEmpty();
  }

  private Entry find(List<String> ends) {
    for (String end : ends) {
      for (Map.Entry<String, Entry> value : values.entrySet()) {
        if (value.getKey().equals(end) || value.getKey().endsWith("/" + end)) {
          return value.getValue();
        }
      }
    }
    return null;
  }

  /** Text of a value; N/A, [N/A] and absence are unknown. */
  String text(String name) {
    return shown(find(NAMES.get(name)));
  }

  /** What stands in brackets is said instead of a value: `[N/A]`, `[Insufficient Permissions]`, `[Requested functionality has been deprecated]`. */
  private static String shown(Entry entry) {
    return entry == null || entry.value().isEmpty() || entry.value().matches("(?:N/A|Not Supported|Unknown Error|GPU is lost|GPU requires reset).*|\\[.*") ? Fact.UNKNOWN : entry.value();
  }

  /** A value without its unit: `16x`, `700.00 W`, `81559 MiB`, `0 %`. */
  private Num number(String name) {
    return plain(text(name));
  }

  private static Num plain(String text) {
    return Num.parse(text.replaceFirst("^(-?[0-9.]+).*$", "$1"));
  }

  private Evidence at(Section section, String... names) {
    for (String name : names) {
      Entry entry = find(NAMES.get(name));
      if (entry != null && !shown(entry).equals(Fact.UNKNOWN)) {
        return section.at(entry.index());
      }
    }
    return section.at(first);
  }

  /** Whether the GPU was awake: idle boards lower clocks and PCIe generation. Performance state 0 of an idle HBM board says neither. */
  private Tri active() {
    Num util = number("util");
    String pstate = text("pstate");
    Tri idle = reason("idle");
    boolean low = pstate.matches("P[012]");
    if (util.above(0)) {
      return Tri.YES;
    }
    if (idle == Tri.YES) {
      return low ? Tri.UNKNOWN : Tri.NO;
    }
    if (!pstate.equals(Fact.UNKNOWN)) {
      return low ? Tri.YES : pstate.matches("P[34]") ? Tri.UNKNOWN : Tri.NO;
    }
    return idle == Tri.NO ? Tri.YES : Tri.UNKNOWN;
  }

  private Tri reason(String reason) {
    Entry entry = reasonEntry(reason);
    if (entry != null) {
      return entry.value().equalsIgnoreCase("Active") ? Tri.YES : entry.value().equalsIgnoreCase("Not Active") ? Tri.NO : Tri.UNKNOWN;
    }
    String mask = text("mask");
    if (mask.startsWith("0x")) {
      try {
        return Tri.of((Long.parseLong(mask.substring(2), 16) >> REASONS.indexOf(reason) & 1) == 1);
      } catch (NumberFormatException e) {
        return Tri.UNKNOWN;
      }
    }
    return Tri.UNKNOWN;
  }

  private Entry reasonEntry(String reason) {
    String name = reason.replace('-', '_');
    for (Map.Entry<String, Entry> value : values.entrySet()) {
      String path = value.getKey();
      String last = path.substring(path.lastIndexOf('/') + 1);
      boolean block = path.matches("(?:.*/)?clocks_(?:event|throttle)_reasons[/_].*") && !path.contains("counters");
      if (block && (last.equals(name) || last.endsWith("reason_" + name) || last.endsWith("reasons_" + name) || last.endsWith("reason_gpu_" + name)
          || last.endsWith("reasons_gpu_" + name) || last.endsWith("reason_" + name.replace("clock_setting", "clocks_setting")))) {
        return value.getValue();
      }
    }
    return null;
  }

  /** Puts everything the report holds; the name is `GPUn`, an address, or unknown. */
  void emit(Section section, String gpu, Sink sink) {
    String node = section.node();
    String address = Addresses.normal(text("address"));
    if (!address.equals(Fact.UNKNOWN)) {
      sink.fact(new GpuDevice(node, gpu, address, text("model")), at(section, "address"));
    }
    Num gen = number("gen");
    Num width = number("width");
    if (gen.known() || width.known() || number("replays").known() || number("genMax").known()) {
      boolean narrow = width.below(number("widthMax"));
      sink.fact(new GpuPcie(node, gpu, gen, number("genMax"), number("genHost"), width, number("widthMax"), number("replays"), active()),
          narrow ? at(section, "width") : at(section, "gen", "width", "replays"));
    }
    if (has("performance_state") || has("pstate") || number("sm").known() || number("limit").known()) {
      sink.fact(new GpuClocks(node, gpu, text("pstate"), number("sm"), number("smMax"), number("power"), number("limit"), number("limitDefault"), active()),
          at(section, "sm", "pstate", "limit"));
    }
    for (String reason : REASONS) {
      Tri state = reason(reason);
      if (state != Tri.UNKNOWN) {
        Entry entry = reasonEntry(reason);
        sink.fact(new ClockReason(node, gpu, reason, state), entry == null ? at(section, "mask") : section.at(entry.index()));
      }
    }
    MODES.forEach((name, ends) -> {
      Entry entry = find(ends);
      // What the board cannot have is printed as such, and tells boards apart.
      boolean cannot = entry != null && HARDWARE.contains(name) && entry.value().matches("\\[?N/A\\]?");
      if (cannot) {
        sink.fact(new GpuMode(node, gpu, name, "N/A"), section.at(entry.index()));
      } else if (!shown(entry).equals(Fact.UNKNOWN)) {
        sink.fact(new GpuMode(node, gpu, name, entry.value()), section.at(entry.index()));
      }
    });
    if (find(NAMES.get("fabricState")) != null || find(NAMES.get("clique")) != null) {
      GpuFabric fabric = new GpuFabric(node, gpu, text("fabricState"), text("fabricStatus"), text("clique"), text("cluster"));
      sink.fact(fabric, text("fabricState").equals("Completed") ? at(section, "clique", "fabricState") : at(section, "fabricState", "clique"));
    }
    memory(section, gpu, sink);
  }

  private void memory(Section section, String gpu, Sink sink) {
    Num now = errors("volatile");
    Num life = errors("aggregate");
    Tri pending = yes(text("remapPending"));
    Tri failed = yes(text("remapFailed"));
    if (now.known() || life.known() || pending != Tri.UNKNOWN || failed != Tri.UNKNOWN) {
      Entry worst = values.entrySet().stream().filter(e -> uncorrectable(e.getKey(), "volatile") && plain(e.getValue().value()).above(0)).map(Map.Entry::getValue)
          .findFirst().orElse(null);
      sink.fact(new GpuMemoryErrors(section.node(), gpu, now, life, pending, failed),
          worst == null ? at(section, pending == Tri.YES ? "remapPending" : "remapFailed", "remapPending") : section.at(worst.index()));
    }
    if (number("memory").known() || number("bar1").known()) {
      sink.fact(new GpuMemory(section.node(), gpu, number("memory"), number("memoryUsed"), number("bar1"), number("bar1Used")), at(section, "bar1", "memory"));
    }
  }

  private static boolean uncorrectable(String path, String age) {
    return path.contains(age) && path.matches(".*(?:uncorrect(?:able|ed)|double_bit).*") && !path.contains("sources");
  }

  /** Their sum; where the tool prints the total beside the parts, the total. */
  private Num errors(String age) {
    Num sum = Num.UNKNOWN;
    for (Map.Entry<String, Entry> value : values.entrySet()) {
      Num count = uncorrectable(value.getKey(), age) ? plain(shown(value.getValue())) : Num.UNKNOWN;
      if (count.known() && value.getKey().endsWith("total")) {
        return count;
      }
      if (count.known()) {
        sum = Num.of((sum.known() ? sum.value() : 0) + count.value());
      }
    }
    return sum;
  }

  static Tri yes(String text) {
    return text.equalsIgnoreCase("Yes") ? Tri.YES : text.equalsIgnoreCase("No") ? Tri.NO : Tri.UNKNOWN;
  }
}
