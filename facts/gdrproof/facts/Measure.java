package gdrproof.facts;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the measurements of a bundle amount to, worked out once after collection (`gdrproof.measure`). None of these is a
 * fact of one run: a rule may compare runs.
 */
public sealed interface Measure extends Fact {
  /**
   * One nccl-tests report as a whole.
   *
   * @param node the only node of the run, or unknown
   * @param collective `all_reduce`, ..., from the program's name or the ratio of busbw to algbw; or unknown
   * @param sweep sizes and step of the parameter line, or those of the rows
   * @param ranks ranks of the (sub)communicator
   * @param nodes nodes, perNode ranks on each (unknown where they differ)
   * @param hosts names of the nodes, sorted; empty if nothing names them
   * @param gpu GPU model, or unknown
   * @param plateauGBps busbw of the large-message plateau, GB/s
   * @param algbwGBps algbw there
   * @param plateauBytes smallest size of the plateau, topBytes largest size measured
   * @param flat yes: the plateau holds over several sizes; no: the curve still rises; unknown: too few sizes to tell
   * @param dips sizes inside the plateau that fall out of it, `bytes@GBps`
   * @param inPlaceRatio in-place over out-of-place on the plateau
   * @param correctness `right` (checked, none wrong), `wrong`, `unchecked`, or unknown
   * @param finished whether the report reached its end
   * @param settings environment that the run is known to have had (command line, NCCL log, JSON)
   * @param network network NCCL selected (`IB`, `Socket`, a plugin's name), or unknown
   * @param gdr whether GPUDirect RDMA was on its network channels
   */
  record RunSummary(String node, String run, String collective, String sweep, Num ranks, Num nodes, Num perNode, List<String> hosts, String gpu,
      Num plateauGBps, Num algbwGBps, Num plateauBytes, Num topBytes, Tri flat, List<String> dips, Num inPlaceRatio, String correctness, Tri finished,
      Map<String, String> settings, String network, Tri gdr) implements Measure {
    public RunSummary {
      hosts = List.copyOf(hosts);
      dips = List.copyOf(dips);
      settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }

    /** A setting's value, or unknown. */
    public String setting(String name) {
      return settings.getOrDefault(name, UNKNOWN);
    }

    public boolean multiNode() {
      return nodes.atLeast(2);
    }

    public boolean oneNode() {
      return nodes.is(1);
    }
  }

  /**
   * The most that one part of the hardware allows a run.
   *
   * @param part `network` (ports of the HCAs in use), `nvlink`, `alltoall` (the same for an all-to-all, of which a part stays in the node), or `ports` (what the ports of the node of a run on one node could carry: no limit of that run)
   * @param busbwGBps ceiling of the collective's busbw, GB/s
   * @param count how many ports or links, eachGbps the rate of each
   * @param how the arithmetic in words
   */
  record Ceiling(String node, String run, String part, Num busbwGBps, Num count, Num eachGbps, String how) implements Measure {}

  /**
   * Runs that should agree: same collective, sweep, ranks, hosts and settings.
   *
   * @param key what they have in common
   * @param total runs of the series; count those compared (a first one slower than all others is the warm-up, given three)
   * @param spreadPercent (highest - lowest) / median, percent
   */
  record Repeats(String node, String key, Num total, Num count, Num lowGBps, Num medianGBps, Num highGBps, Num spreadPercent, List<String> runs) implements Measure {
    public Repeats {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Two runs that differ in one thing.
   *
   * @param what `time` (the later is slower), `time-better` (the later is faster), `hosts` (one node exchanged), `setting` (one variable), `nodes` (more nodes
   *     are slower), `ranks-per-node` (more GPUs a node are slower), `common-size` (other range of sizes, all else alike), `gpus-together` (GPUs that copy at once are
   *     slower than one alone), `gpus-apart` (as many GPUs elsewhere are not),
   *     `gpu-host-copy` and `gpu-peer-copy` (copies of one GPU, with the host or with every other GPU, are slower than its siblings'),
   *     `alike` (nothing differs)
   * @param detail the difference: the node, `NAME=VALUE`, the order, or the size in bytes
   * @param subject node that only the slow run has, for `hosts`; else unknown
   * @param slowRun run with the lower plateau, fastRun the other
   * @param ratio lower plateau over higher
   */
  record Contrast(String node, String what, String detail, String slowRun, Num slowGBps, String fastRun, Num fastGBps, Num ratio) implements Measure {}

  /**
   * How a node does in a table of pairs.
   *
   * @param verdict `slow` (every pair slow, each partner fast elsewhere, two partners at least), `suspect` (every pair slow, but the partners were not
   *     seen elsewhere), `mixed` (slow with some partners only), `fast`
   * @param slow pairs below the fast group, pairs in all
   */
  record NodeInPairs(String node, String table, String verdict, Num slow, Num pairs, Num medianGBps, Num fastGBps) implements Measure {}

  /**
   * A pair that is slow although both its nodes are fast with others.
   *
   * @param value the pair's figure, fast that of the fast group
   */
  record OddPair(String node, String other, String table, Num value, Num fast) implements Measure {}

  /**
   * Host against GPU memory, or port rate, of RDMA tests on one HCA.
   *
   * @param reference `host-memory`, `port-rate`, `other-gpu` (through the same HCA), `other-hca` (of the same GPU), `sibling-rail` or `sibling-host` (the same HCA of another node)
   * @param kind what was slow: `gpu`, `host`, `rail`
   * @param ratio measured over reference
   */
  record RdmaShortfall(String node, String hca, String gpu, String kind, String reference, Num gbps, Num referenceGbps, Num ratio) implements Measure {}

  /**
   * Which HCAs a run uses on one node, by NCCL's own log.
   *
   * @param listed HCAs NCCL took, used those that appear on a channel
   * @param processes processes whose channels the log shows
   * @param eachGbps rate of one, where all have the same
   * @param hca the only one used, or unknown
   */
  record NicUse(String node, String run, Num listed, Num used, Num processes, Num eachGbps, String hca) implements Measure {}

  /**
   * Long iterations in a run.
   *
   * @param ratio longest iteration (99th percentile where printed with enough samples) over the shortest
   */
  record IterationTail(String node, String run, Num bytes, Num shortUs, Num longUs, Num ratio, Num cvPercent) implements Measure {}

  /**
   * Figures of a report that contradict each other.
   *
   * @param what `factor` (busbw over algbw does not fit the ranks) or `time` (size over time does not give algbw)
   * @param printed what the columns give, expected what they should
   */
  record Implausible(String node, String run, String what, Num bytes, Num printed, Num expected) implements Measure {}

  /**
   * A run that did not come to an end, and the same command with one setting more that did.
   *
   * @param setting variable that only the finished run has set, value its value
   * @param stopped run that was ended from outside, finished the other
   */
  record ControlRun(String node, String setting, String value, String stopped, String finished) implements Measure {}

  /**
   * A run that was made to be read beside another one: a control (GPUDirect RDMA off, sockets only, one rail) or a step of the progressive matrix (one
   * GPU, one node, one GPU a node). What it shows is meant, so it is no fault of the job.
   *
   * @param kind `control` (same ranks, a transport setting more on its own command line) or `step` (fewer ranks on the same hosts, as its command asks)
   * @param setting variables that only the control has, `NAME=VALUE`, joined by blanks; ranks for a step
   * @param of the run to read it beside
   */
  record Experiment(String node, String run, String kind, String setting, String of) implements Measure {}

  /**
   * The same measurement under two states of a machine that differ, as far as the evidence tells, in one thing.
   *
   * @param what the thing: `kernel`, `numa-nodes`, `nvidia-driver`, `ofed`, `firmware`, ...
   * @param worse its value where the measurement failed or was slower, better the other
   * @param outcome `failed` (with worse it did not run at all) or `slower`
   * @param worseGbps figures with each, Gb/s; unknown for a failure
   * @param ratio lower over higher, unknown for a failure
   * @param times how many pairs say so
   */
  record OneChange(String node, String what, String worse, String better, String outcome, Num worseGbps, Num betterGbps, Num ratio, Num times) implements Measure {}
}
