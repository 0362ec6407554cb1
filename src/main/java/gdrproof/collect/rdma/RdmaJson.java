package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaNamespaceMode;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** `rdma -j link`, `rdma -j statistic`, `rdma -j system` (iproute2): arrays of objects with `ifname`. */
final class RdmaJson implements Collector {
  @Override
  public String tool() {
    return "rdma -j";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean mine = section.lines().stream().anyMatch(l -> l.contains("\"ifname\"") || l.contains("\"netns\""))
        && section.lines().stream().anyMatch(l -> l.contains("\"port\"") || l.contains("\"node_guid\"") || l.contains("\"netns\""));
    JsonNode root = mine ? Json.read(section) : null;
    if (!mine) {
      return;
    }
    Iterable<JsonNode> elements = root == null ? Json.salvage(section) : root.isArray() ? root : List.of(root);
    if (root == null) {
      sink.unread(section, section.lines().size() - 1, "damaged JSON of rdma: only its whole records are read");
    }
    Moments moments = new Moments(section);
    int nth = 0;
    for (JsonNode each : elements) {
      String hca = Json.text(each, "ifname");
      if (!hca.equals(Fact.UNKNOWN)) {
        element(section, sink, each, hca, nth++, moments);
      } else if (each.has("netns") && each.size() <= 3) {
        sink.fact(new RdmaNamespaceMode(section.node(), Json.text(each, "netns")), section.at(Json.line(section, "\"netns\"", 0)));
      }
    }
  }

  private static void element(Section section, Sink sink, JsonNode each, String hca, int nth, Moments moments) {
    Num port = Num.parse(Json.text(each, "port"));
    int at = Json.line(section, "\"ifname\"", nth);
    if (each.has("physical_state") || each.has("state") && port.known()) {
      boolean ib = each.has("subnet_prefix") || each.has("sm_lid");
      sink.fact(new RdmaDevice(section.node(), hca, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN), section.at(at));
      sink.fact(new RdmaPort(section.node(), hca, port, Words.state(Json.text(each, "state")), Words.physical(Json.text(each, "physical_state")), Num.UNKNOWN,
          ib ? "InfiniBand" : each.has("netdev") ? "Ethernet" : Fact.UNKNOWN, Num.parse(Json.text(each, "lid")), Num.parse(Json.text(each, "sm_lid"))), section.at(at));
      if (each.has("netdev")) {
        sink.fact(new PortNetdev(section.node(), hca, port, Json.text(each, "netdev"), Fact.UNKNOWN), section.at(at));
      }
      return;
    }
    if (each.has("node_guid")) {
      sink.fact(new RdmaDevice(section.node(), hca, Fact.UNKNOWN, Json.text(each, "fw"), Json.text(each, "node_guid")), section.at(at));
      return;
    }
    for (var member : each.properties()) {
      if (member.getValue().isNumber() && !member.getKey().equals("port") && !member.getKey().equals("ifindex")) {
        Num value = Num.of(member.getValue().asDouble());
        int line = Json.line(section, "\"" + member.getKey() + "\"", nth);
        if (CounterNames.keep(member.getKey(), value)) {
          sink.fact(CounterNames.reading(section.node(), hca, port, member.getKey(), value, "hw", moments.at(line)), section.at(line));
        }
      }
    }
  }
}
