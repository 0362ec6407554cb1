package gdrproof.collect.kube;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.ClusterGap;
import gdrproof.facts.Kube.Demand;
import gdrproof.facts.Kube.MixedNodes;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Kube.NodeState;
import gdrproof.facts.Kube.NodeTaint;
import gdrproof.facts.Kube.Placement;
import gdrproof.facts.Kube.PodPlacing;
import gdrproof.facts.Kube.Pods;
import gdrproof.facts.Kube.QueueQuota;
import gdrproof.facts.Kube.Quota;
import gdrproof.facts.Kube.ResourceAsk;
import gdrproof.facts.Kube.Unjudged;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Holds jobs against a cluster as the scheduler would, with all nodes empty: what does not fit then, never fits. Node affinity is left out, since it can only
 * exclude more; so is what runs there now.
 */
public final class Placements {
  private static final Set<String> USES = Set.of("rank", "launcher");
  private static final int SHOWN = 4;
  /** Written by GPU feature discovery. */
  private static final String GPU_MODEL = "nvidia.com/gpu.product=";

  private final Ledger ledger;
  private final Map<String, NodeState> nodes = new TreeMap<>();
  private final Map<String, List<NodeTaint>> taints = new HashMap<>();
  private final Map<String, Map<String, Num>> offers = new HashMap<>();
  private final Map<String, PodPlacing> placings = new HashMap<>();
  private final Map<String, Map<String, Num>> asks = new HashMap<>();
  private final Map<String, ResourceAsk> places = new HashMap<>();
  private final List<Pods> pods = new ArrayList<>();
  private final List<ClusterGap> gaps = new ArrayList<>();
  private boolean complete;
  private boolean limited;

  private Placements(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Adds what all pods of each job ask together and, where the cluster's nodes are known, whether they fit. */
  public static void derive(Ledger ledger) {
    Placements placements = new Placements(ledger);
    ledger.forEach((fact, sources) -> placements.take(fact));
    // Several files may tell of one node, and not the same: the last one in the order of the files counts, whatever order facts came in.
    ledger.all(NodeState.class).forEach(node -> placements.nodes.put(node.node(), node));
    ledger.all(NodeOffer.class).forEach(offer -> placements.offers.computeIfAbsent(offer.node(), n -> new HashMap<>()).put(offer.resource(), offer.allocatable()));
    placements.gaps.forEach(placements::open);
    if (placements.limited) {
      placements.demands();
    }
    if (!placements.nodes.isEmpty()) {
      placements.pods.forEach(placements.complete ? placements::place : placements::mixed);
    }
  }

  /** A fact of each kind that may be derived without a cluster, for the choice of rules. */
  public static List<Fact> derived() {
    return List.of(new Demand(Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN));
  }

  private void take(Fact fact) {
    if (fact instanceof Pods each && USES.contains(each.use())) {
      pods.add(each);
    } else if (fact instanceof ResourceAsk ask && ask.resource().indexOf('/') > 0) {
      asks.computeIfAbsent(ask.pods(), p -> new TreeMap<>()).merge(ask.resource(), ask.amount(), Placements::sum);
      places.putIfAbsent(ask.pods() + " " + ask.resource(), ask);
    } else if (fact instanceof PodPlacing placing) {
      placings.put(placing.pods(), placing);
    } else if (fact instanceof NodeTaint taint) {
      taints.computeIfAbsent(taint.node(), n -> new ArrayList<>()).add(taint);
    } else if (fact instanceof ClusterGap gap) {
      gaps.add(gap);
    } else if (fact instanceof Quota || fact instanceof QueueQuota) {
      limited = true;
    } else if (fact instanceof Looked looked && looked.kind().equals(Kind.CLUSTER_NODES)) {
      complete = true;
    }
  }

  private void open(ClusterGap gap) {
    pods.stream().filter(p -> p.use().equals("rank")).forEach(p -> ledger.add(new Unjudged(p.id(), gap.resource(), gap.reason(), gap.checks()), ledger.of(p).first()));
  }

  private static Num sum(Num a, Num b) {
    return a.known() && b.known() ? Num.of(a.value() + b.value()) : Num.UNKNOWN;
  }

  private void demands() {
    Map<String, Map<String, Num>> totals = new TreeMap<>();
    Map<String, Pods> first = new HashMap<>();
    for (Pods each : pods) {
      asks.getOrDefault(each.id(), Map.of()).forEach((resource, amount) -> {
        Num all = PodTemplate.times(amount, each.replicas());
        totals.computeIfAbsent(each.object(), o -> new TreeMap<>()).merge(resource, all, Placements::sum);
        first.putIfAbsent(each.object() + " " + resource, each);
      });
    }
    totals.forEach((object, resources) -> resources.forEach((resource, total) -> {
      Pods carrier = first.get(object + " " + resource);
      ledger.add(new Demand(object, carrier.namespace(), carrier.id(), resource, total), place(carrier, resource));
    }));
  }

  /** The request itself, or the pods where there is none of one line. */
  private Evidence place(Pods carrier, String resource) {
    ResourceAsk ask = places.get(carrier.id() + " " + resource);
    return ledger.of(ask == null ? carrier : ask).first();
  }

  /** Whether pods ask for amounts of devices that are all known. */
  private static boolean plain(Map<String, Num> wants) {
    return !wants.isEmpty() && wants.values().stream().allMatch(n -> n.above(0));
  }

  /** Of some nodes only it can be told that they differ, not what the others would hold. */
  private void mixed(Pods each) {
    Map<String, Num> wants = asks.getOrDefault(each.id(), Map.of());
    if (plain(wants)) {
      PodPlacing placing = placings.get(each.id());
      mixed(each, placing, open(labelled(holding(wants), placing), placing, wants));
    }
  }

  private List<String> holding(Map<String, Num> wants) {
    return nodes.keySet().stream().filter(n -> holds(n, wants) > 0).toList();
  }

  private List<String> labelled(List<String> names, PodPlacing placing) {
    return placing == null ? names : names.stream().filter(n -> nodes.get(n).labels().containsAll(placing.selector())).toList();
  }

  /** Nodes without a taint that keeps the pods away, or with one that an admission plugin tolerates for them. */
  private List<String> open(List<String> names, PodPlacing placing, Map<String, Num> wants) {
    return names.stream().filter(n -> blocking(n, placing, wants).stream().allMatch(t -> wants.containsKey(t.key()))).toList();
  }

  private void place(Pods each) {
    Map<String, Num> wants = asks.getOrDefault(each.id(), Map.of());
    if (!plain(wants)) {
      return;
    }
    // A resource that nobody offers, or not in that amount, is told by itself.
    boolean alone = wants.entrySet().stream().allMatch(w -> nodes.keySet().stream().anyMatch(n -> holds(n, Map.of(w.getKey(), w.getValue())) > 0));
    if (!alone) {
      return;
    }
    PodPlacing placing = placings.get(each.id());
    List<String> selector = placing == null ? List.of() : placing.selector();
    List<String> able = holding(wants);
    List<String> labelled = labelled(able, placing);
    List<String> free = labelled.stream().filter(n -> blocking(n, placing, wants).isEmpty()).toList();
    List<String> maybe = open(labelled, placing, wants);
    List<String> ready = maybe.stream().filter(n -> nodes.get(n).ready() != Tri.NO && nodes.get(n).schedulable() != Tri.NO).toList();
    mixed(each, placing, maybe);
    int fit = count(maybe, wants);
    Num wanted = each.replicas();
    String blocker = "none";
    String detail = "";
    if (able.isEmpty()) {
      blocker = "together";
      detail = wants.entrySet().stream().map(w -> w.getValue() + " " + w.getKey()).collect(Collectors.joining(" and "));
    } else if (labelled.isEmpty()) {
      blocker = "selector";
      detail = String.join(", ", selector);
    } else if (maybe.isEmpty()) {
      blocker = "taint";
      detail = taintsOf(labelled, placing, wants);
    } else if (Num.of(fit).below(wanted)) {
      blocker = "count";
      detail = names(maybe);
      fit = count(maybe, wants);
    } else if (Num.of(count(ready, wants)).below(wanted)) {
      blocker = "unready";
      List<String> away = new ArrayList<>(maybe);
      away.removeAll(ready);
      detail = names(away);
      fit = count(ready, wants);
    } else if (Num.of(count(free, wants)).below(wanted)) {
      blocker = "taint-maybe";
      detail = taintsOf(labelled, placing, wants);
      fit = count(free, wants);
    }
    List<String> growing = Policies.texts(Policies.read("operator/kinds.yaml").get("growing-nodes"));
    boolean grows = nodes.values().stream().flatMap(n -> n.labels().stream()).anyMatch(l -> growing.stream().anyMatch(l::startsWith));
    ledger.add(new Placement(each.id(), each.object(), blocker, detail, Num.of(fit), wanted, Tri.of(grows)), ledger.of(each).first());
  }

  /** Ranks of one job that may land on different GPU models; affinity may forbid that, and is not evaluated. */
  private void mixed(Pods each, PodPlacing placing, List<String> able) {
    if (placing != null && placing.affinity() == Tri.YES) {
      return;
    }
    List<String> models = able.stream().flatMap(n -> nodes.get(n).labels().stream()).filter(l -> l.startsWith(GPU_MODEL)).map(l -> l.substring(GPU_MODEL.length())).distinct().sorted().toList();
    if (models.size() > 1) {
      ledger.add(new MixedNodes(each.id(), models), ledger.of(each).first());
    }
  }

  private int count(List<String> names, Map<String, Num> wants) {
    return names.stream().mapToInt(n -> holds(n, wants)).sum();
  }

  /** How many such pods an empty node holds. */
  private int holds(String node, Map<String, Num> wants) {
    Map<String, Num> has = offers.getOrDefault(node, Map.of());
    return wants.entrySet().stream().mapToInt(w -> {
      Num there = has.getOrDefault(w.getKey(), Num.of(0));
      return there.known() ? (int) Math.min(Integer.MAX_VALUE / 4, Math.floor(there.value() / w.getValue().value())) : 1;
    }).min().orElse(0);
  }

  /** Taints that the pods do not tolerate; those that only tell a node's state are no choice of anybody. */
  private List<NodeTaint> blocking(String node, PodPlacing placing, Map<String, Num> wants) {
    List<String> tolerations = placing == null ? List.of() : placing.tolerations();
    return taints.getOrDefault(node, List.of()).stream().filter(t -> !t.key().startsWith("node.kubernetes.io/") && tolerations.stream().noneMatch(o -> tolerates(o, t))).toList();
  }

  private static boolean tolerates(String toleration, NodeTaint taint) {
    String[] part = toleration.split("\\|", -1);
    boolean key = part[0].isEmpty() ? part[1].equals("Exists") : part[0].equals(taint.key()) && (part[1].equals("Exists") || part[2].equals(taint.value()));
    return key && (part[3].isEmpty() || part[3].equals(taint.effect()));
  }

  private String taintsOf(List<String> names, PodPlacing placing, Map<String, Num> wants) {
    return names.stream().flatMap(n -> blocking(n, placing, wants).stream()).map(t -> t.key() + (t.value().isEmpty() ? "" : "=" + t.value()) + ":" + t.effect()).distinct().sorted().limit(SHOWN)
        .collect(Collectors.joining(", "));
  }

  private static String names(List<String> names) {
    return String.join(", ", names.size() > SHOWN ? names.subList(0, SHOWN) : names) + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
  }
}
