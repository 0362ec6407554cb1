package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.GpuMode;
import gdrproof.facts.Gpu.NvLink;
import gdrproof.facts.Gpu.NvLinkErrors;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `nvidia-smi nvlink -s` and `-e`, `nvidia-smi c2c -s`, `nvidia-smi -L`, and `dcgmi nvlink --link-status`. */
final class NvLinks implements Collector {
  private static final Pattern GPU = Pattern.compile("^\\s*GPU (?<index>\\d+): (?<name>\\S.*?) \\(UUID: (?<uuid>GPU-[0-9a-fA-F-]+)\\)\\s*$");
  /** An instance below its GPU in `nvidia-smi -L`: the GPU is in MIG mode. */
  private static final Pattern INSTANCE = Pattern.compile("^\\s+MIG \\S+\\s+Device\\s+\\d+:.*");
  private static final Pattern LINK = Pattern.compile("^\\s+Link (?<link>\\d+): (?:(?<speed>[\\d.]+) GB/s|<?(?<off>[Ii]nactive|inActive|[Dd]isabled|[Ss]leep|N/A)>?)\\s*$");
  private static final Pattern C2C = Pattern.compile("^\\s+C2C Link \\d+: [\\d.]+ GB/s\\s*$");
  private static final Pattern NO_C2C = Pattern.compile("^\\s*(?:GPU \\d+: )?No [Dd]evices support C2C\\.?\\s*$");
  private static final Pattern ALL_OFF = Pattern.compile("(?i)Unable to retrieve NVLink information as all links are inactive");
  private static final Pattern NONE = Pattern.compile("(?i)^\\s*(?:GPU \\d+: )?(?:Device does not have or support NVLink|No devices? (?:with NVLink|supports? NVLink).{0,40})\\.?\\s*$");
  /** The driver answers for no link of a GPU in MIG mode. */
  private static final Pattern REFUSED = Pattern.compile("(?i)^\\s*NVLink queries are not supported for devices? in MIG mode\\.?\\s*$");
  private static final Pattern ERRORS = Pattern.compile("^\\s+Link (?<link>\\d+): (?<counter>Replay|Recovery|CRC(?: FLIT)?|CRC Data) Errors?: (?<count>\\d+)\\s*$");
  private static final Pattern DCGM_GPU = Pattern.compile("^\\s*gpuId (?<index>\\d+):\\s*$");
  private static final Pattern DCGM_LINKS = Pattern.compile("^\\s+(?:[UDX_]\\s*)+$");

  private static final Pattern SILENT = Pattern.compile("(?:sudo )?(?:\\S*/)?nvidia-smi nvlink (?:-s|--status)");

  @Override
  public String tool() {
    return "nvidia-smi nvlink -s";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().allMatch(String::isBlank) && SILENT.matcher(section.command().strip()).matches()) {
      // No NVLink, as in a guest: nothing printed, exit status 0. Errors of nvidia-smi stand in the same stream as answers.
      sink.answered(section, "nvidia-smi");
      return;
    }
    for (Section view : HostViews.of(section)) {
      read(view, sink);
    }
  }

  private static void read(Section section, Sink sink) {
    String gpu = Fact.UNKNOWN;
    List<Integer> list = new ArrayList<>();
    boolean onlyNames = true;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher head = GPU.matcher(line);
      Matcher link = LINK.matcher(line);
      Matcher errors = ERRORS.matcher(line);
      Matcher dcgm = DCGM_GPU.matcher(line);
      if (head.matches()) {
        gpu = "GPU" + head.group("index");
        list.add(i);
        sink.fact(new GpuDevice(section.node(), gpu, Fact.UNKNOWN, head.group("name")), section.at(i));
      } else if (dcgm.matches()) {
        gpu = "GPU" + dcgm.group("index");
        onlyNames = false;
        if (i + 1 < section.lines().size() && DCGM_LINKS.matcher(section.lines().get(i + 1)).matches()) {
          letters(section, i + 1, gpu, sink);
        }
      } else if (NO_C2C.matcher(line).matches()) {
        sink.fact(new GpuMode(section.node(), Fact.UNKNOWN, "c2c", "unsupported"), section.at(i));
      } else if (gpu.equals(Fact.UNKNOWN)) {
        continue;
      } else if (NONE.matcher(line).matches()) {
        onlyNames = false;
        sink.fact(new GpuMode(section.node(), gpu, "nvlink", "none"), section.at(i));
      } else if (REFUSED.matcher(line).matches()) {
        onlyNames = false;
        sink.fact(new GpuMode(section.node(), gpu, "mig", "Enabled"), section.at(i));
        sink.unread(section, i, "NVLink cannot be asked of a GPU in MIG mode");
      } else if (INSTANCE.matcher(line).matches()) {
        sink.fact(new GpuMode(section.node(), gpu, "mig", "Enabled"), section.at(i));
      } else if (link.matches()) {
        onlyNames = false;
        sink.fact(new NvLink(section.node(), gpu, Num.parse(link.group("link")), Tri.of(link.group("off") == null), Num.parse(link.group("speed"))),
            section.at(i));
      } else if (C2C.matcher(line).matches()) {
        onlyNames = false;
        sink.fact(new GpuMode(section.node(), gpu, "c2c", "Enabled"), section.at(i));
      } else if (errors.matches()) {
        onlyNames = false;
        sink.fact(new NvLinkErrors(section.node(), gpu, Num.parse(errors.group("link")), errors.group("counter").toLowerCase(Locale.ROOT).replace(' ', '-'),
            Num.parse(errors.group("count"))), section.at(i));
      } else if (ALL_OFF.matcher(line).find()) {
        onlyNames = false;
        sink.fact(new NvLink(section.node(), gpu, Num.UNKNOWN, Tri.NO, Num.UNKNOWN), section.at(i));
      }
    }
    // `nvidia-smi -L` lists every GPU; `nvlink -s -i N` and grep do not.
    if (onlyNames && !list.isEmpty() && consecutive(section, list) && section.command().matches(".*nvidia-smi -L\\s*")) {
      sink.fact(new GpuCount(section.node(), Num.of(list.size())), section.at(list.get(0)));
      sink.looked(section, Kind.GPUS, list.get(0));
    }
  }

  private static boolean consecutive(Section section, List<Integer> list) {
    for (int g = 0; g < list.size(); g++) {
      if (!section.lines().get(list.get(g)).startsWith("GPU " + g + ":")) {
        return false;
      }
    }
    return true;
  }

  private static void letters(Section section, int at, String gpu, Sink sink) {
    String[] states = section.lines().get(at).strip().split("\\s+");
    for (int l = 0; l < states.length; l++) {
      if (states[l].equals("U") || states[l].equals("D")) {
        sink.fact(new NvLink(section.node(), gpu, Num.of(l), Tri.of(states[l].equals("U")), Num.UNKNOWN), section.at(at));
      }
    }
  }
}
