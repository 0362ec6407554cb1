package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Rdma.HcaSetting;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `mlxconfig query` of MFT 4.x and `mstconfig query` of mstflint: the settings of an adapter's firmware, whole or filtered to a few lines. */
final class Mlxconfig implements Collector {
  private static final Pattern COMMAND = Pattern.compile("\\b(?:mlx|mst)config\\b(?=.*\\s(?:q|query|show_confs?|i)\\b)");
  private static final Pattern TARGET = Pattern.compile("\\s(?:-d|--dev)[ =]?(?<device>\\S+)");
  private static final Pattern DEVICE = Pattern.compile("Device:\\s+(?<device>\\S+)");
  private static final Pattern HEAD = Pattern.compile("\\s*Configurations:\\s+(?<columns>.*?)\\s*");
  private static final Pattern ROW = Pattern.compile("\\s*\\*?\\s*(?:RO\\s+)?(?<name>[A-Z][A-Z0-9_]{2,}(?:\\[\\d+])?)\\s+(?<values>\\S.*?)\\s*");
  private static final Pattern FRAME = Pattern.compile("-{5,}|Device #\\d+:|(?:Device type|Name|Description|PSID):.*|The '\\*' shows.*");
  /** Settings that decide about RDMA; a card has some hundred others. */
  private static final Pattern WANTED = Pattern.compile(
      "LINK_TYPE_P\\d|ATS_ENABLED|PCI_WR_ORDERING|ROCE_\\w+|NUM_OF_VFS|SRIOV_EN|MAX_ACC_OUT_READ|ADVANCED_PCI_SETTINGS|KEEP_(?:ETH|IB)_LINK_UP_P\\d|NUM_OF_PF|CNP_\\w+|PHY_AUTO_NEG_P\\d");
  private static final Pattern PCI = Pattern.compile("(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");

  @Override
  public String tool() {
    return "mlxconfig -d DEVICE query";
  }

  @Override
  public List<String> hints() {
    return List.of("mlxconfig", "mstconfig", "Configurations:");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = COMMAND.matcher(section.command()).find();
    String device = open ? target(section.command()) : Fact.UNKNOWN;
    int columns = 1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher head = HEAD.matcher(line);
      Matcher named = DEVICE.matcher(line);
      Matcher row = ROW.matcher(line);
      if (head.matches()) {
        open = true;
        columns = head.group("columns").split("\\s{2,}|\\t+").length;
        sink.understood(section, i);
      } else if (named.lookingAt()) {
        device = named.group("device");
      } else if (COMMAND.matcher(line).find()) {
        open = true;
        device = target(line);
      } else if (open && row.matches()) {
        row(section, i, device, columns, row, sink);
      } else if (open && FRAME.matcher(line.strip()).matches()) {
        sink.understood(section, i);
      }
    }
  }

  private static String target(String command) {
    Matcher target = TARGET.matcher(command);
    return target.find() ? target.group("device") : Fact.UNKNOWN;
  }

  private static void row(Section section, int index, String device, int columns, Matcher row, Sink sink) {
    sink.understood(section, index);
    String[] values = row.group("values").split("\\s+");
    if (!WANTED.matcher(row.group("name")).matches()) {
      return;
    }
    if (values.length < columns) {
      sink.unread(section, index, "row of firmware settings is not whole");
      return;
    }
    // With -e the columns are default, current, next boot.
    String next = word(values[Math.max(columns, 1) - 1]);
    String now = columns == 3 ? word(values[1]) : Fact.UNKNOWN;
    boolean pci = PCI.matcher(device).matches();
    String address = !pci ? Fact.UNKNOWN : (device.length() == 7 ? "0000:" + device : device).toLowerCase(Locale.ROOT);
    String hca = !pci && device.matches("(?:mlx|ib|roce|rocep|ibp)\\w*") ? device : Fact.UNKNOWN;
    sink.fact(new HcaSetting(section.node(), device, address, hca, row.group("name"), now, next), section.at(index));
  }

  /** `ETH(2)` is ETH, `0x1` stays. */
  private static String word(String value) {
    int at = value.indexOf('(');
    return at > 0 ? value.substring(0, at) : value;
  }
}
