package gdrproof.collect.compare;

import gdrproof.facts.Fact;
import gdrproof.facts.Net.EcnSetting;
import gdrproof.facts.Net.EthernetLink;
import gdrproof.facts.Net.Interface;
import gdrproof.facts.Net.NicDriver;
import gdrproof.facts.Net.PauseSetting;
import gdrproof.facts.Net.Qos;
import gdrproof.facts.Net.TrafficClass;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.HcaPcieLink;
import gdrproof.facts.Rdma.PortLink;
import gdrproof.facts.Rdma.PortMtu;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaNamespaceMode;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;

/** HCAs, ports, GIDs and interfaces as comparable values. Addresses, GUIDs and LIDs are identity. */
final class RdmaViews {
  private RdmaViews() {}

  static boolean see(Fact fact, NodeView view, Views views) {
    return ports(fact, view) || interfaces(fact, view) || fact instanceof Gid g && gid(g, view);
  }

  private static boolean ports(Fact fact, NodeView view) {
    if (fact instanceof RdmaDevice d) {
      view.put("hca-firmware", d.hca(), d.firmware(), d);
      view.put("hca-type", d.hca(), d.type(), d);
    } else if (fact instanceof HcaPart p) {
      view.put("hca-firmware", p.hca(), p.firmware(), p);
      view.put("hca-type", p.hca() + " part", p.partNumber(), p);
    } else if (fact instanceof RdmaPort p) {
      String name = p.hca() + ":" + p.port();
      view.put("port-state", name, p.state(), p);
      view.put("link-layer", name, p.linkLayer(), p);
      if (p.state().equals("ACTIVE")) {
        view.put("port-rate", name, p.rateGbps(), p);
      }
    } else if (fact instanceof PortLink l) {
      view.put("port-width", l.hca() + ":" + l.port(), l.lanes(), l);
    } else if (fact instanceof PortMtu m) {
      view.put("port-mtu", m.hca() + ":" + m.port(), m.activeBytes(), m);
    } else if (fact instanceof PortNetdev n) {
      view.put("interface", n.hca() + ":" + n.port(), n.netdev(), n);
    } else if (fact instanceof DeviceAddress d && !d.name().startsWith("GPU")) {
      view.put("interface", d.name() + " address", d.address(), d);
    } else if (fact instanceof HcaPcieLink l) {
      view.put("pcie-link", l.hca() + " width", l.lanes(), l);
      view.put("pcie-link", l.hca() + " GT/s", l.gts(), l);
    } else if (fact instanceof RdmaNamespaceMode m) {
      view.put("namespace", "RDMA", m.mode(), m);
    } else {
      return false;
    }
    return true;
  }

  private static boolean interfaces(Fact fact, NodeView view) {
    if (fact instanceof NicDriver d) {
      view.put("hca-firmware", d.netdev(), d.firmware(), d);
      view.put("software", d.netdev() + " driver", d.version(), d);
    } else if (fact instanceof Interface i && !i.link().equals("loopback") && !i.kind().equals("veth")) {
      view.put("interface-mtu", i.netdev(), i.mtuBytes(), i);
    } else if (fact instanceof EthernetLink l && l.real() == Tri.YES) {
      view.put("port-rate", l.netdev(), l.speedMbps().over(Num.of(1000)), l);
    } else if (fact instanceof Qos q) {
      view.put("qos", q.netdev() + " trust", q.trust(), q);
      view.put("qos", q.netdev() + " PFC", q.pfc(), q);
    } else if (fact instanceof PauseSetting p) {
      view.put("qos", p.netdev() + " pause", p.rx() + "/" + p.tx(), p);
    } else if (fact instanceof EcnSetting e) {
      view.put("qos", e.netdev() + " ECN " + e.role() + " " + e.priority(), e.enabled(), e);
    } else if (fact instanceof TrafficClass t) {
      view.put("qos", t.hca() + " traffic class " + t.scope(), t.tos(), t);
    } else {
      return false;
    }
    return true;
  }

  private static boolean gid(Gid g, NodeView view) {
    if (!g.kind().equals("zero")) {
      view.put("gid", g.hca() + ":" + g.port() + " index " + g.index(), g.kind() + (g.version().matches("v\\d") ? " " + g.version() : ""), g);
    }
    return true;
  }
}
