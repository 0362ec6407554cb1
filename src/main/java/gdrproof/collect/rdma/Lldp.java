package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.SwitchAttachment;
import gdrproof.facts.Num;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `lldpctl` / `lldpcli show neighbors` of lldpd, text and `-f keyvalue`: which switch port an interface is plugged into. */
final class Lldp implements Collector {
  private static final Pattern INTERFACE = Pattern.compile("Interface:\\s+([^,\\s]+), via: LLDP.*");
  private static final Pattern PAIR = Pattern.compile("\\s+(SysName|PortID|PortDescr|VLAN):\\s+(.*?)\\s*");
  private static final Pattern KEY = Pattern.compile("lldp\\.([^.]+)\\.(chassis\\.name|port\\.ifname|port\\.local|port\\.descr|vlan\\.vlan-id)=(.*?)\\s*");

  @Override
  public String tool() {
    return "lldpctl";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String dev = null;
    int start = 0;
    Map<String, String> values = new HashMap<>();
    Map<String, Map<String, String>> keyed = new java.util.TreeMap<>();
    Map<String, Integer> lineOf = new HashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher head = INTERFACE.matcher(line.strip());
      Matcher pair = PAIR.matcher(line);
      Matcher key = KEY.matcher(line.strip());
      if (head.matches()) {
        give(section, sink, dev, values, start);
        values.clear();
        dev = head.group(1);
        start = i;
      } else if (dev != null && pair.matches()) {
        values.putIfAbsent(pair.group(1), pair.group(2));
      } else if (key.matches()) {
        keyed.computeIfAbsent(key.group(1), k -> new HashMap<>()).putIfAbsent(key.group(2), key.group(3));
        lineOf.putIfAbsent(key.group(1), i);
      }
    }
    give(section, sink, dev, values, start);
    keyed.forEach((name, of) -> {
      String port = of.getOrDefault("port.ifname", of.getOrDefault("port.local", of.getOrDefault("port.descr", "")));
      if (of.containsKey("chassis.name") && !port.isEmpty()) {
        sink.fact(new SwitchAttachment(section.node(), name, of.get("chassis.name"), port, Num.parse(of.get("vlan.vlan-id")), "lldp"), section.at(lineOf.get(name)));
      }
    });
  }

  private static void give(Section section, Sink sink, String dev, Map<String, String> values, int start) {
    String port = values.getOrDefault("PortID", "").replaceFirst("^(?:ifname|local|ifalias)\\s+", "");
    if (dev == null) {
      return;
    }
    if (!values.containsKey("SysName") || port.isEmpty()) {
      sink.unread(section, start, "LLDP neighbour of " + dev + " without system or port");
      return;
    }
    // A MAC address as port id names no port; the description does.
    String name = port.startsWith("mac ") ? values.getOrDefault("PortDescr", Fact.UNKNOWN) : port;
    sink.fact(new SwitchAttachment(section.node(), dev, values.get("SysName"), name, Words.leading(values.getOrDefault("VLAN", "")), "lldp"), section.at(start));
  }
}
