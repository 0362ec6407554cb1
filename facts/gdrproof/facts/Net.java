package gdrproof.facts;

/** IP interfaces, routes, and the switch side of the fabric. */
public sealed interface Net extends Fact {
  /** An address of an IP interface. */
  record InterfaceAddress(String node, String netdev, String address, Num prefixLength, String scope) implements Net {}

  /**
   * An IP interface (`ip link`, `ip addr`).
   *
   * @param state operational state in capitals (UP, DOWN, UNKNOWN, LOWERLAYERDOWN, DORMANT), or unknown
   * @param carrier LOWER_UP seen, NO-CARRIER seen, or not printed
   * @param mtuBytes MTU in bytes
   * @param link link type: ether, infiniband, loopback, or unknown
   * @param kind vlan, bond, veth, macvlan, ipvlan, vxlan, bridge (`ip -d`), or unknown
   * @param vlan VLAN id (`ip -d`), or unknown
   * @param master bond or bridge it belongs to, or unknown
   * @param lower interface below a VLAN or macvlan (`rail0.100@rail0`), or unknown
   */
  record Interface(String node, String netdev, String state, Tri carrier, Num mtuBytes, String mac, String link, String kind, Num vlan, String master, String lower)
      implements Net {}

  /**
   * A route.
   *
   * @param table routing table, `main` by default
   * @param destination prefix or `default`
   * @param type unicast, unreachable, blackhole, prohibit
   */
  record Route(String node, String table, String destination, String gateway, String netdev, String source, Num metric, String type) implements Net {
    /** Bits of the prefix; 0 for `default`, all of an IPv4 address for a destination without a length. */
    public Num prefixLength() {
      int slash = destination.indexOf('/');
      return destination.equals("default") ? Num.of(0) : slash < 0 ? Num.of(32) : Num.parse(destination.substring(slash + 1));
    }

    /** Whether the destination holds that IPv4 address; a `default` through an IPv6 gateway holds none. */
    public boolean carries(String address) {
      String network = destination.equals("default") ? "0.0.0.0" : destination.split("/", 2)[0];
      return !gateway.contains(":") && Gids.sameNetwork(network, address, prefixLength());
    }
  }

  /** A rule of the routing policy (`ip rule`): selector as printed (`from 10.0.1.11`), table it sends to. */
  record RouteRule(String node, Num priority, String selector, String table) implements Net {}

  /** A neighbour (ARP or ND) entry; state REACHABLE, STALE, DELAY, FAILED, INCOMPLETE, PERMANENT, or ANSWERED for an answer that a probe (arping, arp-scan) got. */
  record Neighbour(String node, String address, String netdev, String mac, String state) implements Net {}

  /** A per-interface kernel setting (`rp_filter`, `arp_ignore`, `arp_announce`, `arp_filter`); netdev may be `all` or `default`. */
  record IpSetting(String node, String netdev, String name, Num value) implements Net {}

  /**
   * Result of a ping.
   *
   * @param netdev interface given by `-I` (name), or unknown
   * @param source source address, or unknown
   * @param bytes payload size (`-s`, default 56)
   * @param dontFragment `-M do` given
   * @param error Destination Host Unreachable, message too long, Network is unreachable ..., or `none`
   */
  record Ping(String node, String target, String netdev, String source, Num bytes, Tri dontFragment, Num sent, Num received, String error) implements Net {}

  /**
   * Ethernet settings of an interface (ethtool DEV).
   *
   * @param speedMbps negotiated speed, Mb/s; means nothing on virtual interfaces
   * @param bestMbps fastest supported link mode, Mb/s, or unknown
   * @param real whether the interface reports link modes at all; virtual ones (veth, virtio) do not and invent a speed
   */
  record EthernetLink(String node, String netdev, Num speedMbps, Num bestMbps, Num lanes, String duplex, Tri linkDetected, String portType, Tri real) implements Net {}

  /** Driver of an interface (ethtool -i); firmware and pci are `none` where the tool leaves them empty. */
  record NicDriver(String node, String netdev, String driver, String version, String firmware, String psid, String pci) implements Net {}

  /**
   * Driver of an interface as the names of its counters tell (`ethtool -S`, `policies/nic-counters.yaml`); no version, and no more than that.
   *
   * @param sign the counter whose name tells it
   */
  record DriverByCounters(String node, String netdev, String driver, String sign) implements Net {}

  /** Global (802.3x) pause settings (ethtool -a). */
  record PauseSetting(String node, String netdev, Tri autoneg, Tri rx, Tri tx) implements Net {}

  /**
   * Quality of service of an interface (mlnx_qos).
   *
   * @param trust dscp or pcp
   * @param pfc eight 0/1 for priorities 0 to 7, comma-separated
   * @param pfcOn how many priorities have PFC
   */
  record Qos(String node, String netdev, String trust, String pfc, Num pfcOn) implements Net {
    /** Whether flow control protects the priority that a counter's name (`rx_prio0_packets`) or a number tells. */
    public boolean unprotected(String priority) {
      String digit = priority.replaceAll("\\D", "");
      int at = digit.length() == 1 ? digit.charAt(0) - '0' : 8;
      String[] bits = pfc.split(",");
      return at < bits.length && bits[at].equals("0");
    }
  }

  /** A DSCP value mapped to a priority (mlnx_qos). */
  record DscpPriority(String node, String netdev, Num dscp, Num priority) implements Net {}

  /** Traffic class that the RDMA stack puts on packets of a device (cma_roce_tos, traffic_class file): the whole TOS byte. */
  record TrafficClass(String node, String hca, String scope, Num tos) implements Net {}

  /** ECN of RoCE on an interface, per priority (sysfs ecn/roce_np, roce_rp enable files); role np or rp. */
  record EcnSetting(String node, String netdev, String role, Num priority, Tri enabled) implements Net {}

  /** A plug or cable (ethtool -m). */
  record CableModule(String node, String netdev, String identifier, String vendor, String part, String cable, Num lengthMetres, Num celsius) implements Net {}

  /** Receive power of a lane (ethtool -m), with its low alarm. */
  record LanePower(String node, String netdev, Num lane, Num rxDbm, Tri lowAlarm) implements Net {}

  /** A bond (/proc/net/bonding). */
  record Bond(String node, String bond, String mode, String hashPolicy, Num members) implements Net {}

  /** A member of a bond; failures is the link failure count since creation. */
  record BondMember(String node, String bond, String netdev, String status, Num speedMbps, Num failures) implements Net {}

  /** Where a device is plugged in (LLDP or a cable map); device is a netdev or an HCA. */
  record SwitchAttachment(String node, String device, String switchName, String switchPort, Num vlan, String source) implements Net {
    /** The switch port as counters name it: switch and port, a blank between. */
    public String key() {
      return switchName + " " + switchPort;
    }
  }

  /** State of a switch port as the switch says; speedMbps, mtuBytes where printed. */
  record SwitchPort(String switchName, String port, String state, Num speedMbps, Num mtuBytes, String description) implements Net {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }

  /** A security group of EC2: whether rules let every protocol in from, and out to, the group itself (or everywhere). */
  record SecurityGroup(String node, String id, Tri allIn, Tri allOut) implements Net {}

  /** A TCP or UDP socket (ss): state LISTEN, ESTAB, SYN-SENT ...; addresses as printed. */
  record SocketState(String node, String state, String local, String peer, Num sendQueue, String process) implements Net {}

  /**
   * What a host makes of a name (getent hosts, /etc/hosts, nslookup, host, dig).
   *
   * @param node host that was asked
   * @param name name without its domain
   * @param address address as printed
   * @param source `resolver` for what programs get, `hosts-file` for a line of /etc/hosts
   */
  record NameAddress(String node, String name, String address, String source) implements Net {
    /** Whether the address is one that no other host can reach. */
    public boolean loopback() {
      return address.startsWith("127.") || address.equals("::1");
    }
  }

  /**
   * An attempt to connect to a TCP port (nc, ncat, telnet, bash's /dev/tcp, curl).
   *
   * @param target host or address as it was given, without its domain
   * @param address address that was tried, or unknown
   * @param result `open`, `refused` (the host answers, nobody listens on that address), `timeout`, `no-route`, `unresolved`
   */
  record TcpProbe(String node, String target, String address, Num port, String result) implements Net {
    /** Whether the port is one of the system's services (ssh, http ...), which no rank listens on. */
    public boolean service() {
      return port.below(1024);
    }
  }
}
