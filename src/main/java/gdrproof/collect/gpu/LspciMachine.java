package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciDriver;
import gdrproof.facts.Pcie.PciNuma;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The forms of lspci for programs, `-m`, `-mm`, `-vm` and `-vmm`, with `-n`, `-nn`, `-D` and `-k`; pciutils 3.0 to 3.14. */
final class LspciMachine implements Collector {
  private static final String ADDRESS = "(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]";
  private static final Pattern ROW = Pattern.compile("^(?<address>" + ADDRESS + ")(?<words>(?: \"(?:[^\"\\\\]|\\\\.)*+\"){3})(?: .*)?$");
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"");
  private static final Pattern TAG = Pattern.compile("^(?<tag>Slot|Class|Vendor|Device|SVendor|SDevice|PhySlot|Rev|ProgIf|Driver|Module|NUMANode|IOMMUGroup|DTNode):\\s+(?<value>\\S.*)$");
  /** `-vm` calls the slot `Device`, as it does the name. */
  private static final Pattern FIRST = Pattern.compile("^(?:Slot|Device):\\s+(?<address>" + ADDRESS + ")$");
  private static final Pattern NUMBERED = Pattern.compile("^(?:(?<words>\\S.*) )?\\[(?<number>[0-9a-f]{4})]$");
  private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{4}");

  @Override
  public String tool() {
    return "lspci -mm";
  }

  @Override
  public List<String> hints() {
    return List.of("lspci", " \"", "Slot:", "Device:");
  }

  @Override
  public void collect(Section section, Sink sink) {
    // A tag at the start of a line looks like the name of a host before what it says.
    boolean tags = section.lines().stream().anyMatch(l -> FIRST.matcher(l).matches());
    for (Section view : tags ? List.of(section) : HostViews.of(section)) {
      view(view, sink);
    }
  }

  private static void view(Section section, Sink sink) {
    boolean numbers = false;
    int first = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher row = ROW.matcher(section.lines().get(i));
      Matcher tag = FIRST.matcher(section.lines().get(i));
      boolean told;
      if (row.matches()) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(row.group("words"));
        while (word.find()) {
          words.add(word.group(1).replaceAll("\\\\(.)", "$1"));
        }
        told = device(section, i, i, row.group("address"), words.get(0), words.get(1), words.get(2), sink);
      } else if (tag.matches()) {
        int end = i + 1;
        Map<String, String> values = new HashMap<>();
        for (Matcher next; end < section.lines().size() && (next = TAG.matcher(section.lines().get(end))).matches() && !FIRST.matcher(section.lines().get(end)).matches(); end++) {
          values.putIfAbsent(next.group("tag"), next.group("value").strip());
        }
        if (!values.containsKey("Class") || !values.containsKey("Device")) {
          sink.unread(section, end - 1, "lspci is cut off inside a device");
          i = end - 1;
          continue;
        }
        told = device(section, i, end - 1, tag.group("address"), values.get("Class"), values.getOrDefault("Vendor", ""), values.get("Device"), sink);
        String address = Addresses.normal(tag.group("address"));
        if (values.containsKey("Driver")) {
          sink.fact(new PciDriver(section.node(), address, values.get("Driver")), section.at(i, end - 1));
        }
        if (values.containsKey("NUMANode")) {
          sink.fact(new PciNuma(section.node(), address, Num.parse(values.get("NUMANode"))), section.at(i, end - 1));
        }
        i = end - 1;
      } else {
        continue;
      }
      first = first < 0 ? i : first;
      numbers |= !told;
    }
    if (first >= 0 && Lspci.WHOLE.matcher(section.command()).matches()) {
      sink.looked(section, numbers ? Kind.PCI_IDS : Kind.PCI_DEVICES, first);
    }
  }

  /** @return whether the device has its name, not numbers only */
  private static boolean device(Section section, int from, int to, String address, String pciClass, String vendor, String device, Sink sink) {
    boolean bare = NUMBER.matcher(pciClass).matches() && NUMBER.matcher(device).matches();
    String ids = bare ? vendor + ":" + device : number(vendor).isEmpty() || number(device).isEmpty() ? Fact.UNKNOWN : number(vendor) + ":" + number(device);
    String name = bare ? PciNames.card(ids) : (words(vendor) + " " + words(device)).strip();
    sink.fact(new PciDevice(section.node(), Addresses.normal(address), bare ? PciNames.pciClass(pciClass) : words(pciClass), name, ids), section.at(from, to));
    return !bare;
  }

  private static String number(String text) {
    Matcher m = NUMBERED.matcher(text);
    return m.matches() ? m.group("number") : "";
  }

  /** A name without the number that `-nn` sets behind it; `ConnectX-7` in brackets stays. */
  private static String words(String text) {
    Matcher m = NUMBERED.matcher(text);
    return m.matches() ? m.group("words") == null ? "" : m.group("words") : text;
  }
}
