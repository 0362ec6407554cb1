package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `map`, `verify` and `diagnose --reference` as a user meets them. */
class CompareCommandsTest {
  private static final String LEGEND = "\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_1\n";

  @TempDir
  private Path folder;

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return file.getParent();
  }

  private static String topo(String node, String first, String second) {
    return "root@" + node + ":~# nvidia-smi topo -m\n\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \tNV18\t" + first + "\t" + second
        + "\t0-31\t0\t\tN/A\nGPU1\tNV18\t X \t" + second + "\t" + first + "\t32-63\t1\t\tN/A\nNIC0\t" + first + "\t" + second + "\t X \tSYS\nNIC1\t" + second + "\t" + first + "\tSYS\t X \n" + LEGEND;
  }

  @Test
  void mapPairsEachGpuWithItsNearestHcaAndComparesNodes() throws IOException {
    write("m/n1.txt", topo("n1", "PIX", "SYS"));
    write("m/n2.txt", topo("n2", "PIX", "SYS"));
    Path bundle = write("m/n3.txt", topo("n3", "SYS", "PIX"));
    Called map = Called.run("map", bundle);
    assertTrue(map.out().contains("NCCL_IB_HCA: =mlx5_0,mlx5_1"), map.out());
    assertTrue(map.out().contains("nodes n1, n2"), map.out());
    assertTrue(map.out().contains("n3 GPU0: mlx5_1 (PIX); on n1 mlx5_0 (PIX)"), map.out());
    assertEquals(1, map.code());
    assertTrue(Called.run("map", bundle, "-o", "json").out().contains("\"hcaList\" : \"=mlx5_0,mlx5_1\""));
  }

  @Test
  void mapReadsTheTreeOfLspciAndLeavesTheRestUnknown() throws IOException {
    Path bundle = write("t/lspci.txt", """
        root@n1:~# lspci -tv
        root@n1:~# lspci -vvv -nn
        00:01.0 PCI bridge [0604]: Intel Corporation Device [8086:352a] (prog-if 00 [Normal decode])
        \tBus: primary=00, secondary=10, subordinate=1f, sec-latency=0
        10:00.0 PCI bridge [0604]: Broadcom / LSI PEX890xx [1000:c030] (prog-if 00 [Normal decode])
        \tBus: primary=10, secondary=11, subordinate=1f, sec-latency=0
        11:00.0 PCI bridge [0604]: Broadcom / LSI PEX890xx [1000:c030] (prog-if 00 [Normal decode])
        \tBus: primary=11, secondary=12, subordinate=12, sec-latency=0
        11:01.0 PCI bridge [0604]: Broadcom / LSI PEX890xx [1000:c030] (prog-if 00 [Normal decode])
        \tBus: primary=11, secondary=13, subordinate=13, sec-latency=0
        12:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2330] (rev a1)
        13:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]
        """);
    Called unknown = Called.run("map", bundle);
    assertTrue(unknown.out().contains("NCCL_IB_HCA: unknown"), unknown.out());
    write("t/net.txt", "root@n1:~# ibdev2netdev -v\n0000:13:00.0 mlx5_0 (MT4129 - MCX755106AS-HEAT) NVIDIA ConnectX-7 fw 28.39.3004 port 1 (ACTIVE) ==> ib0 (Up)\n");
    Called map = Called.run("map", bundle);
    assertTrue(map.out().contains("=mlx5_0"), map.out());
    assertTrue(map.out().contains("PIX"), map.out());
    assertEquals(4, Called.run("map", write("e/readme.txt", "nothing of interest\n")).code());
  }

  private static final String FAILED = "n1:1:2 [0] misc/ibvwrap.cc:95 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory errno 12\nn1:1:2 [0] NCCL INFO transport/net_ib.cc:803 -> 2\n";

  @Test
  void verifyTellsEndedFromStandingFromUnknown() throws IOException {
    write("before/nccl.log", FAILED);
    Path before = write("before/limits.txt", "root@n1:~# ulimit -l\n64\n");
    write("same/nccl.log", FAILED);
    Path same = write("same/limits.txt", "root@n1:~# ulimit -l\n64\n");
    Path ended = write("ended/limits.txt", "root@n1:~# ulimit -l\nunlimited\n");
    Path gone = write("gone/kernel.txt", "root@n1:~# uname -r\n5.15.0-91-generic\n");
    Called stands = Called.run("verify", "memlock-limit-too-low", "--before", before, "--after", same);
    assertEquals(1, stands.code(), stands.out() + stands.err());
    assertTrue(stands.out().startsWith("memlock-limit-too-low: still stands"), stands.out());
    Called repaired = Called.run("verify", "memlock-limit-too-low", "--before", before, "--after", ended);
    assertTrue(repaired.out().startsWith("memlock-limit-too-low: ended"), repaired.out());
    assertTrue(repaired.out().contains("now: after/limits.txt:2"), repaired.out());
    assertEquals(0, repaired.code(), repaired.out());
    Called unknown = Called.run("verify", "memlock-limit-too-low", "--before", before, "--after", gone);
    assertEquals(5, unknown.code(), unknown.out());
    assertTrue(unknown.out().contains("not provable any more"), unknown.out());
    assertEquals(2, Called.run("verify", "disk-full", "--before", before, "--after", gone).code());
    assertTrue(Called.run("verify", "memlock-limit-too-low", "--before", before, "--after", ended, "-o", "json").out().contains("\"verdict\" : \"ended\""));
  }

  private static String port(String node, int rate) {
    return "root@" + node + ":~# ibstat\nCA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.39.3004\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: " + rate
        + "\n\t\tBase lid: 20\n\t\tLMC: 0\n\t\tSM lid: 1\n\t\tPort GUID: 0xa088c20300aa0000\n\t\tLink layer: InfiniBand\n";
  }

  @Test
  void aReferenceRanksTheDifferencesThatExplain() throws IOException {
    write("ref/pairs.txt", "# busbw GB/s\nx1,x9 49.4\nx2,x3 88.3\nx3,x9 49.1\nx1,x4 87.9\n");
    write("ref/x9.txt", port("x9", 200) + "root@x9:~# uname -r\n5.15.0-91-generic\n");
    Path bundle = write("ref/x1.txt", port("x1", 400) + "root@x1:~# uname -r\n5.15.0-91-generic\n");
    Called within = Called.run("diagnose", bundle, "--reference", "x1");
    assertTrue(within.out().contains("* x9 port-rate mlx5_0:1: 200, x1: 400"), within.out());
    Path good = write("good/g.txt", port("good7", 400) + "root@good7:~# uname -r\n5.15.0-113-generic\n");
    Called other = Called.run("diagnose", bundle, "--reference", good);
    assertTrue(other.out().contains("x9 port-rate mlx5_0:1: 200, reference/good7: 400"), other.out());
    assertEquals(2, Called.run("diagnose", bundle, "--reference", "no-such-node").code());
  }
}
