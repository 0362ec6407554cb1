package gdrproof.collect.measure;

import gdrproof.facts.Bench.StatedFigures;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuPcie;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Ceiling;
import gdrproof.facts.Measure.NicUse;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.policy.GpuLinks;
import java.util.ArrayList;
import java.util.HashMap;
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

  /**
   * What the log of a run says of HCAs, gathered in one pass: a run of a thousand nodes has a hundred thousand messages.
   *
   * @param taken HCAs that NCCL says it took, by node
   * @param rates rates in Gb/s that it says of HCAs, by their name
   * @param channels messages of channels over verbs, by node
   */
  private record Log(Map<String, Set<String>> taken, Map<String, Set<Double>> rates, Map<String, List<NcclMessage>> channels) {
    Log() {
      this(new TreeMap<>(), new HashMap<>(), new HashMap<>());
    }

    void see(NcclMessage message) {
      if (message.id().equals("ib-using")) {
        Matcher hca = HCA.matcher(message.field("devs"));
        while (hca.find()) {
          taken.computeIfAbsent(message.node(), n -> new TreeSet<>()).add(hca.group("hca"));
        }
      } else if (message.id().equals("ib-dev-detail") && message.number("mbps").known()) {
        rates.computeIfAbsent(message.field("hca"), h -> new HashSet<>()).add(message.number("mbps").value() / 1000);
      } else if (message.id().equals("via-net") && message.field("net").startsWith("IB")) {
        channels.computeIfAbsent(message.node(), n -> new ArrayList<>()).add(message);
      }
    }
  }

  static void derive(Ledger ledger) {
    List<RunSummary> runs = ledger.all(RunSummary.class);
    Ports ports = new Ports(ledger.all(RdmaPort.class).stream().filter(p -> p.state().equals("ACTIVE") && p.rateGbps().above(0)).toList());
    Map<String, Log> logs = new TreeMap<>();
    ledger.all(NcclMessage.class).forEach(m -> logs.computeIfAbsent(m.run(), r -> new Log()).see(m));
    logs.forEach((run, log) -> uses(run, log, ports, ledger));
    for (RunSummary run : runs) {
      Log log = logs.getOrDefault(run.run(), new Log());
      if (run.multiNode() && WHOLE.contains(run.collective())) {
        network("network", run, log, ports, ledger);
      } else if (run.multiNode() && run.collective().equals("alltoall") && run.perNode().above(0) && run.ranks().above(run.perNode().value())) {
        network("alltoall", run, log, ports, ledger);
      } else if (run.oneNode() && (WHOLE.contains(run.collective()) || run.collective().equals("alltoall"))) {
        // What its ports could carry is no ceiling of this run: it only tells whether somebody compares it with the network.
        network("ports", run, log, ports, ledger);
        nvlink(run, ledger);
        pcie(run, ledger);
      }
    }
  }

  private static Num rate(String node, String hca, Log log, Ports ports) {
    Set<Double> rates = new HashSet<>(log.rates().getOrDefault(hca, Set.of()));
    if (rates.isEmpty()) {
      List<RdmaPort> here = ports.at(node, hca);
      (here.isEmpty() ? ports.named(hca) : here).forEach(p -> rates.add(p.rateGbps().value()));
    }
    return rates.size() == 1 ? Num.of(rates.iterator().next()) : Num.UNKNOWN;
  }

  private static void uses(String run, Log log, Ports ports, Ledger ledger) {
    log.taken().forEach((node, hcas) -> {
      Set<String> used = new TreeSet<>();
      Set<String> processes = new TreeSet<>();
      List<Evidence> sources = new ArrayList<>();
      for (NcclMessage channel : log.channels().getOrDefault(node, List.of())) {
        used.add(channel.field("netDev"));
        processes.add(channel.process());
        sources.addAll(ledger.of(channel));
      }
      Set<Num> rates = new HashSet<>();
      hcas.forEach(h -> rates.add(rate(node, h, log, ports)));
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

  private static void network(String part, RunSummary run, Log log, Ports ports, Ledger ledger) {
    Map<String, Map<String, Num>> nodes = new TreeMap<>();
    log.taken().forEach((node, hcas) -> hcas.forEach(h -> nodes.computeIfAbsent(node, n -> new TreeMap<>()).put(h, rate(node, h, log, ports))));
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
      stated(part, run, log, ledger);
      return;
    }
    Set<Num> each = new HashSet<>(least.getValue().values());
    Num one = each.size() == 1 ? each.iterator().next() : Num.UNKNOWN;
    String how = least.getValue().size() + " HCA ports of " + (one.known() ? one + " Gb/s" : "different rates") + ": " + Num.of(lowest / BITS).rounded() + " GB/s a node";
    String node = least.getKey();
    Set<String> hcas = least.getValue().keySet();
    List<Evidence> sources = ports.near(node).stream().filter(p -> hcas.stream().anyMatch(h -> h.startsWith(p.hca())))
        .flatMap(p -> ledger.of(p).stream()).sorted().toList();
    double busbw = lowest / BITS * (part.equals("alltoall") ? offNode(run) : 1);
    ledger.add(new Ceiling(node, run.run(), part, Num.of(busbw).rounded(), Num.of(least.getValue().size()), one, how),
        sources.isEmpty() ? List.copyOf(ledger.of(run)) : sources);
  }

  /** Where nothing shows the ports, an inventory of them; the rate of one is left out, since nobody says which of them the run used. */
  private static void stated(String part, RunSummary run, Log log, Ledger ledger) {
    List<StatedFigures> inventory = ledger.all(StatedFigures.class).stream().filter(s -> s.metric().equals("inventory")).toList();
    if (part.equals("network") && inventory.size() == 1 && ledger.all(RunSummary.class).size() == 1 && log.taken().isEmpty() && !run.network().equals("Socket")) {
      StatedFigures stated = inventory.get(0);
      ledger.add(new Ceiling(Fact.UNKNOWN, run.run(), part, stated.expectedGBps(), Num.parse(stated.text().split("\\D")[0]), Num.UNKNOWN, stated.text()), List.copyOf(ledger.of(stated)));
    }
  }

  /** Busbw of an all-to-all for each GB/s of a node's ports: of the N-1 parts that a rank sends, those to the N-k ranks of other nodes leave through the ports, with those of k-1 more. */
  private static double offNode(RunSummary run) {
    double all = run.ranks().value();
    double here = run.perNode().value();
    return (all - 1) / (here * (all - here));
  }

  /** One direction of the slots of a node whose GPUs have no NVLink: a ring sends and receives at most that, however its ranks reach each other. */
  private static void pcie(RunSummary run, Ledger ledger) {
    String node = run.node();
    boolean seen = ledger.all(Looked.class).stream().anyMatch(l -> l.node().equals(node) && l.kind() == Kind.TOPOLOGY);
    List<GpuPcie> links = ledger.all(GpuPcie.class).stream().filter(g -> g.node().equals(node)).toList();
    Set<Num> rates = new HashSet<>();
    links.forEach(g -> rates.add(GpuLinks.pcie(g.genMax(), g.widthMax())));
    boolean alike = rates.size() == 1 && rates.iterator().next().known() && run.ranks().atLeast(2);
    if (seen && alike && ledger.all(TopoLink.class).stream().noneMatch(t -> t.node().equals(node) && t.nvlink())) {
      GpuPcie one = links.get(0);
      Num rate = rates.iterator().next();
      String how = "PCIe " + one.genMax() + ".0 x" + one.widthMax() + ": " + rate + " GB/s in one direction";
      ledger.add(new Ceiling(node, run.run(), "pcie", rate, Num.of(1), Num.of(rate.value() * BITS).rounded(), how), List.copyOf(ledger.of(one)));
    }
  }

  private static void nvlink(RunSummary run, Ledger ledger) {
    GpuLinks.of(run.gpu(), run.ranks()).ifPresent(model -> ledger.add(
        new Ceiling(run.node(), run.run(), "nvlink", model.gBps(), model.links(), model.eachGbps(), model.how(run.gpu())), List.copyOf(ledger.of(run))));
  }
}
