package gdrproof.facts;

import java.util.List;

/**
 * What acceptance needs to know beyond single measurements: which nodes and rails are to be accepted, how runs compare, what the baseline
 * says, and what people have written down. Worked out after collection; none is a fact of one run.
 */
public sealed interface Gate extends Fact {
  /** A node that is to be accepted; why says what puts it into the scope (the intent of `site.yaml`, else hosts of the runs, else its own evidence). */
  record ScopeNode(String node, String why) implements Gate {}

  /** An HCA of such a node that carries training traffic; why as in {@link ScopeNode}. */
  record ScopeRail(String node, String hca, String why) implements Gate {}

  /**
   * A run as a row of the comparison matrix.
   *
   * @param role `full-node`, `one-gpu-per-node`, `single-node`, `one-rail`, `gdr-off`, `socket-only`, `other`; controls only where their own log (or network
   *     line) shows that the control took effect
   * @param rail HCA where one rail alone was used, `all` where several were, or unknown
   * @param transport network by NCCL's own words, or unknown
   * @param bytes size that the bandwidth stands for: smallest of the plateau
   * @param busbwGBps busbw of the large-message plateau, GB/s
   * @param errors `none`, what went wrong, or unknown where the run did not check
   * @param notes what a reader must know: unfinished, dips, still rising, warm-up
   */
  record MatrixRow(String node, String run, String role, Num nodes, Num perNode, List<String> hosts, String rail, String transport, Tri gdr, String collective,
      Num bytes, Num busbwGBps, String errors, List<String> notes) implements Gate {
    public MatrixRow {
      hosts = List.copyOf(hosts);
      notes = List.copyOf(notes);
    }

    public boolean multiNode() {
      return nodes.atLeast(2);
    }

    /** Whether a control: it is meant to be slower and proves nothing about the production path by itself. */
    public boolean control() {
      return role.equals("gdr-off") || role.equals("socket-only");
    }
  }

  /**
   * Two runs of the matrix that differ in one thing.
   *
   * @param what `gdr`, `sockets`, `network` (one node against several), `gpus-per-node`, `rail`, `repeat`
   * @param ratio second over first
   * @param proves in words, what the pair shows
   */
  record RunPair(String node, String what, String first, Num firstGBps, String second, Num secondGBps, Num ratio, String proves) implements Gate {}

  /**
   * What makes two configurations comparable.
   *
   * @param server product name of the machine, gpu model, gpus and nics on each node, nicGbps rate of one port, rails used, pcieGts and pcieLanes of the HCAs
   * @param fabric `InfiniBand`, `RoCE`, another network's name, or unknown
   */
  record TopologyClass(String node, String server, String gpu, Num gpus, Num nics, Num nicGbps, Num rails, Num pcieGts, Num pcieLanes, String fabric, Num nodes)
      implements Gate {}

  /**
   * Values of one measurement over comparable runs, without warm-ups.
   *
   * @param metric `host-rdma-bandwidth`, `gpu-rdma-bandwidth`, `host-rdma-latency`, `gpu-rdma-latency`, `busbw`, `plateau`, `scaling`
   * @param subject rail (`node hca`), collective, or collective with its role
   * @param condition `idle`, `load`, or unknown
   * @param bytes message size, or unknown
   * @param samples values counted, warmups values left out
   * @param p50 percentiles as {@code gdrproof.policy.Percentiles} defines them
   * @param spreadPercent (highest - lowest) / median, percent
   */
  record Distribution(String node, String metric, String subject, String condition, Num bytes, String unit, Num samples, Num warmups, Num low, Num p50, Num p95,
      Num p99, Num high, Num spreadPercent) implements Gate {}

  /**
   * The baseline that was given.
   *
   * @param file as named on the command line
   * @param sameClass whether it is of this topology class; no with what differs, unknown where the bundle does not tell
   * @param signed whether somebody has signed it: who, when and why
   * @param signedBy who and when, or unknown
   */
  record BaselineState(String node, String file, Tri sameClass, List<String> differences, Tri signed, String signedBy) implements Gate {
    public BaselineState {
      differences = List.copyOf(differences);
    }
  }

  /**
   * A distribution beside the baseline's.
   *
   * @param metric, subject, bytes and unit as in {@link Distribution}
   * @param limit the value that p50 (or the tail) must not cross
   * @param verdict `within`, `better`, `regressed`, `tail-regressed`, `unstable` (spread), `not-measured`, `few-runs`
   * @param why the arithmetic in words
   */
  record BaselineCheck(String node, String metric, String subject, Num bytes, String unit, Num measured, Num baseline, Num limit, String verdict, String why)
      implements Gate {
    public boolean good() {
      return verdict.equals("within") || verdict.equals("better");
    }
  }

  /**
   * Something that people have written down for this change (a lifecycle form, kind `lifecycle`).
   *
   * @param kind `pre-change-manifests`, `baseline-evidence`, `canary`, `rollback`, `escalation`
   * @param by who, date when (as written); unknown where missing
   * @param lacks required fields that are missing or empty
   */
  record Undertaking(String node, String kind, String by, String date, List<String> files, List<String> lacks) implements Gate {
    public Undertaking {
      files = List.copyOf(files);
      lacks = List.copyOf(lacks);
    }

    public boolean complete() {
      return lacks.isEmpty();
    }
  }

  /** Maker and product of a machine (`dmidecode -t system`, the DMI line of the kernel log). */
  record ServerModel(String node, String product) implements Gate {}

  /**
   * State that an operator wrote into its policy.
   *
   * @param kind NicClusterPolicy, NicNodePolicy or ClusterPolicy
   * @param state as written: `ready`, `notReady`, `error`, `ignore`; unknown where the object has no status
   * @param notReady parts whose own state is neither ready nor ignore
   */
  record ReadyState(String node, String kind, String name, String state, List<String> notReady) implements Gate {
    public ReadyState {
      notReady = List.copyOf(notReady);
    }

    public boolean ready() {
      return state.equalsIgnoreCase("ready") && notReady.isEmpty();
    }
  }

  /**
   * A pod of an operator as a cluster reports it (`kubectl get pods -o yaml`, `-o wide`).
   *
   * @param node node it runs on
   * @param component what it is, by `components` of `policies/acceptance.yaml`: `nic-driver`, `rdma-plugin`, `gpu-driver`, `gpu-plugin`, `network`
   * @param state phase or the reason that the table prints: `Running`, `CrashLoopBackOff`
   * @param ready whether all its containers are ready
   */
  record OperatorPod(String node, String namespace, String name, String component, String state, Tri ready, Num restarts) implements Gate {
    public boolean healthy() {
      return ready == Tri.YES && state.equals("Running");
    }
  }

  /** A component's version here beside the signed baseline's; same is unknown where either is. */
  record VersionCheck(String node, String component, String version, String baseline, Tri same) implements Gate {}

  /**
   * How even a measurement is over the rails and nodes that should do the same.
   *
   * @param metric as in {@link Distribution}
   * @param subjects how many rails, nodes or pairs are compared
   * @param lowest the one with the lowest value, low its value
   * @param ratio lowest over median
   */
  record Evenness(String node, String metric, Num subjects, String lowest, Num low, Num median, Num ratio) implements Gate {}

  /** A node that somebody has written down as meant for this traffic; why says where. Nodes in scope are intended too. */
  record IntendedNode(String node, String why) implements Gate {}

  /**
   * A port that `site.yaml` says a node has for this traffic.
   *
   * @param rail its rail, rateGbps the rate that it is meant to run at; unknown where the file does not say
   * @param linkLayer as written, or unknown
   */
  record IntendedPort(String node, String hca, Num port, Num rail, Num rateGbps, String linkLayer) implements Gate {}

  /** A file that an {@link Undertaking} names and the bundle does not hold. */
  record MissingFile(String node, String kind, String file) implements Gate {}
}
