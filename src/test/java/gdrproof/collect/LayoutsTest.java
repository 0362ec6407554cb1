package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Host.FileSystem;
import gdrproof.facts.Host.IommuRequest;
import gdrproof.facts.Host.KernelStack;
import gdrproof.facts.Host.ProcessState;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Kube.NodeCapacity;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Net.CableModule;
import gdrproof.facts.Net.DriverByCounters;
import gdrproof.facts.Net.SwitchAttachment;
import gdrproof.facts.Num;
import gdrproof.facts.Operator.HelmRelease;
import gdrproof.facts.Operator.OperatorField;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.facts.Rdma.CounterSupport;
import gdrproof.facts.Tri;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Layouts of tools that differ from those of most releases, through the whole reading of a file. */
class LayoutsTest {
  private static Bundle.Entry entry(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Bundle.Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes));
  }

  private static Ledger read(String name, String text) {
    return Collectors.read(List.of(entry(name, text)));
  }

  @Test
  void psTellsWhereAProcessWaits() {
    Ledger ledger = read("a.txt", "[me@n07 ~]$ ps -eo pid,stat,wchan:32,comm\n    PID STAT WCHAN                            COMMAND\n      1 Ss   do_epoll_wait                    systemd\n  81220 Dl   uverbs_destroy_ufile_hw          python3\n  81221 R+   -                                ps\n");
    assertEquals(List.of(new ProcessState("n07", Num.of(1), "systemd", "S", "do_epoll_wait"), new ProcessState("n07", Num.of(81220), "python3", "D", "uverbs_destroy_ufile_hw"),
        new ProcessState("n07", Num.of(81221), "ps", "R", "-")), ledger.all(ProcessState.class));
    assertTrue(ledger.all(ProcessState.class).get(1).uninterruptible());
  }

  @Test
  void ofALongListingTheProgramIsTheFirstWordOfItsCommand() {
    List<ProcessState> states = read("ps.txt", "F   UID     PID    PPID PRI  NI    VSZ   RSS WCHAN  STAT TTY        TIME COMMAND\n0  1000    4120    4100  20   0 912000 81200 futex_ Sl   ?          0:12 /usr/bin/python3 train.py --lr 1\n")
        .all(ProcessState.class);
    assertEquals(List.of("python3 S futex_"), states.stream().map(s -> s.program() + " " + s.state() + " " + s.waits()).toList());
  }

  @Test
  void aTableWithoutAStateIsNoListingOfProcesses() {
    assertTrue(read("smi.txt", "GPU   GI   CI        PID   Type   Process name\n  0   N/A  N/A      4120      C   python3\n").all(ProcessState.class).isEmpty());
  }

  @Test
  void aKernelStackKeepsItsOrderAndModules() {
    Ledger ledger = read("a.txt", "root@n07:~# cat /proc/81220/stack\n[<0>] uverbs_destroy_ufile_hw+0x21/0x120 [ib_uverbs]\n[<0>] ib_uverbs_close+0x1f/0xb0 [ib_uverbs]\n[<0>] __fput+0x9c/0x280\n");
    assertEquals(List.of(new KernelStack("n07", Num.of(81220), List.of("uverbs_destroy_ufile_hw [ib_uverbs]", "ib_uverbs_close [ib_uverbs]", "__fput"))), ledger.all(KernelStack.class));
    assertTrue(ledger.all(KernelStack.class).get(0).within("ib_uverbs_close"));
    assertEquals("do_wait", read("a.txt", "root@n07:~# cat /proc/12/wchan\ndo_wait\n").all(ProcessState.class).get(0).waits());
  }

  @Test
  void helmListsReleasesAsTableAndAsJson() {
    HelmRelease release = new HelmRelease("helm/ops/netop", "ops", "netop", "network-operator-25.7.0", "v25.7.0", "failed");
    String head = "NAME \tNAMESPACE\tREVISION\tUPDATED                      \tSTATUS\tCHART                  \tAPP VERSION\n";
    assertEquals(List.of(release), read("a.txt", head + "netop\tops      \t4       \t2026-01-02 03:04:05 +0000 UTC\tfailed\tnetwork-operator-25.7.0\tv25.7.0    \n").all(HelmRelease.class));
    assertEquals(List.of(release), read("a.json",
        "[{\"name\":\"netop\",\"namespace\":\"ops\",\"revision\":\"4\",\"updated\":\"x\",\"status\":\"failed\",\"chart\":\"network-operator-25.7.0\",\"app_version\":\"v25.7.0\"}]").all(HelmRelease.class));
  }

  @Test
  void theHeadingOfHelmsValuesIsNoKey() {
    List<OperatorField> fields = read("a.txt", "USER-SUPPLIED VALUES:\nnfd:\n  enabled: false\nsriovNetworkOperator:\n  enabled: true\n").all(OperatorField.class);
    assertTrue(fields.stream().anyMatch(f -> f.path().equals("nfd.enabled") && f.value().equals("false")), fields::toString);
    assertTrue(fields.stream().noneMatch(f -> f.path().contains("VALUES")), fields::toString);
    assertTrue(read("a.txt", "USER-SUPPLIED VALUES:\nnull\n").all(Unread.class).isEmpty(), "nothing set is an answer");
  }

  @Test
  void whatANodeHasAndWhatItOffersAreTwoThings() {
    Ledger ledger = read("a.txt", "Name:               n07\nCapacity:\n  cpu:                128\n  nvidia.com/gpu:     8\nAllocatable:\n  cpu:                127\n  nvidia.com/gpu:     7\nSystem Info:\n");
    assertEquals(List.of(new NodeCapacity("n07", "nvidia.com/gpu", Num.of(8))), ledger.all(NodeCapacity.class));
    assertEquals(Num.of(7), ledger.all(NodeOffer.class).stream().filter(o -> o.resource().equals("nvidia.com/gpu")).findFirst().orElseThrow().allocatable());
  }

  private static List<String> counters(String text) {
    return read("a.txt", text).all(CounterReading.class).stream().map(c -> c.device() + " " + c.name() + "=" + c.value() + " " + c.meaning()).sorted().toList();
  }

  @Test
  void sonicsTablesOfGroupsQueuesAndStormsAreCounters() {
    assertEquals(List.of("leaf3 Ethernet0 pg3_dropped=17 discard", "leaf3 Ethernet0 pg4_dropped=0 discard"), counters("admin@leaf3:~$ show priority-group drop counters\nIngress PG dropped packets:\n"
        + "     Port    PG0    PG3    PG4\n---------  -----  -----  -----\nEthernet0    N/A     17      0\n"));
    assertEquals(List.of(), counters("admin@leaf3:~$ show priority-group watermark headroom\nIngress headroom per PG:\n     Port    PG0    PG3    PG4\n---------  -----  -----  -----\nEthernet0      0     17      0\n"),
        "a watermark is no counter");
    assertEquals(List.of("leaf3 Ethernet0 uc3_dropped=9 discard"), counters("admin@leaf3:~$ show queue counters Ethernet0\n     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes\n"
        + "---------  -----  --------------  ---------------  -----------  ------------\nEthernet0    UC3             100            9,000            9           810\n"));
    assertEquals(List.of("leaf3 Ethernet8 pfcwd_storm_detected_q3=2 pause-storm"), counters("admin@leaf3:~$ show pfcwd stats\n      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP\n"
        + "-----------  -----------  -------------------------  ------------\nEthernet8:3  operational                        2/2         0/120\n"));
  }

  @Test
  void nvuesCountersBelongToThePortOfTheCommand() {
    assertEquals(List.of("leaf3 swp1 carrier_transitions=6 link-down", "leaf3 swp1 in_drops=12 discard", "leaf3 swp1 in_errors=0 physical", "leaf3 swp1 out_pkts=70 traffic"),
        counters("cumulus@leaf3:mgmt:~$ nv show interface swp1 link stats\n                     operational  applied\n-------------------  -----------  -------\n"
            + "carrier-transitions  6\nin-bytes             16.86 GB\nin-drops             12\nin-errors            0\nout-pkts             70\n"));
    assertEquals(List.of("leaf3 swp2 pfc3_rx=410 pause", "leaf3 swp2 pfc3_tx=7 pause", "leaf3 swp2 pg3_rx_buffer_discards=5 discard"),
        counters("cumulus@leaf3:mgmt:~$ nv show interface swp2 counters qos\nIngress Buffer Statistics\n============================\n    priority-group  rx-frames  rx-buffer-discards\n"
            + "    --------------  ---------  ------------------\n    3               900        5 Bytes\n\nPFC Statistics\n=================\n"
            + "    switch-priority  rx-pause-frames  rx-pause-duration  tx-pause-frames\n    ---------------  ---------------  -----------------  ---------------\n    3                410              12                 7\n"));
  }

  @Test
  void aSwitchsCountersMeetTheNodeThatLldpShowsThere() {
    Ledger ledger = Collectors.read(List.of(entry("lldp.txt", "root@n07:~# lldpctl\n-------------------------------------------------------------------------------\nLLDP neighbors:\n"
        + "-------------------------------------------------------------------------------\nInterface:    eth2, via: LLDP, RID: 1, Time: 0 day, 00:01:02\n  Chassis:\n    ChassisID:    mac 00:00:5e:00:53:01\n"
        + "    SysName:      leaf3\n  Port:\n    PortID:       ifname swp1\n    PortDescr:    swp1\n"), entry("sw.txt",
            "cumulus@leaf3:mgmt:~$ nv show interface swp1 link stats\n                     operational  applied\n-------------------  -----------  -------\nin-drops             12\n")));
    String key = ledger.all(SwitchAttachment.class).get(0).key();
    assertTrue(ledger.all(CounterReading.class).stream().anyMatch(c -> c.device().equals(key) && c.name().equals("in_drops")), key);
  }

  @Test
  void psshNamesItsHostsAboveTheirOutput() {
    String text = "[1] 09:10:11 [SUCCESS] gpu-b02\nFilesystem      Size  Used Avail Use% Mounted on\nshm              64M     0   64M   0% /dev/shm\n"
        + "[2] 09:10:12 [SUCCESS] gpu-b01:22\nFilesystem      Size  Used Avail Use% Mounted on\ntmpfs            32G     0   32G   0% /dev/shm\n";
    assertEquals(List.of("gpu-b02", "gpu-b01"), read("shm.txt", text).all(FileSystem.class).stream().map(FileSystem::node).toList());
  }

  @Test
  void dcgmsHeadingMayHaveTwoCells() {
    Ledger ledger = read("a.txt", "+-------------------+--------------------------------------------+\n| GPU ID: 3         | Topology Information                       |\n+===================+============================================+\n"
        + "| CPU Core Affinity | 0 - 23                                     |\n| To GPU 1          | Connected via a PCIe host bridge           |\n+-------------------+--------------------------------------------+\n");
    assertEquals(List.of("GPU3 GPU1 PHB"), ledger.all(TopoLink.class).stream().map(l -> l.from() + " " + l.to() + " " + l.path()).toList());
  }

  @Test
  void lengthsOfCablesStandInSeveralLines() {
    String text = "Identifier                                : 0x11 (QSFP28)\n\tLength (SMF,km)                           : 0km\n\tLength (OM3 50um)                         : 0m\n\tLength (Copper or Active cable)           : 2m\n"
        + "\tTransmitter technology                    : 0xa0 (Copper cable unequalized)\n\tVendor name                               : Some\n\tVendor PN                                 : X1\n";
    assertEquals(Num.of(2), read("ethtool-m.txt", "$ ethtool -m eth2\n\t" + text).all(CableModule.class).get(0).lengthMetres());
    assertEquals(Num.UNKNOWN, read("ethtool-m.txt", "$ ethtool -m eth2\n\t" + text.replace(": 2m", ": 0m")).all(CableModule.class).get(0).lengthMetres());
  }

  @Test
  void everyShellSaysThatThereIsNoOfedInItsOwnWords() {
    for (String words : List.of("bash: ofed_info: command not found", "zsh: command not found: ofed_info", "sh: 1: ofed_info: not found")) {
      assertTrue(read("a.txt", words + "\n").all(SoftwareVersion.class).stream().anyMatch(v -> v.version().equals("inbox")), words);
    }
  }

  @Test
  void commonIommuParametersBelongToTheMachineTheyStandOn() {
    assertEquals("arm", read("cmdline.txt", "BOOT_IMAGE=/vmlinuz-6.8.0-1-nvidia-64k root=/dev/sda1 ro iommu.passthrough=1\n").all(IommuRequest.class).get(0).vendor());
    assertEquals("unknown", read("cmdline.txt", "BOOT_IMAGE=/vmlinuz-6.8.0-1-generic root=/dev/sda1 ro iommu.passthrough=1\n").all(IommuRequest.class).get(0).vendor());
  }

  private static List<String> layouts(String text) {
    return read("a.txt", text).all(Layout.class).stream().map(l -> l.tool() + " " + l.feature() + "=" + l.value()).toList();
  }

  @Test
  void columnsLegendAndSeparatorTellWhichDriverDrewAMatrix() {
    String legend = "\nLegend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes\n  NV#  = Connection traversing a bonded set of # NVLinks\n";
    assertEquals(List.of("nvidia-smi topo -m columns=CPU Affinity", "nvidia-smi topo -m separator=tabs", "nvidia-smi topo -m legend=X,SYS,NV#"),
        layouts("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV2\t0-19\nGPU1\tNV2\t X \t0-19\n" + legend));
    assertEquals(List.of("nvidia-smi topo -m columns=CPU Affinity,NUMA Affinity,GPU NUMA ID", "nvidia-smi topo -m separator=spaces", "nvidia-smi topo -m legend=X,SYS,NV#,NIC"),
        layouts("        GPU0    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID\nGPU0     X      PIX     0-55            0               N/A\nNIC0    PIX      X\n" + legend + "\nNIC Legend:\n\n  NIC0: mlx5_0\n"));
    assertEquals(List.of("nvidia-smi topo -p2p legend=X,OK,DR"), layouts(" \tGPU0\tGPU1\t\n GPU0\tX\tDR\t\n GPU1\tDR\tX\t\n\nLegend:\n\n  X    = Self\n  OK   = Status Ok\n  DR   = Disabled by regkey\n"));
  }

  @Test
  void wordsOfALinkTellTheReleaseOfPciutils() {
    String device = "19:00.0 Infiniband controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n\t\tLnkSta:\tSpeed ";
    assertEquals(List.of("lspci link-words=downgraded,ok"), layouts(device + "16GT/s (downgraded), Width x16 (ok)\n"));
    assertEquals(List.of("lspci link-words=downgraded"), layouts(device + "16GT/s (downgraded), Width x16\n"));
    assertEquals(List.of(), layouts(device + "32GT/s, Width x16\n"));
  }

  @Test
  void formsAndLanguagesOfOldReleasesAndOtherLocales() {
    assertEquals(List.of("rdma link form=indexed"), layouts("0/1: mlx5_0/1: state ACTIVE physical_state LINK_UP netdev ens1f0 \n"));
    assertEquals(List.of(), layouts("link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0 \n"));
    assertEquals(List.of("df language=fr"), layouts("Sys. de fichiers Taille Utilisé Dispo Uti% Monté sur\nshm                 64M       0   64M   0% /dev/shm\n"));
    assertEquals(List.of(), layouts("Filesystem      Size  Used Avail Use% Mounted on\nshm              64M     0   64M   0% /dev/shm\n"));
    assertEquals(List.of("nvidia-smi -q -x document-type=nvsmi_device_v12.dtd"),
        layouts("<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n\t<driver_version>535.1</driver_version>\n</nvidia_smi_log>\n"));
    assertEquals(List.of("lscpu -e columns=CPU,NODE,SOCKET,CORE"), layouts("CPU NODE SOCKET CORE\n  0    0      0    0\n  1    1      1    1\n"));
  }

  @Test
  void theSecondCapabilityMaskTellsWhetherErrorsAreWide() {
    String head = "# Port extended counters: Lid 101 port 1 (CapMask: 0x5300 CapMask2: 0x000000";
    assertEquals(List.of(Tri.YES), read("a.txt", head + "2)\nPortSelect:......................1\n").all(CounterSupport.class).stream().map(CounterSupport::wideErrors).toList());
    assertEquals(List.of(Tri.NO), read("a.txt", head + "0)\nPortSelect:......................1\n").all(CounterSupport.class).stream().map(CounterSupport::wideErrors).toList());
    assertEquals(List.of(Tri.UNKNOWN), read("a.txt", "# Port counters: Lid 101 port 1 (CapMask: 0x5300)\nPortSelect:......................1\n").all(CounterSupport.class).stream().map(CounterSupport::wideErrors).toList());
  }

  private static List<String> drivers(String names) {
    StringBuilder text = new StringBuilder("NIC statistics:\n");
    for (String name : names.split(" ")) {
      text.append("     ").append(name).append(": 4\n");
    }
    return read("a.txt", text.toString()).all(DriverByCounters.class).stream().map(d -> d.driver() + " " + d.sign()).toList();
  }

  @Test
  void namesOfCountersTellTheDriverWhereOnlyItHasThem() {
    assertEquals(List.of("veth peer_ifindex"), drivers("peer_ifindex rx_queue_0_xdp_packets"));
    assertEquals(List.of("virtio_net rx_kicks"), drivers("rx_drops rx_xdp_packets rx_kicks tx_kicks"));
    assertEquals(List.of("mlx5_core rx_vport_rdma_unicast_packets"), drivers("rx_packets rx_bytes rx_vport_rdma_unicast_packets rx_discards_phy"));
    assertEquals(List.of("ena ena_admin_q_aborted_cmd"), drivers("tx_timeout ena_admin_q_aborted_cmd"));
    assertEquals(List.of("ena bw_in_allowance_exceeded"), drivers("tx_timeout admin_q_pause bw_in_allowance_exceeded pps_allowance_exceeded"));
    assertEquals(List.of("ice rx_unicast.nic"), drivers("rx_packets rx_unicast.nic"));
    assertEquals(List.of(), drivers("rx_packets tx_packets rx_bytes rx_dropped rx_discards"));
  }
}
