package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Gpu.KernelDriver;
import gdrproof.facts.Gpu.ToolVersion;
import gdrproof.facts.Tri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Version lines: the NVRM line of /proc/driver/nvidia/version and of the kernel log, nvcc. */
final class NvidiaVersions implements Collector {
  private static final Pattern NVRM = Pattern.compile(
      "NVRM(?: version)?: (?:loading )?NVIDIA UNIX (?<open>Open )?(?:Kernel Module for )?(?:x86_64|aarch64|ppc64le)(?: Kernel Module)?\\s+(?<version>\\d+\\.[\\d.]+)");
  private static final Pattern NVCC = Pattern.compile("^Cuda compilation tools, release (?<version>[\\d.]+),");

  @Override
  public String tool() {
    return "cat /proc/driver/nvidia/version";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher nvrm = NVRM.matcher(line);
      Matcher nvcc = NVCC.matcher(line);
      if (nvrm.find()) {
        sink.fact(new KernelDriver(section.node(), nvrm.group("version"), Tri.of(nvrm.group("open") != null)), section.at(i));
      } else if (nvcc.find()) {
        sink.fact(new ToolVersion(section.node(), "nvcc", nvcc.group("version")), section.at(i));
      }
    }
  }
}
