package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.TopoLink;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `dcgmi topo --gpuid N`: a table of two columns; a path's text may wrap into rows whose first column is empty. */
final class DcgmTopo implements Collector {
  private static final Pattern GPU = Pattern.compile("^\\|\\s*GPU ID:\\s*(?<index>\\d+)\\s*\\|(?:\\s*Topology Information\\s*\\|)?$");
  private static final Pattern ROW = Pattern.compile("^\\|\\s*(?<key>CPU Core Affinity|To GPU \\d+|)\\s*\\|\\s*(?<value>.*?)\\s*\\|$");

  private static final Pattern NVLINKS = Pattern.compile("via (?:an? )?(\\w+) NVLINKs?", Pattern.CASE_INSENSITIVE);
  private static final List<String> WORDS = List.of("single", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
      "fifteen", "sixteen", "seventeen", "eighteen");

  @Override
  public String tool() {
    return "dcgmi topo";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String gpu = Fact.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher head = GPU.matcher(line);
      Matcher row = ROW.matcher(line);
      if (head.matches()) {
        gpu = "GPU" + head.group("index");
        sink.understood(section, i);
      } else if (row.matches() && !gpu.equals(Fact.UNKNOWN) && !row.group("key").isEmpty()) {
        StringBuilder value = new StringBuilder(row.group("value"));
        for (int j = i + 1; j < section.lines().size(); j++) {
          Matcher more = ROW.matcher(section.lines().get(j).strip());
          if (!more.matches() || !more.group("key").isEmpty()) {
            break;
          }
          value.append(' ').append(more.group("value"));
        }
        if (row.group("key").startsWith("CPU")) {
          sink.fact(new GpuAffinity(section.node(), gpu, value.toString().replace(" ", ""), Fact.UNKNOWN, Fact.UNKNOWN), section.at(i));
        } else {
          sink.fact(new TopoLink(section.node(), gpu, "GPU" + row.group("key").substring("To GPU ".length()), path(value.toString())), section.at(i));
        }
      }
    }
  }

  private static String path(String text) {
    // NVLink has a line of its own below that of the PCIe path, with the number as a word.
    Matcher nvlinks = NVLINKS.matcher(text);
    if (nvlinks.find()) {
      String count = nvlinks.group(1).toLowerCase(Locale.ROOT);
      return count.matches("\\d+") ? "NV" + count : count.equals("one") ? "NV1" : WORDS.contains(count) ? "NV" + (WORDS.indexOf(count) + 1) : text;
    }
    if (text.contains("same board") || text.contains("on-board PCIe switch") || text.contains("single PCIe switch") || text.contains("single PCIe")) {
      return "PIX";
    }
    if (text.contains("multiple PCIe switches")) {
      return "PXB";
    }
    if (text.contains("host bridge")) {
      return "PHB";
    }
    // NODE or SYS: the sentence does not tell them apart.
    return text.contains("CPU-level link") ? "CPU" : text;
  }
}
