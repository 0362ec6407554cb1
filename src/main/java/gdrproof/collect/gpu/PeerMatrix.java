package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.PeerMatrixRead;
import gdrproof.facts.Gpu.PeerStatus;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `nvidia-smi topo -p2p r|w|n|a|p`. The capability is not part of the output: it comes from the prompt, else from the file's name. */
final class PeerMatrix implements Collector {
  private static final Pattern HEADER = Pattern.compile("^\\s+(?:GPU\\d+\\s*)+$");
  private static final Pattern ROW = Pattern.compile("^\\s?(?<name>GPU\\d+)\\s+(?<cells>(?:(?:X|OK|NS|GNS|TNS|CNS|DR|U)\\s*)+)$");
  private static final Pattern COMMAND = Pattern.compile("-p2p\\s+(?<letters>[rwnap]{1,5})\\b");
  private static final Pattern FILE = Pattern.compile("(?:p2p[-_. ]?|^)(?<letter>[rwnap])(?=[-_.])");
  private static final Map<Character, String> CAPABILITIES = Map.of('r', "read", 'w', "write", 'n', "nvlink", 'a', "atomics", 'p', "pcie");

  @Override
  public String tool() {
    return "nvidia-smi topo -p2p rw";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      for (int i = 0; i + 1 < view.lines().size(); i++) {
        if (HEADER.matcher(view.lines().get(i)).matches()) {
          i = matrix(view, i, sink);
        }
      }
    }
  }

  private static int matrix(Section section, int at, Sink sink) {
    String[] columns = section.lines().get(at).strip().split("\\s+");
    List<String> rows = new ArrayList<>();
    boolean whole = true;
    int i = at + 1;
    for (; i < section.lines().size(); i++) {
      Matcher row = ROW.matcher(section.lines().get(i));
      if (!row.matches()) {
        break;
      }
      String[] cells = row.group("cells").strip().split("\\s+");
      if (cells.length != columns.length) {
        sink.unread(section, i, "row of the peer matrix has " + cells.length + " cells for " + columns.length + " columns");
        whole = false;
        continue;
      }
      rows.add(row.group("name"));
      for (int c = 0; c < cells.length; c++) {
        if (!cells[c].equals("X")) {
          for (String capability : capabilities(section)) {
            sink.fact(new PeerStatus(section.node(), row.group("name"), columns[c], capability, cells[c]), section.at(i));
          }
        }
      }
      sink.understood(section, i);
    }
    if (rows.isEmpty()) {
      return at;
    }
    sink.understood(section, at);
    Legends.read(section, i, "nvidia-smi topo -p2p", sink);
    if (whole && rows.equals(List.of(columns))) {
      sink.looked(section, Kind.GPUS, at);
      capabilities(section).forEach(c -> sink.fact(new PeerMatrixRead(section.node(), c, Num.of(columns.length)), section.at(at)));
    } else if (whole) {
      sink.unread(section, i - 1, "peer matrix is not whole: rows are missing");
    }
    return i - 1;
  }

  private static List<String> capabilities(Section section) {
    Matcher command = COMMAND.matcher(section.command());
    if (command.find()) {
      return command.group("letters").chars().mapToObj(c -> CAPABILITIES.get((char) c)).distinct().toList();
    }
    Matcher file = FILE.matcher(section.name());
    return List.of(file.find() ? CAPABILITIES.get(file.group("letter").charAt(0)) : Fact.UNKNOWN);
  }
}
