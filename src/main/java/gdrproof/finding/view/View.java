package gdrproof.finding.view;

import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Subject;
import java.util.List;

/**
 * What a report draws, worked out from facts: the hardware of each node with the faults marked on it, bandwidth curves, rails side by side,
 * and counters that moved. A report only lays this out.
 *
 * @param left nodes that are alike with others drawn, or for which there was no room, in words
 */
public record View(List<NodeView> nodes, String left, List<Chart> charts, List<Rail> rails, List<Counter> counters) {
  /** What a report lists as wrong, with the places it is about: a cause, or an item of a checklist that fails. */
  public record Flaw(String kind, String name, List<Subject> subjects) {}

  /** A flaw at a place: `cause` or `item`, its number in the report's list, and its name. */
  public record Mark(String kind, int number, String name) {
    @Override
    public String toString() {
      return kind + " " + number;
    }
  }

  /**
   * A GPU or an HCA.
   *
   * @param kind `gpu` or `hca`
   * @param note what is known of it: model, or the state and rate of its port
   * @param link its PCIe link as generation and width, or ""
   */
  public record Device(String name, String kind, String note, String link, List<Mark> marks) {}

  /**
   * Devices below one switch or host bridge.
   *
   * @param label `PCIe switch`, `host bridge`, or what is known of it
   */
  public record Group(String label, List<Device> gpus, List<Device> hcas) {
    /** Devices of both kinds, GPUs first. */
    public List<Device> devices() {
      return java.util.stream.Stream.concat(gpus.stream(), hcas.stream()).toList();
    }
  }

  /** Part of a node with its own memory and root ports; name `NUMA 0`, or what is known of it. */
  public record Socket(String name, List<Group> groups) {}

  /** A way between two devices that a cause is about. */
  public record BadPath(String from, String to, String path, List<Mark> marks) {}

  /**
   * One node, or several that are alike.
   *
   * @param nvlink how the GPUs are joined, in words, or ""
   * @param marks faults of the node as a whole
   * @param source what the picture rests on, in words
   */
  public record NodeView(List<String> names, List<Socket> sockets, String nvlink, List<BadPath> bad, List<Mark> marks, String source) {
    public boolean marked() {
      return !marks.isEmpty() || !bad.isEmpty() || sockets.stream().flatMap(s -> s.groups().stream()).flatMap(g -> g.devices().stream()).anyMatch(d -> !d.marks().isEmpty());
    }
  }

  /** A point of a curve: message size in bytes, bandwidth in GB/s. */
  public record Point(double bytes, double gBps) {}

  /**
   * A line of a chart.
   *
   * @param kind `run`, `baseline` (its medians), `limit` (below it the baseline counts as missed) or `ceiling` (two points at one height)
   */
  public record Series(String name, String kind, List<Point> points) {}

  /** Bus bandwidth over message size of one collective on one number of nodes, GB/s. */
  public record Chart(String title, List<Series> series) {}

  /**
   * One RDMA test of one rail.
   *
   * @param rateGbps rate of the port, Gb/s, or unknown
   * @param share measured over rate, or over the best result of the same test where no rate is known, 0 to 1; unknown where there is nothing to compare with
   */
  public record Rail(String node, String hca, String test, String memory, Num gbps, Num rateGbps, Num share) {}

  /**
   * A counter before and after.
   *
   * @param meaning class of the counter, or unknown
   * @param error whether a counter of this class should stand still
   */
  public record Counter(String node, String device, String name, String meaning, Num before, Num after, Num grown, Num seconds, boolean error) {}

  /** The view of a bundle, with the causes of its diagnosis marked. */
  public static View of(Ledger ledger, List<Answer> causes) {
    return marked(ledger, causes.stream().map(c -> new Flaw("cause", c.fault(), List.copyOf(c.subjects()))).toList());
  }

  /** The view of a bundle, with the failed items of its acceptance marked, numbered in their order. */
  public static View of(Ledger ledger, Acceptance acceptance) {
    return marked(ledger, acceptance.failed().stream().map(i -> new Flaw("item", i.id(), i.subjects())).toList());
  }

  private static View marked(Ledger ledger, List<Flaw> flaws) {
    Topologies topologies = new Topologies(ledger, flaws);
    return new View(topologies.nodes(), topologies.left(), Charts.of(ledger), Rails.of(ledger), Counters.of(ledger));
  }

  /** Whether there is nothing to draw at all. */
  public boolean empty() {
    return nodes.isEmpty() && charts.isEmpty() && rails.isEmpty() && counters.isEmpty();
  }
}
