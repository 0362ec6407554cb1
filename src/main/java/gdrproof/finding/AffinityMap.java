package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which HCA lies beside which GPU on each node, from the matrix of nvidia-smi, from the PCIe tree, or from both. What the evidence does not tell
 * stays unknown: no HCA is guessed.
 */
public final class AffinityMap {
  /** Order of path types, nearest first; others are unknown. */
  static final List<String> NEAREST = List.of("PIX", "PXB", "PHB", "NODE", "SYS");

  /**
   * A way from a GPU to a port.
   *
   * @param port `mlx5_0:1`, without number where none is known
   * @param path PIX, PXB, PHB, NODE, SYS, or unknown
   * @param state ACTIVE, DOWN, ..., or unknown
   * @param source `topo -m` or `pcie`
   */
  public record Way(String hca, String port, String path, String state, Num rateGbps, String linkLayer, String source) {
    int distance() {
      int at = NEAREST.indexOf(path);
      return at < 0 ? NEAREST.size() : at;
    }
  }

  /**
   * A GPU's row.
   *
   * @param numa NUMA node, cpus its CPUs as ranges; unknown where not told
   * @param preferred nearest usable port, alternates those that come next; nulls never, a missing one is {@link #NONE}
   */
  public record Row(String gpu, String address, String numa, String cpus, Way preferred, Way alternate) {}

  /** No port is known. */
  public static final Way NONE = new Way(Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN);

  /**
   * A node's map.
   *
   * @param hcaList value for a list of HCAs in its exact form (`=mlx5_0:1,mlx5_3:1`), or unknown
   * @param rankOrder GPUs in the order that pairs rank i with rail i
   * @param notes what is not as one would wish, in words
   */
  public record NodeMap(String node, List<Row> rows, String hcaList, List<String> rankOrder, List<String> notes) {}

  /**
   * All maps.
   *
   * @param alike groups of nodes whose maps are one, largest first
   * @param deviations what sets a node apart from the largest group
   */
  public record Result(List<NodeMap> nodes, List<List<String>> alike, List<String> deviations) {}

  private AffinityMap() {}

  public static Result of(Ledger ledger) {
    SortedMap<String, Topology> nodes = Topology.of(ledger);
    List<NodeMap> maps = nodes.values().stream().filter(t -> !t.gpus.isEmpty()).map(AffinityMap::map).toList();
    Map<String, List<NodeMap>> shapes = new LinkedHashMap<>();
    maps.forEach(m -> shapes.computeIfAbsent(shape(m), s -> new ArrayList<>()).add(m));
    List<List<NodeMap>> groups = shapes.values().stream().sorted(Comparator.comparingInt((List<NodeMap> g) -> -g.size())).toList();
    List<String> deviations = new ArrayList<>();
    groups.stream().skip(1).flatMap(List::stream).forEach(m -> deviations.addAll(deviations(m, groups.get(0).get(0))));
    return new Result(maps, groups.stream().map(g -> g.stream().map(NodeMap::node).toList()).toList(), deviations);
  }

  private static String shape(NodeMap map) {
    return map.rows().stream().map(r -> r.gpu() + ">" + r.preferred().port() + ":" + r.preferred().path() + "@" + r.numa()).collect(Collectors.joining(" "));
  }

  private static List<String> deviations(NodeMap map, NodeMap most) {
    List<String> found = new ArrayList<>();
    Map<String, Row> theirs = most.rows().stream().collect(Collectors.toMap(Row::gpu, r -> r, (a, b) -> a));
    if (map.rows().size() != most.rows().size()) {
      found.add(map.node() + " shows " + map.rows().size() + " GPUs, " + most.node() + " " + most.rows().size());
    }
    for (Row row : map.rows()) {
      Row other = theirs.get(row.gpu());
      if (other != null && (!row.preferred().port().equals(other.preferred().port()) || !row.preferred().path().equals(other.preferred().path()))) {
        found.add(map.node() + " " + row.gpu() + ": " + text(row.preferred()) + "; on " + most.node() + " " + text(other.preferred()));
      } else if (other != null && !row.numa().equals(other.numa())) {
        found.add(map.node() + " " + row.gpu() + ": NUMA node " + row.numa() + "; on " + most.node() + " " + other.numa());
      }
    }
    return found;
  }

  static String text(Way way) {
    return way.port().equals(Fact.UNKNOWN) ? "no HCA known" : way.port() + " (" + way.path() + ")";
  }

  private static NodeMap map(Topology topology) {
    Map<String, Integer> load = new HashMap<>();
    Map<String, Way> chosen = new TreeMap<>();
    Map<String, List<Way>> ways = new LinkedHashMap<>();
    topology.gpus.forEach(gpu -> ways.put(gpu, topology.ways(gpu)));
    // GPUs with the nearest HCA choose first; among equals the port that fewer GPUs have.
    ways.entrySet().stream().sorted(Comparator.comparingInt((Map.Entry<String, List<Way>> e) -> e.getValue().isEmpty() ? 9 : e.getValue().get(0).distance()))
        .forEach(entry -> entry.getValue().stream().filter(w -> !w.state().equals("DOWN"))
            .min(Comparator.comparingInt(Way::distance).thenComparing(w -> load.getOrDefault(w.port(), 0))).ifPresent(way -> {
              chosen.put(entry.getKey(), way);
              load.merge(way.port(), 1, Integer::sum);
            }));
    List<Row> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    ways.forEach((gpu, all) -> {
      Way preferred = chosen.getOrDefault(gpu, NONE);
      Way alternate = all.stream().filter(w -> w != preferred && !w.state().equals("DOWN") && !w.hca().equals(preferred.hca())).findFirst().orElse(NONE);
      rows.add(new Row(gpu, topology.address(gpu), topology.numa(gpu), topology.cpus(gpu), preferred, alternate));
      all.stream().filter(w -> w.distance() < preferred.distance() && w.state().equals("DOWN")).findFirst()
          .ifPresent(w -> notes.add(gpu + ": the nearest port " + w.port() + " (" + w.path() + ") is down"));
      if (preferred == NONE) {
        notes.add(gpu + ": no HCA with a known path");
      } else if (preferred.distance() >= NEAREST.indexOf("NODE")) {
        notes.add(gpu + ": its nearest HCA is as far as " + preferred.path());
      }
      if (!preferred.port().equals(Fact.UNKNOWN) && preferred.state().equals(Fact.UNKNOWN)) {
        notes.add(gpu + ": whether " + preferred.port() + " is active is not in the evidence");
      }
    });
    load.forEach((port, gpus) -> {
      if (gpus > 1) {
        notes.add(gpus + " GPUs share " + port);
      }
    });
    topology.unusedPorts(load.keySet()).forEach(p -> notes.add(p + " is active and nearest to no GPU: left out of the list"));
    List<String> ports = rows.stream().map(r -> r.preferred().port()).filter(p -> !p.equals(Fact.UNKNOWN)).distinct().sorted(Topology.NATURAL).toList();
    boolean whole = rows.stream().noneMatch(r -> r.preferred() == NONE);
    List<String> order = rows.stream().sorted(Comparator.comparing((Row r) -> r.preferred().port(), Topology.NATURAL).thenComparing(Row::gpu, Topology.NATURAL)).map(Row::gpu).toList();
    return new NodeMap(topology.node, rows, whole && !ports.isEmpty() ? "=" + String.join(",", ports) : Fact.UNKNOWN, whole ? order : List.of(), notes.stream().distinct().sorted().toList());
  }
}
