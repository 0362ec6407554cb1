package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.Capability;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Tri;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Effective capabilities: `CapEff` of /proc/PID/status, `capsh --print`, `getpcaps`. Those that RDMA jobs may need are stated, held or not. */
final class Capabilities implements Collector {
  private static final Map<String, Integer> BITS = new TreeMap<>(Map.of("net_admin", 12, "net_raw", 13, "ipc_lock", 14, "sys_ptrace", 19, "sys_admin", 21, "sys_nice",
      23, "sys_resource", 24));
  private static final Pattern EFFECTIVE = Pattern.compile("^CapEff:\\s*(?<mask>[0-9a-f]{8,16})\\s*$");
  private static final Pattern TEXT = Pattern.compile("^(?:Current:|(?:Capabilities for `)?\\d+'?:)\\s*(?<all>=)?\\s*(?<list>(?:cap_\\w++,?+)*+)(?:[+=](?<flags>[eip]+))?(?<more>.*)$");
  private static final Pattern OF_PROCESS = Pattern.compile("/proc/(?!self)[^/\\s]+/status|getpcaps");

  @Override
  public String tool() {
    return "capsh --print";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String scope = Views.command(section, OF_PROCESS) ? "process" : Views.scope(section, "shell");
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher mask = EFFECTIVE.matcher(line);
      Matcher text = TEXT.matcher(line);
      if (mask.matches()) {
        long bits = Long.parseUnsignedLong(mask.group("mask"), 16);
        for (Map.Entry<String, Integer> bit : BITS.entrySet()) {
          put(section, sink, i, scope, bit.getKey(), (bits >> bit.getValue() & 1) == 1);
        }
        sink.looked(section, Kind.CAPABILITIES, i);
      } else if (text.matches() && (!text.group("list").isEmpty() || text.group("flags") != null || text.group("all") != null)) {
        String list = "," + text.group("list").toLowerCase(Locale.ROOT) + ",";
        boolean effective = text.group("flags") != null && text.group("flags").contains("e");
        boolean all = text.group("list").isEmpty() && effective;
        for (String name : BITS.keySet()) {
          boolean excepted = text.group("more").contains("cap_" + name);
          put(section, sink, i, scope, name, effective && !excepted && (all || list.contains(",cap_" + name + ",")));
        }
        sink.looked(section, Kind.CAPABILITIES, i);
      }
    }
  }

  private static void put(Section section, Sink sink, int index, String scope, String name, boolean held) {
    sink.fact(new Capability(section.node(), scope, name, Tri.of(held)), section.at(index));
  }
}
