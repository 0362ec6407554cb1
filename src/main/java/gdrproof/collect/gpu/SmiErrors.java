package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.SmiError;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What nvidia-smi, NVML and dcgmi print instead of an answer. */
final class SmiErrors implements Collector {
  /** A message; a group named `device` holds the PCI address or index. */
  private record Message(String kind, Pattern pattern) {
    Message(String kind, String regex) {
      this(kind, Pattern.compile(regex));
    }
  }

  private static final List<Message> MESSAGES = List.of(
      new Message("driver-library-mismatch", "Failed to initialize NVML: Driver/library version mismatch"),
      new Message("insufficient-rights", "Failed to initialize NVML: Insufficient Permissions"),
      new Message("nvml-unknown-error", "Failed to initialize NVML: (?:Unknown Error|GPU access blocked by the operating system)"),
      new Message("no-driver", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver|Failed to initialize NVML: Driver Not Loaded"),
      new Message("gpu-unreachable", "Unable to determine the device handle for (?:GPU|gpu) ?(?<device>[0-9A-Fa-f:.]+): .+"),
      new Message("gpu-unreachable", "GPU is lost\\.\\s+Reboot the system to recover this GPU"),
      new Message("gpu-not-found", "^\\s*No devices were found"),
      new Message("unknown-field", "Field \"[^\"]*\" is not a valid field to query"),
      new Message("command-not-found", "\\bnvidia-smi: (?:command )?not found|\"nvidia-smi\": executable file not found"),
      new Message("no-hostengine", "Unable to connect to host engine"));

  @Override
  public String tool() {
    return "nvidia-smi";
  }

  @Override
  public List<String> hints() {
    return List.of("NVML", "nvidia-smi", "NVIDIA-SMI", "device handle", "GPU is lost", "No devices were found", "is not a valid field", "host engine");
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      for (int i = 0; i < view.lines().size(); i++) {
        read(view, i, sink);
      }
    }
  }

  private static void read(Section section, int index, Sink sink) {
    String line = section.lines().get(index);
    // One long line of a log is not an answer of these tools.
    if (line.length() > 400) {
      return;
    }
    for (Message message : MESSAGES) {
      Matcher matcher = message.pattern().matcher(line);
      if (matcher.find()) {
        boolean named = message.pattern().pattern().contains("?<device>") && matcher.group("device") != null;
        String device = named ? Addresses.normal(matcher.group("device").toLowerCase(Locale.ROOT)) : Fact.UNKNOWN;
        sink.fact(new SmiError(section.node(), message.kind(), device, line.strip()), section.at(index));
        return;
      }
    }
  }
}
