package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Error counters of a PCIe device in sysfs, `aer_dev_correctable`, `aer_dev_nonfatal` and `aer_dev_fatal` (Linux 4.19 and later), by `cat` or with the path
 * before each line. Their names get `aer_` in front, the device is its PCI address, or the HCA or interface whose folder was read.
 */
final class AerCounters implements Collector {
  private static final Pattern PATH = Pattern.compile("/sys/(?:bus/pci/devices|devices/pci[^/\\s]*(?:/[^/\\s]+)*?|class/(?:infiniband|net))/(?<device>[\\w.:-]+)/(?:device/)?aer_dev_(?<kind>correctable|nonfatal|fatal)\\b");
  private static final Pattern VALUE = Pattern.compile("(?<name>RxErr|BadTLP|BadDLLP|Rollover|Timeout|TOTAL_ERR_(?:COR|FATAL|NONFATAL))\\s+(?<count>\\d{1,18})");
  private static final Pattern BANNER = Pattern.compile("==> (?<path>\\S+) <==");

  @Override
  public String tool() {
    return "cat aer_dev_correctable";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher asked = PATH.matcher(section.command());
    String device = asked.find() ? asked.group("device") : "";
    // Of several files that one cat prints nothing tells where one ends.
    device = !device.isEmpty() && asked.find() || section.command().contains("*") ? "" : device;
    Moments moments = new Moments(section);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      if (line.length() > 400) {
        continue;
      }
      Matcher path = PATH.matcher(line);
      String own = device;
      String text = line;
      if (path.lookingAt()) {
        own = path.group("device");
        text = line.substring(path.end()).replaceFirst("^:", "");
      } else if (BANNER.matcher(line).matches()) {
        device = path.find() ? path.group("device") : "";
        continue;
      }
      Matcher value = VALUE.matcher(text);
      if (!own.isEmpty() && value.matches()) {
        sink.fact(CounterNames.reading(section.node(), address(own), Num.UNKNOWN, "aer_" + value.group("name"), Num.parse(value.group("count")), "aer", moments.at(i)), section.at(i));
      }
    }
  }

  private static String address(String device) {
    return device.matches("[0-9a-fA-F:.]+") ? device.toLowerCase(Locale.ROOT) : device.isEmpty() ? Fact.UNKNOWN : device;
  }
}
