package gdrproof.facts;

import java.util.List;

/** HCAs and their ports. */
public sealed interface Rdma extends Fact {
  /**
   * A port of an HCA.
   *
   * @param state logical state in capitals as the verbs standard names it: ACTIVE, INIT, ARMED, DOWN, or unknown
   * @param physical physical state in capitals without blanks or underscores: LINKUP, POLLING, DISABLED, ..., or unknown
   * @param rateGbps signalling rate, Gb/s; says nothing while the port is not active
   * @param linkLayer `InfiniBand` or `Ethernet`
   * @param lid base LID, decimal; 0 and 65535 mean none
   * @param smLid LID of the subnet manager, decimal; 0 means none
   */
  record RdmaPort(String node, String hca, Num port, String state, String physical, Num rateGbps, String linkLayer, Num lid, Num smLid) implements Rdma {
    /** Whether a list in the form of NCCL_IB_HCA selects this port. */
    public boolean chosenBy(String list) {
      return Texts.selectsPort(list, hca, port);
    }
  }

  /**
   * One of several firmware releases that adapters of one model run in this bundle, told of the first two nodes that have it: that is enough to tell
   * whether some other node differs, without setting every adapter beside every other.
   */
  record ModelFirmware(String node, String type, String firmware) implements Rdma {}

  /**
   * How the other ports of the same link layer (and, where known, the same device type) on a node do, beside one port.
   *
   * @param active other ports that are active
   * @param down other ports that are down
   * @param bestGbps highest rate of the active others, Gb/s
   * @param atBest how many of them run at it
   */
  record PortSiblings(String node, String hca, Num port, Num active, Num down, Num bestGbps, Num atBest) implements Rdma {}

  /**
   * The active ports of a node whose hardware's best rate is known, and which run below it.
   *
   * @param runningGbps what those ports run at together, Gb/s
   * @param capableGbps what they could run at together, Gb/s
   */
  record RateShortfall(String node, Num runningGbps, Num capableGbps) implements Rdma {
    /** A collective's bus bandwidth as a share of what the ports carry as they run; unknown if either is. */
    public Num shareOf(Num busbwGBps) {
      return busbwGBps.known() ? Num.of(busbwGBps.value() * 8).over(runningGbps) : Num.UNKNOWN;
    }
  }

  /** An HCA (verbs device). */
  record RdmaDevice(String node, String hca, String type, String firmware, String nodeGuid) implements Rdma {}

  /**
   * How an HCA port's link runs, where the tool says more than the rate (ibstatus, ibv_devinfo -v, mlxlink, smpquery).
   *
   * @param lanes active width
   * @param speed speed name as printed (`EDR`, `NDR`; on Ethernet a mere label) or unknown
   * @param laneGbps speed of one lane, Gb/s
   * @param speedCode active_speed code of verbs (128 = 100 Gb/s a lane), known even when an old library cannot name it
   * @param effectiveGbps "Effective speed" of newest ibstat releases, Gb/s
   */
  record PortLink(String node, String hca, Num port, Num lanes, String speed, Num laneGbps, Num speedCode, Num effectiveGbps) implements Rdma {}

  /**
   * The best a port can do, by a reading of the hardware itself, never a guess from the speed it happens to have.
   *
   * @param rateGbps best rate, Gb/s
   * @param source tool that says so (`mlxfwmanager`, `mlxlink`, `smpquery`, `iblinkinfo`)
   */
  record PortCapability(String node, String hca, Num rateGbps, String source) implements Rdma {}

  /** MTU of an HCA port, bytes (ibv_devinfo). */
  record PortMtu(String node, String hca, Num port, Num activeBytes, Num maxBytes) implements Rdma {}

  /**
   * An entry of a port's GID table.
   *
   * @param gid eight groups of four lower-case hexadecimal digits, joined by `:`
   * @param kind link-local, ipv4 (mapped), ipv6, zero
   * @param ipv4 the mapped IPv4 address, or unknown
   * @param version `v1` or `v2` (RoCE), `none` where the tool leaves it empty (InfiniBand), or unknown
   * @param netdev interface the entry belongs to, `none` where the tool leaves it empty, or unknown
   */
  record Gid(String node, String hca, Num port, Num index, String gid, String kind, String ipv4, String version, String netdev) implements Rdma {}

  /**
   * A GID table without a filled entry, as far as it was read.
   *
   * @param hca unknown where the tool names no device
   * @param port unknown where all ports are meant
   * @param source `show_gids` (the whole table) or `sysfs` (the entries that were printed)
   */
  record EmptyGids(String node, String hca, Num port, String source) implements Rdma {}

  /**
   * A setting in the firmware of an adapter (`mlxconfig` or `mstconfig` `query`, MFT 4.x and mstflint).
   *
   * @param device device as the tool was told (`/dev/mst/mt4123_pciconf1`, `19:00.0`, `mlx5_0`), or unknown
   * @param address PCI address where the device is one, with four digits of domain, else unknown
   * @param hca verbs device where the device is one, else unknown
   * @param name name as printed: `LINK_TYPE_P1`, `ATS_ENABLED`, `NUM_OF_VFS`
   * @param now value in force (`-e` prints it), unknown otherwise
   * @param next value after the next boot; words without the number behind them (`ETH`, `False`)
   */
  record HcaSetting(String node, String device, String address, String hca, String name, String now, String next) implements Rdma {}

  /**
   * The interface behind an HCA port (ibdev2netdev, rdma link, show_gids).
   *
   * @param netdev its name, or `none` where the tool prints nothing (another namespace, or no IPoIB)
   * @param state UP or DOWN of the interface, or unknown; on InfiniBand it says nothing about the port
   */
  record PortNetdev(String node, String hca, Num port, String netdev, String state) implements Rdma {}

  /** Part and PCI address of an HCA (ibdev2netdev -v, mlxfwmanager). */
  record HcaPart(String node, String hca, String pci, String partNumber, String description, String firmware) implements Rdma {}

  /**
   * One reading of a counter. Data counters stay in the tool's unit (4-byte words for InfiniBand data); a single reading counts since
   * the driver's load or the last clearing and is no rate.
   *
   * @param device HCA, net device, `lid N`, or fabric node name the counter belongs to
   * @param port port number, unknown for net devices
   * @param name name as the tool prints it
   * @param meaning class of the counter in `policies/counters.yaml`, or unknown
   * @param source family of names: `port` (sysfs counters), `hw` (hw_counters, rdma statistic), `ethtool`, `perfquery`, `perfquery-x`, `switch`, `mlxlink`
   * @param moment `before`, `after`, a time stamp, or unknown
   */
  record CounterReading(String node, String device, Num port, String name, String meaning, Num value, String source, String moment) implements Rdma {}

  /**
   * Growth of one counter between two readings.
   *
   * @param meaning class of the counter in `policies/counters.yaml` (`loss`, `timeout`, `physical`, `link-down`, `pause`, `congestion`, `ecn`, `traffic`, ...)
   * @param grown growth; a 32-bit counter that went round is added up, after a reset it is unknown, at the ceiling it is the least it can be
   * @param seconds time between the readings, or unknown
   * @param trouble `none`, `wrapped`, `reset`, `saturated` (the counter stands at its ceiling: at least this much)
   */
  record CounterDelta(String node, String device, Num port, String name, String meaning, Num before, Num after, Num grown, Num seconds, String trouble) implements Rdma {
    /** Share of the time between the readings, for a counter of microseconds; unknown without times. */
    public Num share() {
      return grown.over(Num.of(seconds.known() ? seconds.value() * 1e6 : 0));
    }
  }

  /** A port's state at a time that the evidence names; moment as printed, physical as in {@link RdmaPort}. */
  record PortSample(String node, String hca, Num port, String state, String physical, String moment) implements Rdma {}

  /**
   * A port's states over time, where a bundle names the times.
   *
   * @param states states in the order of time, with their physical state (`DOWN/POLLING`)
   */
  record PortHistory(String node, String hca, Num port, List<String> states) implements Rdma {
    public PortHistory {
      states = List.copyOf(states);
    }

    /** How often the port left or entered the active state. */
    public int changes() {
      int changes = 0;
      for (int i = 1; i < states.size(); i++) {
        changes += states.get(i).startsWith("ACTIVE/") == states.get(i - 1).startsWith("ACTIVE/") ? 0 : 1;
      }
      return changes;
    }
  }

  /**
   * Answer to `sminfo`.
   *
   * @param state SMINFO_MASTER and so on; `none` where no subnet manager answers
   */
  record SubnetManager(String node, Num lid, String guid, Num priority, Num stateCode, String state) implements Rdma {}

  /**
   * A tool could not do its work.
   *
   * @param tool command (`ibstatus`, `ibv_devinfo`, `rdma`, `sminfo`, `mlxlink`, `ethtool`, `perfquery`)
   * @param error no-rdma-device, none-in-sysfs (the kernel lists none: no card, no driver, or another network namespace), no-rdma-support, device-not-found, no-sm, sm-unreachable, no-umad, open-device, unsupported, lid-unreachable
   */
  record RdmaToolError(String node, String tool, String error) implements Rdma {}

  /**
   * The way that packets take from one HCA to another (ibtracert).
   *
   * @param node host of the source, from its node description
   * @param other host of the destination
   * @param cables `guid[port]` of every switch port that the packets leave by, in their order
   * @param between the same without the last one, which leads to the destination itself: cables that other pairs may use too
   */
  record FabricRoute(String node, String hca, String other, String otherHca, List<String> cables, List<String> between) implements Rdma {
    /** Whether both ways take one cable between switches, in the same direction. */
    public boolean meets(FabricRoute that) {
      return between.stream().anyMatch(that.between::contains);
    }
  }

  /**
   * A link of the fabric as seen from the subnet (iblinkinfo, ibnetdiscover).
   *
   * @param name node description of this end (switch, or `host hca`)
   * @param guid GUID of this end as printed, or unknown
   * @param lanes active width, or unknown
   * @param state ACTIVE, DOWN, INIT, ARMED, or unknown
   * @param physical LINKUP, POLLING, DISABLED, or unknown
   * @param hint what iblinkinfo thinks it could be (`Could be 12X`), or unknown; advice, no proof
   * @param source `iblinkinfo`, `ibnetdiscover` or `smpquery` (then name is `lid N`)
   */
  record FabricLink(String name, String guid, Num lid, Num port, Num lanes, Num laneGbps, String state, String physical, String peer, Num peerPort, String hint,
      String source) implements Rdma {
    @Override
    public String node() {
      return UNKNOWN;
    }

    /** Rate in the trade's terms (4 lanes of 106.25 Gb/s are a 400 Gb/s link), Gb/s. */
    public Num rateGbps() {
      return lanes.known() && laneGbps.known() ? Num.of(lanes.value() * Speeds.tradeGbps(laneGbps).value()) : Num.UNKNOWN;
    }
  }

  /**
   * A node of the fabric.
   *
   * @param kind `switch` or `ca`
   */
  record FabricNode(String name, String kind, String guid, String source) implements Rdma {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }

  /**
   * Which counters the management agent of a port keeps (heading of `perfquery`).
   *
   * @param device `lid N` as the heading says, or the name that the command gave
   * @param capMask capability mask of its ClassPortInfo, as printed; capMask2 the second one, unknown where the form prints none
   * @param wideErrors whether errors are kept in 64 bits (bit 1 of the second mask, IB_PM_IS_ADDL_PORT_CTRS_EXT_SUP of libibmad); without, `-x` shows none
   */
  record CounterSupport(String node, String device, Num port, String capMask, String capMask2, Tri wideErrors) implements Rdma {}

  /** Size of the fabric as a tool discovered it; generation is `ibutils1`, `ibutils2` or unknown. */
  record FabricSize(Num nodes, Num switches, Num cas, String generation) implements Rdma {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }

  /**
   * A stage of an ibdiagnet summary, or the summary of ibqueryerrors (stage `ibqueryerrors`).
   *
   * @param errors number of errors (bad nodes for ibqueryerrors); unknown for a skipped stage
   */
  record FabricCheck(String stage, Num warnings, Num errors, String generation) implements Rdma {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }

  /** An error or warning line of ibdiagnet. */
  record FabricComplaint(String level, String text) implements Rdma {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }

  /**
   * mlxlink's view of a port: bit error ratios are rates and may be judged from one reading.
   *
   * @param statusOpcode troubleshooting code, 0 = no issue, 1 = closed by command, 1024 = cable unplugged
   * @param effectiveBer bit error ratio after correction; 15E-255 (no error seen) is 0
   * @param symbolBer symbol error ratio after correction
   * @param enabled fastest enabled speed name
   * @param sinceClearMin minutes since the counters were cleared
   */
  record MlxLink(String node, String hca, String state, String physical, String speed, Num lanes, String fec, String enabled, Num statusOpcode, String recommendation,
      Num effectiveBer, Num symbolBer, Num rawBer, Num symbolErrors, Num linkDowns, Num sinceClearMin) implements Rdma {
    /** Rate of the running link, Gb/s, where the speed is one of InfiniBand's. */
    public Num rateGbps() {
      Num lane = Speeds.laneGbps(speed);
      return lanes.known() && lane.known() ? Num.of(lanes.value() * lane.value()) : Num.UNKNOWN;
    }
  }

  /** PCIe side of an HCA as mlxlink shows it: speed in GT/s, lanes; the best are what is enabled. */
  record HcaPcieLink(String node, String hca, Num gts, Num bestGts, Num lanes, Num bestLanes) implements Rdma {}

  /** Namespace mode of the RDMA subsystem (`rdma system`): shared or exclusive. */
  record RdmaNamespaceMode(String node, String mode) implements Rdma {}

  /** Use of a verbs resource of a device (`rdma resource`): qp, cq, mr, pd, cm_id, ctx. */
  record RdmaResource(String node, String hca, String resource, Num used) implements Rdma {}

  /**
   * What a running process uses of an HCA (`rdma resource show qp`, `mr`).
   *
   * @param process `node:pid`
   * @param queuePairs number, unknown where queue pairs were not listed
   * @param ready those in state RTS
   * @param regions registered memory regions, unknown where they were not listed
   * @param regionBytes their sum
   */
  record RdmaUse(String node, String process, String hca, Num queuePairs, Num ready, Num regions, Num regionBytes) implements Rdma {}

  /** One entry of a partition key table, hexadecimal as printed (`0xffff`). */
  record Pkey(String node, String hca, Num port, Num index, String pkey) implements Rdma {
    /** A full member: the top bit is set. */
    public boolean full() {
      return pkey.matches("0x[89a-f]\\w{3}");
    }

    /** A limited member: it may talk to full members only. */
    public boolean limited() {
      return pkey.matches("0x[0-7]\\w{3}") && !pkey.equals("0x0000");
    }

    /** Number of the partition, without the membership bit. */
    public String base() {
      return pkey.length() == 6 ? Integer.toHexString(Character.digit(pkey.charAt(2), 16) & 7) + pkey.substring(3) : UNKNOWN;
    }
  }
}
