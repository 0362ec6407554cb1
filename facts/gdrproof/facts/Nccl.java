package gdrproof.facts;

import java.util.Map;
import java.util.TreeMap;

/** What NCCL itself wrote. */
public sealed interface Nccl extends Fact, RunFact {
  /**
   * One kind of catalogued message of one process, however often it was printed (the ledger holds first and last line).
   *
   * @param process `host:pid` as NCCL prints it, or unknown for a bare line
   * @param id name in `policies/log-messages.yaml` (`ib-none`, `using-network`, ...)
   * @param level WARN, INFO, TRACE, CALL, ABORT, VERSION, or TEXT for lines that NCCL did not write
   * @param fields named groups of the message's pattern; absent groups are left out
   */
  record NcclMessage(String node, String run, String process, String id, String level, Map<String, String> fields) implements Nccl {
    public NcclMessage {
      fields = java.util.Collections.unmodifiableMap(new TreeMap<>(fields));
    }

    /** A field's text, or unknown. */
    public String field(String name) {
      return fields.getOrDefault(name, UNKNOWN);
    }

    /** Host part of an address field as NCCL prints it (`10.0.0.8<40123>`), or unknown. */
    public String host(String name) {
      String text = field(name);
      int port = text.indexOf('<');
      return port < 0 ? text : text.substring(0, port);
    }

    /** Port of an address field as NCCL prints it (`10.0.0.8<40123>`), or unknown. */
    public Num port(String name) {
      String text = field(name);
      int begin = text.indexOf('<');
      return begin < 0 || !text.endsWith(">") ? Num.UNKNOWN : Num.parse(text.substring(begin + 1, text.length() - 1));
    }

    public Num number(String name) {
      return Num.parse(fields.get(name));
    }

    @Override
    public Fact inRun(String other) {
      return new NcclMessage(node, other, process, id, level, fields);
    }
  }

  /**
   * A rank of a communicator, from its Init lines.
   *
   * @param commId communicator id in hexadecimal, or unknown
   * @param started an `Init START` line (or an older equivalent) was seen
   * @param completed an `Init COMPLETE` line was seen
   */
  record NcclRank(String node, String run, String process, Num rank, Num ranks, String commId, String busId, Tri started, Tri completed) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclRank(node, other, process, rank, ranks, commId, busId, started, completed);
    }
  }

  /**
   * Release of the library that a process runs.
   *
   * @param process `host:pid`, or unknown for the bare line that only rank 0 prints (up to 2.21, and at VERSION and WARN level)
   * @param version as printed: `2.28.9`
   * @param cudaVersion toolkit it was built with, or unknown
   */
  record NcclVersion(String node, String run, String process, String version, String cudaVersion) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclVersion(node, other, process, version, cudaVersion);
    }
  }

  /** Network that a process's communicators use (`Using network`): IB, Socket, IBext_v8, AWS Libfabric, gIB, FasTrak ... */
  record NcclNetwork(String node, String run, String process, String network) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclNetwork(node, other, process, network);
    }
  }

  /**
   * A verbs port that NCCL selected (the `NET/IB : Using` line, also ports fused in 2.20 to 2.23).
   *
   * @param index NCCL's own number; the physical one where ports are fused
   * @param link `IB` or `RoCE`
   */
  record NcclHca(String node, String run, String process, Num index, String hca, Num port, String link) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclHca(node, other, process, index, hca, port, link);
    }
  }

  /** Number of verbs ports that a process selected; 0 is printed as an empty list since 2.24. */
  record NcclNicCount(String node, String run, String process, Num nics) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclNicCount(node, other, process, nics);
    }
  }

  /**
   * Connections of one kind that a process made, summed up over channels and peers.
   *
   * @param kind NET, P2P, SHM or COLLNET
   * @param name network of NET and COLLNET (`IB`, `Socket`), means of the others (`CUMEM`, `IPC`, `direct`)
   * @param device NIC index of NET and COLLNET, unknown for the others
   * @param direction `send`, `receive`, or unknown where the line tells none
   * @param gdr whether the network reads or writes GPU memory; unknown for P2P and SHM
   * @param connections lines of this kind, which is channels times peers for a whole log
   * @param peers different ranks at the other end
   * @param localPeers how many of them run on the same host; unknown if their hosts are not in the log, or if the process is in
   *     communicators of several sizes, whose rank numbers its lines do not tell apart
   */
  record TransportUse(String node, String run, String process, String kind, String name, Num device, String direction, Tri gdr, Num connections, Num peers,
      Num localPeers) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new TransportUse(node, other, process, kind, name, device, direction, gdr, connections, peers, localPeers);
    }
  }

  /**
   * Whether a device can register GPU memory at all; distance is not considered.
   *
   * @param net network of the device (`IB`, `Socket`, a plugin's name)
   * @param mechanism `nvidia-peermem` or `DMABUF` where a plugin names it, a reason in brackets in releases up to 2.12, else unknown
   */
  record HcaGdr(String node, String run, String process, String net, String hca, Tri enabled, String mechanism) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new HcaGdr(node, other, process, net, hca, enabled, mechanism);
    }
  }

  /**
   * NCCL's verdict by distance on a GPU and a NIC.
   *
   * @param gpu as printed: a bus id up to 2.23, a rank from 2.24 to 2.28, `GPU/system-id` in 2.29
   * @param nic as printed: index up to 2.20, hexadecimal id later
   * @param path path type (`PIX`, `PHB`, `SYS`) of the distance in this release's numbering, or unknown without a release
   * @param limit path type up to which GPUDirect RDMA is used, or unknown
   */
  record GpuGdr(String node, String run, String process, String gpu, String nic, Tri enabled, Num distance, String path, String limit) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new GpuGdr(node, other, process, gpu, nic, enabled, distance, path, limit);
    }
  }

  /** Channels of a communicator of a process. */
  record NcclChannels(String node, String run, String process, Num collective, Num nvls, Num p2p, Num perPeer) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclChannels(node, other, process, collective, nvls, p2p, perPeer);
    }
  }

  /**
   * NCCL's own path between a GPU and a NIC (GRAPH lines).
   *
   * @param gpu `GPU/0-60` as printed
   * @param nic `NET/0-0` as printed
   * @param type LOC, NVL, PIX, PXB, PXN, PHB, SYS ...
   */
  record NcclPath(String node, String run, String gpu, String nic, Num hops, Num gbps, String type) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclPath(node, other, gpu, nic, hops, gbps, type);
    }
  }

  /**
   * First warning of a process.
   *
   * @param id message in the catalogue, or `uncatalogued`
   * @param text the message
   * @param time as stamped (local time without zone by default), or unknown
   */
  record FirstFailure(String node, String run, String process, Num rank, String id, String text, String time) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new FirstFailure(node, other, process, rank, id, text, time);
    }
  }

  /**
   * How far a rank came in its sequence of collectives, by one witness.
   *
   * @param witness `nccl` (COLL lines), `pytorch` (watchdog), `ras`
   * @param group communicator or process group, or unknown
   * @param operation kind of collective, or unknown where the counter covers all kinds
   * @param enqueued highest operation started
   * @param completed highest operation finished
   */
  record RankProgress(String node, String run, String process, Num rank, String witness, String group, String operation, Num enqueued, Num completed)
      implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new RankProgress(node, other, process, rank, witness, group, operation, enqueued, completed);
    }
  }

  /**
   * Two processes of a run print messages that no single NCCL release prints.
   *
   * @param from first release of the newer form
   * @param until last release of the older form
   */
  record ReleaseClash(String node, String run, String process, String message, String from, String other, String otherMessage, String until) implements Nccl {
    @Override
    public Fact inRun(String to) {
      return new ReleaseClash(node, to, process, message, from, other, otherMessage, until);
    }
  }

  /**
   * The rank that is behind its siblings in a sequence of collectives, where the counters of at least two ranks are known.
   *
   * @param witness `pytorch` or `ras`
   * @param lowest last operation this rank started
   * @param highest last operation that another rank started
   * @param sightings how often the same counters were read; a single reading by RAS may be a passing moment
   */
  record Laggard(String node, String run, String process, Num rank, String witness, Num lowest, Num highest, Num sightings) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new Laggard(node, other, process, rank, witness, lowest, highest, sightings);
    }
  }

  /**
   * A rank whose order of collectives is not that of another: it started more operations of one kind and fewer of a second kind on the same communicator.
   * Ranks that follow one order can be early or late, but never both at once, however the readings of them lie apart.
   *
   * @param ahead kind of collective this rank started more often, and how often
   * @param behind kind of collective this rank started less often, and how often
   */
  record CrossedOrder(String node, String run, String process, Num rank, String ahead, Num aheadAt, String behind, Num behindAt) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new CrossedOrder(node, other, process, rank, ahead, aheadAt, behind, behindAt);
    }
  }

  /**
   * A variable that ranks of one run must agree on and do not.
   *
   * @param kind `collective` (algorithms, sizes) or `transport`, by `policies/must-agree.yaml`
   * @param first value of one owner
   * @param owner process or file
   * @param second another value, `unset` where a dump of NCCL variables lacks it
   */
  record EnvClash(String node, String run, String kind, String name, String first, String owner, String second, String otherOwner) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new EnvClash(node, other, kind, name, first, owner, second, otherOwner);
    }
  }

  /**
   * The process that failed first, by the clock of its own node: clocks of different nodes are not compared.
   *
   * @param id message in the catalogue, or `uncatalogued`
   * @param peer peer that a message of the process names (address as printed), or unknown
   * @param failed processes with a failure on this node
   * @param oneClock yes where all failures of the run carry stamps of this node, so that it was the first of the run
   */
  record FirstOfNode(String node, String run, String process, Num rank, String id, String text, String time, String peer, Num failed, Tri oneClock)
      implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new FirstOfNode(node, other, process, rank, id, text, time, peer, failed, oneClock);
    }
  }

  /**
   * How far a communicator's ranks came in their initialisation, as far as the logs at hand show.
   *
   * @param ranks ranks the communicator is to have, seen those with a log line of it, completed those that ended their initialisation
   * @param waiting process of the lowest rank that began and did not end, or unknown
   */
  record CommunicatorRoll(String node, String run, String commId, Num ranks, Num seen, Num completed, String waiting) implements Nccl {
    /** Whether a rank has no line in any log. */
    public boolean someUnseen() {
      return seen.below(ranks);
    }

    @Override
    public Fact inRun(String other) {
      return new CommunicatorRoll(node, other, commId, ranks, seen, completed, waiting);
    }
  }
}
