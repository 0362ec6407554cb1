package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `nvidia-smi -q -x`, document types v10 to v13. */
final class SmiXml implements Collector {
  private static final String ROOT = "nvidia_smi_log";

  private static final Pattern TYPE = Pattern.compile("<!DOCTYPE " + ROOT + " SYSTEM \"([\\w.-]{1,80})\"");

  @Override
  public String tool() {
    return "nvidia-smi -q -x";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher type = TYPE.matcher(section.lines().get(i));
      if (type.find()) {
        sink.fact(new Layout(section.node(), tool(), "document-type", type.group(1)), section.at(i));
      }
      if (section.lines().get(i).contains("<" + ROOT + ">")) {
        read(section, i, sink);
        return;
      }
    }
  }

  private static void read(Section section, int from, Sink sink) {
    List<GpuReport> reports = new ArrayList<>();
    Map<String, String> top = new HashMap<>();
    Map<String, Integer> lines = new HashMap<>();
    boolean[] whole = {false};
    Tags.read(section, from, new Tags.Listener() {
      @Override
      public void open(String path, Map<String, String> attributes, int index) {
        if (path.equals(ROOT + "/gpu")) {
          reports.add(new GpuReport(index));
          reports.get(reports.size() - 1).put("pci/bus_id", attributes.getOrDefault("id", ""), index);
        }
      }

      @Override
      public void value(String path, String text, int index) {
        if (path.startsWith(ROOT + "/gpu/") && !reports.isEmpty()) {
          reports.get(reports.size() - 1).put(GpuReport.key(path.substring(ROOT.length() + 5)), text, index);
        } else if (path.startsWith(ROOT + "/")) {
          top.put(path.substring(ROOT.length() + 1), text);
          lines.put(path.substring(ROOT.length() + 1), index);
        }
      }

      @Override
      public void close(String path, int index) {
        whole[0] |= path.equals(ROOT);
      }
    });
    if (top.containsKey("driver_version")) {
      sink.fact(new SmiDriver(section.node(), top.get("driver_version"), top.getOrDefault("cuda_version", Fact.UNKNOWN)),
          section.at(lines.get("driver_version")));
    }
    boolean all = Num.parse(top.get("attached_gpus")).is(reports.size());
    for (int g = 0; g < reports.size(); g++) {
      reports.get(g).emit(section, all ? "GPU" + g : Addresses.normal(reports.get(g).text("address")), sink);
    }
    if (!whole[0]) {
      sink.unread(section, section.lines().size() - 1, "XML of nvidia-smi is cut off");
    } else if (all) {
      sink.fact(new GpuCount(section.node(), Num.of(reports.size())), section.at(lines.get("attached_gpus")));
      sink.looked(section, Kind.GPUS, lines.get("attached_gpus"));
    }
  }
}
