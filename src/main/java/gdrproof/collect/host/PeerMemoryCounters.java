package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.PeerMemoryUse;
import gdrproof.facts.Num;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `grep -H . /sys/kernel/mm/memory_peers/NAME/*` (MLNX_OFED 4 to DOCA-OFED 3): how many regions of GPU memory are registered at this moment. */
final class PeerMemoryCounters implements Collector {
  private static final Pattern LINE = Pattern.compile("^/sys/kernel/mm/memory_peers/(?<name>[\\w-]+)/(?<counter>num_(?:alloc|dealloc)_mrs):(?<value>\\d{1,18})$");

  private static final class Regions {
    private long allocated = -1;
    private long released = -1;
    private int at;
  }

  @Override
  public String tool() {
    return "grep -H . /sys/kernel/mm/memory_peers/NAME/*";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, Regions> clients = new LinkedHashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher line = LINE.matcher(section.lines().get(i).strip());
      if (line.matches()) {
        Regions regions = clients.computeIfAbsent(line.group("name"), n -> new Regions());
        long value = Long.parseLong(line.group("value"));
        if (line.group("counter").equals("num_alloc_mrs")) {
          regions.allocated = value;
          regions.at = i;
        } else {
          regions.released = value;
        }
        sink.understood(section, i);
      }
    }
    clients.forEach((name, regions) -> {
      // Counters are read one after the other, so that a busy client may have released more than it had allocated.
      if (regions.allocated >= 0 && regions.released >= 0) {
        sink.fact(new PeerMemoryUse(section.node(), name, Num.of(Math.max(0, regions.allocated - regions.released))), section.at(regions.at));
      }
    });
  }
}
