package gdrproof.facts;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measurements as tools print them: nccl-tests, perftest and tables of results. Facts of nccl-tests belong to a run; facts
 * of the other tools do not, so every session sees them. What is derived from them stands in {@link Measure}.
 */
public sealed interface Bench extends Fact {
  /**
   * One row of an nccl-tests report, one placement.
   *
   * @param program benchmark (`all_reduce_perf`), or unknown
   * @param bytes message size in bytes
   * @param placement `out-of-place` or `in-place`
   * @param timeUs time in microseconds
   * @param algbwGBps algorithm bandwidth, GB/s (10^9)
   * @param busbwGBps bus bandwidth, GB/s (10^9)
   * @param wrong elements found wrong; unknown where checking was off or the release prints a deviation
   */
  record NcclTestRow(String node, String run, String program, Num bytes, String placement, Num timeUs, Num algbwGBps, Num busbwGBps, Num wrong)
      implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new NcclTestRow(node, other, program, bytes, placement, timeUs, algbwGBps, busbwGBps, wrong);
    }
  }

  /**
   * Times of single iterations of one row (nccl-tests 2.19.2 and later with `-I 1`; JSON version 2 and later).
   *
   * @param minUs shortest iteration, microseconds; likewise the others
   * @param cvPercent standard deviation over mean, percent
   */
  record NcclTestIterations(String node, String run, Num bytes, String placement, Num minUs, Num p50Us, Num p95Us, Num p99Us, Num maxUs, Num cvPercent)
      implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new NcclTestIterations(node, other, bytes, placement, minUs, p50Us, p95Us, p99Us, maxUs, cvPercent);
    }
  }

  /**
   * The parameter line.
   *
   * @param sweep smallest size, largest size and step, as in `8388608-8589934592*2`
   * @param iterations timed, warmup untimed iterations
   * @param checked whether results are checked (`-c`)
   * @param version nccl-tests version, library NCCL version code (`23007`), or unknown
   */
  record NcclTestConfig(String node, String run, String program, String sweep, Num threads, Num gpusPerThread, Num warmup, Num iterations, Num aggregated,
      Tri checked, Tri graph, String version, String library) implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new NcclTestConfig(node, other, program, sweep, threads, gpusPerThread, warmup, iterations, aggregated, checked, graph, version, library);
    }
  }

  /**
   * The command that started a benchmark, where the file shows it.
   *
   * @param ranks processes the launcher was asked for
   * @param hosts host names it was given, sorted
   * @param settings environment set on the command line (`-x NAME=VALUE`, `NAME=VALUE cmd`)
   */
  record NcclTestCommand(String node, String run, String program, Num ranks, Num perNode, List<String> hosts, Map<String, String> settings)
      implements Bench, RunFact {
    public NcclTestCommand {
      hosts = hosts.stream().sorted().distinct().toList();
      settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }

    @Override
    public Fact inRun(String other) {
      return new NcclTestCommand(node, other, program, ranks, perNode, hosts, settings);
    }
  }

  /**
   * Footer of an nccl-tests report.
   *
   * @param ranks ranks of the rank table, else unknown
   * @param outOfBounds failed checks (not elements)
   * @param checked whether the run checked its results
   * @param avgBusbwGBps mean over the sweep, GB/s; never a verdict
   * @param floorFailed whether the site's own floor (NCCL_TESTS_MIN_BW) was missed
   * @param finished whether the report reached its end
   */
  record NcclTestSummary(String node, String run, String program, Num ranks, Num outOfBounds, Tri checked, Num avgBusbwGBps, Tri floorFailed, Tri finished)
      implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new NcclTestSummary(node, other, program, ranks, outOfBounds, checked, avgBusbwGBps, floorFailed, finished);
    }
  }

  /** NCCL release codes (`22809`) that a program was built against and has loaded (nccl-tests 2.19 and later). */
  record NcclTestBuild(String node, String run, String headers, String library) implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new NcclTestBuild(node, other, headers, library);
    }

    /** Whether the two are of one minor release: within it the interface does not change. */
    public boolean fits() {
      return minor(headers).equals(minor(library));
    }

    private static String minor(String code) {
      return code.length() > 2 ? code.substring(0, code.length() - 2) : code;
    }
  }

  /**
   * A benchmark stopped with an error of its own.
   *
   * @param kind `nccl`, `cuda`, `test`, `timeout`, `gpus` (more GPUs asked than there are), `terminated` (killed by `timeout` or a signal)
   * @param text error as printed
   * @param detail last NCCL error, source place or seconds
   */
  record NcclTestFailure(String node, String run, String program, String kind, String text, String detail) implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new NcclTestFailure(node, other, program, kind, text, detail);
    }
  }

  /**
   * Reports that each hold rank 0 only although they were started together: the processes did not join one communicator.
   *
   * @param reports how many reports or rank-0 lines
   */
  record SeparateReports(String node, String run, Num reports) implements Bench, RunFact {
    @Override
    public Fact inRun(String other) {
      return new SeparateReports(node, other, reports);
    }
  }

  /**
   * One perftest run (`ib_write_bw` and kin; perftest 4.4 to 26.x).
   *
   * @param id place of the run, `file#line`; rows and errors of the run carry the same
   * @param test title, such as `RDMA_Write BW`
   * @param memory `host` or `cuda`; unknown in JSON, which does not say
   * @param dmabuf whether GPU memory was registered through DMA-BUF
   * @param gpu CUDA device number as in `GPU0`, or unknown
   * @param gpuModel model name printed by the CUDA preface
   * @param direction `unidirectional` or `bidirectional` (then figures are the sum of both)
   * @param linkLayer `IB` or `Ethernet`, from "Link type"
   * @param gidIndex GID index, unknown without such a line
   * @param localIp own GID as IPv4, or unknown
   * @param mode `iterations` or `duration`
   * @param side `client` or `server` (a server of a write test prints no row)
   * @param peer host on the command line, or unknown
   * @param unit unit of the table: `Gb/sec`, `MiB/sec`, or unknown
   * @param bytes size of the largest whole row
   * @param gbps average bandwidth there, Gb/s (10^9 bits)
   */
  record RdmaTest(String node, String id, String test, String hca, String memory, Tri dmabuf, String gpu, String gpuModel, String direction, Num qps,
      Num mtuBytes, String linkLayer, Num gidIndex, String localIp, String mode, String side, String peer, String unit, Num bytes, Num gbps)
      implements Bench {
    /** Bandwidth in GB/s (10^9 bytes), as collectives count it. */
    public Num gigabytes() {
      return gbps.over(Num.of(Byte.SIZE));
    }
  }

  /** Whether a perftest run used PCIe relaxed ordering ("PCIe relax order", perftest 4.5 and later, or the option that switches it off). */
  record RdmaTestOrdering(String node, String id, String hca, Tri relaxed) implements Bench {}

  /**
   * A row of a perftest bandwidth table.
   *
   * @param average as printed, in `unit`
   * @param gbps average in Gb/s (10^9 bits); unknown if the unit is
   */
  record RdmaTestRow(String node, String id, String hca, Num bytes, Num iterations, String unit, String headerUnit, Num peak, Num average, Num gbps,
      Num cpuPercent) implements Bench {}

  /** A row of a perftest latency table, microseconds; half round trip as perftest defines it. */
  record RdmaLatency(String node, String id, String hca, Num bytes, Num minUs, Num maxUs, Num typicalUs, Num averageUs, Num p99Us, Num p999Us)
      implements Bench {}

  /**
   * An error of perftest.
   *
   * @param error slug: `mr-register`, `dmabuf-unsupported`, `no-cuda-build`, `no-rdma-device`, `device-not-found`, `connect`, `modify-qp`, `completion`,
   *     `peer-closed`, `param-mismatch`, `version-mismatch`, `gid-type`, `below-limit`
   * @param fields what the line tells: `errno`, `wcStatus`, `syndrome`, `qpState`, `tcpPort`, `param`, ...; of a refused registration also `bytes` and `gpu`
   *     where the command line says them
   */
  record RdmaTestError(String node, String id, String hca, String memory, String error, Map<String, String> fields) implements Bench {
    public RdmaTestError {
      fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    }

    /** A field's text, or unknown. */
    public String field(String name) {
      return fields.getOrDefault(name, UNKNOWN);
    }

    /** A field's number, or unknown. */
    public Num number(String name) {
      return Num.parse(field(name));
    }
  }

  /** Protocol version that `-V` of a perftest program prints (not the package version). */
  record RdmaTestVersion(String node, String protocol) implements Bench {}

  /**
   * One line of a table of pairs of nodes.
   *
   * @param other second node
   * @param table place of the table, `file#line`; values of one table compare with each other
   * @param value higher is better (times are not taken)
   * @param unit `GB/s`, `Gb/s`, `MiB/s`, or unknown
   */
  record PairResult(String node, String other, String table, Num value, String unit, String comment) implements Bench {}

  /**
   * Figures of two pairs of nodes that were measured at the same time.
   *
   * @param other second node of the first pair
   * @param beside first node of the pair that ran beside it, or {@link #OTHERS} where all pairs of the table ran at once
   * @param besideOther its second node
   * @param value what the first pair reached, unit as in {@link PairResult}
   */
  record PairLoad(String node, String other, String beside, String besideOther, String table, Num value, String unit) implements Bench {
    /** All other pairs of the table. */
    public static final String OTHERS = "others";
  }

  /**
   * One line of a table of labelled results of one thing (repeats, or variants of a setting).
   *
   * @param label text before the number: `run1`, `before`, `NCCL_P2P_DISABLE=1`
   * @param order position in the table, from 1
   */
  record TableResult(String node, String table, String label, Num order, Num value, String unit, String comment) implements Bench {}

  /**
   * A cell of a device-to-device matrix of nvbandwidth, or what a GPU gets of copies with the host while others copy too.
   *
   * @param metric title of the matrix as printed (after `multinode ` where the numbers are processes of several nodes), or `copies at the same time`
   * @param from row, to column: `GPU0`, `process 0`; of copies at the same time the GPUs that took part, `0,1`, and the one of the figure (`each` where it is that of all)
   */
  record GpuMatrixCell(String node, String table, String metric, String from, String to, Num value, String unit) implements Bench {}

  /** Bandwidth of a TCP test (iperf, iperf3, qperf), Gb/s. */
  record TcpTest(String node, String tool, Num gbps) implements Bench {}

  /**
   * What somebody says about a figure: measured, and what was expected instead.
   *
   * @param metric `algbw`, `busbw`, or unknown, as stated for the measured figure; `inventory`: the expected figure is what the ports of a node carry together
   * @param measuredGBps measured, expectedGBps expected, GB/s
   */
  record StatedFigures(String node, Num measuredGBps, String metric, Num expectedGBps, String text) implements Bench {}

  /**
   * The machine a pod or container runs on, where a table says so (`NAME NODE`); node is the name its processes see.
   */
  record HostPlacement(String node, String machine) implements Bench {}
}
