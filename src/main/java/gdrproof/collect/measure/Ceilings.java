package gdrproof.collect.measure;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Ceiling;
import gdrproof.facts.Measure.NicUse;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.policy.GpuLinks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the hardware allows a run, from what the bundle says about ports, HCAs in use and GPU model. */
final class Ceilings {
  private static final Pattern HCA = Pattern.compile("\\[\\d+\\](?<hca>[^:\\s/\\[\\]]+):(?<port>\\d+)[^/\\s]*/(?:IB|RoCE)");
  /** Collectives whose busbw is what each node's network must carry. */
  private static final Set<String> WHOLE = Set.of("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce");
  private static final double BITS = 8;

  private Ceilings() {}

  static void derive(Ledger ledger) {
    List<RunSummary> runs = ledger.all(RunSummary.class);
    Ports ports = new Ports(ledger.all(RdmaPort.class).stream().filter(p -> p.state().equals("ACTIVE") && p.rateGbps().above(0)).toList());
    Map<String, List<NcclMessage>> messages = new TreeMap<>();
    ledger.all(NcclMessage.class).forEach(m -> messages.computeIfAbsent(m.run(), r -> new ArrayList<>()).add(m));
    messages.forEach((run, list) -> uses(run, list, ports, ledger));
    for (RunSummary run : runs) {
      if (run.multiNode() && WHOLE.contains(run.collective())) {
        network("network", run, messages.getOrDefault(run.run(), List.of()), ports, ledger);
      } else if (run.oneNode() && (WHOLE.contains(run.collective()) || run.collective().equals("alltoall"))) {
        // What its ports could carry is no ceiling of this run: it only tells whether somebody compares it with the network.
        network("ports", run, messages.getOrDefault(run.run(), List.of()), ports, ledger);
        nvlink(run, ledger);
      }
    }
  }

  /** HCAs that NCCL says it took, by node. */
  private static Map<String, Set<String>> taken(List<NcclMessage> messages) {
    Map<String, Set<String>> taken = new TreeMap<>();
    for (NcclMessage message : messages) {
      if (message.id().equals("ib-using")) {
        Matcher hca = HCA.matcher(message.field("devs"));
        while (hca.find()) {
          taken.computeIfAbsent(message.node(), n -> new TreeSet<>()).add(hca.group("hca"));
        }
      }
    }
    return taken;
  }

  private static Num rate(String node, String hca, List<NcclMessage> messages, Ports ports) {
    Set<Double> rates = new HashSet<>();
    for (NcclMessage message : messages) {
      if (message.id().equals("ib-dev-detail") && message.field("hca").equals(hca) && message.number("mbps").known()) {
        rates.add(message.number("mbps").value() / 1000);
      }
    }
    if (rates.isEmpty()) {
      List<RdmaPort> here = ports.at(node, hca);
      (here.isEmpty() ? ports.named(hca) : here).forEach(p -> rates.add(p.rateGbps().value()));
    }
    return rates.size() == 1 ? Num.of(rates.iterator().next()) : Num.UNKNOWN;
  }

  private static void uses(String run, List<NcclMessage> messages, Ports ports, Ledger ledger) {
    taken(messages).forEach((node, hcas) -> {
      Set<String> used = new TreeSet<>();
      Set<String> processes = new TreeSet<>();
      List<Evidence> sources = new ArrayList<>();
      for (NcclMessage message : messages) {
        if (message.id().equals("via-net") && message.node().equals(node) && message.field("net").startsWith("IB")) {
          used.add(message.field("netDev"));
          processes.add(message.process());
          sources.addAll(ledger.of(message));
        }
      }
      Set<Num> rates = new HashSet<>();
      hcas.forEach(h -> rates.add(rate(node, h, messages, ports)));
      Num each = rates.size() == 1 ? rates.iterator().next() : Num.UNKNOWN;
      String only = Fact.UNKNOWN;
      if (used.size() == 1) {
        int index = Num.parse(used.iterator().next()).known() ? Integer.parseInt(used.iterator().next()) : -1;
        only = index >= 0 && index < hcas.size() ? List.copyOf(hcas).get(index) : Fact.UNKNOWN;
      }
      if (!used.isEmpty()) {
        ledger.add(new NicUse(node, run, Num.of(hcas.size()), Num.of(used.size()), Num.of(processes.size()), each, only), sources.stream().sorted().limit(2).toList());
      }
    });
  }

  private static void network(String part, RunSummary run, List<NcclMessage> messages, Ports ports, Ledger ledger) {
    Map<String, Set<String>> taken = taken(messages);
    Map<String, Map<String, Num>> nodes = new TreeMap<>();
    taken.forEach((node, hcas) -> hcas.forEach(h -> nodes.computeIfAbsent(node, n -> new TreeMap<>()).put(h, rate(node, h, messages, ports))));
    if (nodes.isEmpty() && !run.network().equals("Socket")) {
      // Without a log only InfiniBand ports may be counted: an Ethernet port may be anybody's.
      for (RdmaPort port : ports.all()) {
        boolean ours = run.hosts().isEmpty() || port.node().equals(Fact.UNKNOWN) || run.hosts().contains(port.node());
        if (ours && port.linkLayer().startsWith("I")) {
          nodes.computeIfAbsent(port.node(), n -> new TreeMap<>()).put(port.hca() + ":" + port.port(), port.rateGbps());
        }
      }
    }
    nodes.values().removeIf(m -> m.values().stream().anyMatch(r -> !r.known()));
    Map.Entry<String, Map<String, Num>> least = null;
    double lowest = Double.MAX_VALUE;
    for (Map.Entry<String, Map<String, Num>> node : nodes.entrySet()) {
      double sum = node.getValue().values().stream().mapToDouble(Num::value).sum();
      if (sum < lowest) {
        lowest = sum;
        least = node;
      }
    }
    if (least == null) {
      return;
    }
    Set<Num> each = new HashSet<>(least.getValue().values());
    Num one = each.size() == 1 ? each.iterator().next() : Num.UNKNOWN;
    String how = least.getValue().size() + " HCA ports of " + (one.known() ? one + " Gb/s" : "different rates") + ": " + Num.of(lowest / BITS).rounded() + " GB/s a node";
    String node = least.getKey();
    Set<String> hcas = least.getValue().keySet();
    List<Evidence> sources = ports.near(node).stream().filter(p -> hcas.stream().anyMatch(h -> h.startsWith(p.hca())))
        .flatMap(p -> ledger.of(p).stream()).sorted().toList();
    ledger.add(new Ceiling(node, run.run(), part, Num.of(lowest / BITS).rounded(), Num.of(least.getValue().size()), one, how),
        sources.isEmpty() ? List.copyOf(ledger.of(run)) : sources);
  }

  private static void nvlink(RunSummary run, Ledger ledger) {
    GpuLinks.of(run.gpu(), run.ranks()).ifPresent(model -> ledger.add(
        new Ceiling(run.node(), run.run(), "nvlink", model.gBps(), model.links(), model.eachGbps(), model.how(run.gpu())), List.copyOf(ledger.of(run))));
  }
}
