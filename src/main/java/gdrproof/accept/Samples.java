package gdrproof.accept;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.RdmaLatency;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The single values behind distributions, in the order they were measured: one for each run of perftest on a rail, one for each run and
 * size of nccl-tests. The same extraction serves a bundle that is judged and the bundles that a baseline is recorded from.
 */
final class Samples {
  /**
   * What the values of one distribution have in common.
   *
   * @param node node of a rail; unknown for collectives
   * @param subject HCA, or collective with its role (`all_reduce full-node`)
   * @param bytes message size; unknown for plateau and scaling
   */
  record Key(String node, String metric, String subject, Num bytes, String unit) implements Comparable<Key> {
    private static final Comparator<Key> ORDER = Comparator.comparing(Key::metric).thenComparing(Key::node).thenComparing(Key::subject, Order.NATURAL).thenComparing(Key::bytes);

    boolean lowerIsBetter() {
      return unit.equals("us");
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** A value and where it was read. */
  record Value(double value, List<Evidence> sources) {}

  private final Map<Key, List<Value>> values = new TreeMap<>();
  private final Ledger ledger;

  private Samples(Ledger ledger) {
    this.ledger = ledger;
  }

  /** @param rows the matrix of the same bundle: it says which runs are production runs of one role */
  static Map<Key, List<Value>> of(Ledger ledger, List<MatrixRow> rows) {
    Samples samples = new Samples(ledger);
    samples.perftest();
    samples.collectives(rows);
    return samples.values;
  }

  private void add(Key key, double value, List<Evidence> sources) {
    values.computeIfAbsent(key, k -> new ArrayList<>()).add(new Value(value, sources));
  }

  private void perftest() {
    Map<String, RdmaTest> tests = new HashMap<>();
    List<RdmaTest> ordered = ledger.all(RdmaTest.class).stream().sorted(Comparator.comparing(RdmaTest::id, Order.NATURAL)).toList();
    for (RdmaTest test : ordered) {
      tests.put(test.id(), test);
      // A test against the own host measures no fabric, and a server prints what its client prints.
      boolean pair = test.side().equals("client") && !test.peer().equals("localhost") && !test.peer().equals("127.0.0.1") && !test.peer().equals(test.node());
      if (pair && test.gbps().above(0) && !test.hca().equals(Fact.UNKNOWN) && test.direction().equals("unidirectional")) {
        String metric = test.memory().equals("host") ? "host-rdma-bandwidth" : test.memory().equals("cuda") ? test.dmabuf() == Tri.YES ? "gpu-rdma-dmabuf-bandwidth" : "gpu-rdma-bandwidth" : "";
        if (!metric.isEmpty()) {
          add(new Key(test.node(), metric, test.hca(), test.bytes(), "Gb/s"), test.gbps().value(), List.copyOf(ledger.of(test)));
        }
      }
    }
    for (RdmaLatency row : ledger.all(RdmaLatency.class).stream().sorted(Comparator.comparing(RdmaLatency::id, Order.NATURAL)).toList()) {
      RdmaTest test = tests.get(row.id());
      String memory = test == null || !test.memory().equals("cuda") ? "host" : "gpu";
      List<Evidence> sources = List.copyOf(ledger.of(row));
      if (row.typicalUs().above(0)) {
        add(new Key(row.node(), memory + "-rdma-latency", row.hca(), row.bytes(), "us"), row.typicalUs().value(), sources);
      }
      if (row.p99Us().above(0)) {
        add(new Key(row.node(), memory + "-rdma-latency-p99", row.hca(), row.bytes(), "us"), row.p99Us().value(), sources);
      }
    }
  }

  private void collectives(List<MatrixRow> rows) {
    Map<String, List<NcclTestRow>> byRun = new HashMap<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof NcclTestRow row && row.placement().equals("out-of-place") && row.busbwGBps().above(0)) {
        byRun.computeIfAbsent(row.run(), r -> new ArrayList<>()).add(row);
      }
    });
    for (MatrixRow run : rows.stream().sorted(Comparator.comparing(MatrixRow::run, Order.NATURAL)).toList()) {
      if (run.control() || run.role().equals("other") || run.role().equals("one-rail")) {
        continue;
      }
      String subject = run.collective() + " " + run.role();
      // A run that stands in two files (table and JSON) is still one run: one value for each size.
      Map<Num, List<NcclTestRow>> sizes = new TreeMap<>();
      byRun.getOrDefault(run.run(), List.of()).forEach(row -> sizes.computeIfAbsent(row.bytes(), b -> new ArrayList<>()).add(row));
      sizes.forEach((bytes, same) -> add(new Key(Fact.UNKNOWN, "busbw", subject, bytes, "GB/s"), Percentiles.of(same.stream().map(r -> r.busbwGBps().value()).toList()).at(0.5),
          same.stream().flatMap(r -> ledger.of(r).stream()).sorted().limit(1).toList()));
      if (run.busbwGBps().known()) {
        add(new Key(Fact.UNKNOWN, "plateau", subject, Num.UNKNOWN, "GB/s"), run.busbwGBps().value(), List.copyOf(ledger.of(run)));
      }
    }
    List<MatrixRow> one = rows.stream().filter(r -> r.role().equals("one-gpu-per-node") && r.busbwGBps().above(0)).toList();
    for (MatrixRow full : rows.stream().filter(r -> r.role().equals("full-node") && r.busbwGBps().above(0)).sorted(Comparator.comparing(MatrixRow::run, Order.NATURAL)).toList()) {
      one.stream().filter(o -> o.collective().equals(full.collective())).findFirst().ifPresent(o -> {
        List<Evidence> sources = new ArrayList<>(ledger.of(full));
        sources.addAll(ledger.of(o));
        add(new Key(Fact.UNKNOWN, "scaling", full.collective() + " full-node over one-gpu-per-node", Num.UNKNOWN, "ratio"), full.busbwGBps().over(o.busbwGBps()).value(), sources);
      });
    }
  }
}
