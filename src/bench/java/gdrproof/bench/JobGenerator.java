package gdrproof.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes the evidence of a large job as a folder: a log of NCCL and the tools' outputs of every node (eight GPUs, eight HCAs, one rank a GPU), with one
 * thing wrong. The same arguments give the same bytes.
 *
 * <ul>
 * <li>`bad-node`: one HCA of one node runs at half its rate, and every pair with that node is slow
 * <li>`bad-rail`: one rail gives half on every node while the physical errors of its ports grow
 * </ul>
 */
public final class JobGenerator {
  private static final int PER_NODE = 8;
  private static final int FULL = 400;

  private final String scenario;
  private final int nodes;
  private final Random random;

  /** What is wrong: the node of `bad-node`, and the rail of both. */
  public final int badNode;
  public final int badRail;

  public JobGenerator(String scenario, int ranks, long seed) {
    if (!scenario.equals("bad-node") && !scenario.equals("bad-rail")) {
      throw new IllegalArgumentException("no scenario " + scenario + ": bad-node or bad-rail");
    }
    this.scenario = scenario;
    this.nodes = Math.max(4, ranks / PER_NODE);
    this.random = new Random(seed);
    this.badNode = 1 + random.nextInt(nodes - 2);
    this.badRail = random.nextInt(PER_NODE);
  }

  public static String node(int index) {
    return String.format("gpu-node-%04d", index);
  }

  /** The name a diagnosis must give the culprit: a node, or a device. */
  public String culprit() {
    return scenario.equals("bad-node") ? node(badNode) : "mlx5_" + badRail;
  }

  /** Writes the bundle; memory does not grow with the job. */
  public void write(Path folder) throws IOException {
    for (int n = 0; n < nodes; n++) {
      Path own = Files.createDirectories(folder.resolve("nodes").resolve(node(n)));
      log(own.resolve("nccl.log"), n);
      ports(own.resolve("ibstat.txt"), n);
      if (scenario.equals("bad-rail")) {
        perftest(own.resolve("perftest.txt"), n);
        counters(own.resolve("counters_before.txt"), n, false);
        counters(own.resolve("counters_after.txt"), n, true);
      }
    }
    if (scenario.equals("bad-node")) {
      pairs(folder.resolve("pairs.txt"));
    }
  }

  private static BufferedWriter open(Path file) throws IOException {
    return Files.newBufferedWriter(file, StandardCharsets.US_ASCII);
  }

  private void log(Path file, int n) throws IOException {
    StringBuilder devices = new StringBuilder();
    for (int h = 0; h < PER_NODE; h++) {
      devices.append(" [").append(h).append("]mlx5_").append(h).append(":1/IB");
    }
    try (BufferedWriter out = open(file)) {
      for (int r = 0; r < PER_NODE; r++) {
        int rank = n * PER_NODE + r;
        String head = node(n) + ":" + (2000 + r) + ":" + (2100 + r) + " [" + r + "] NCCL INFO ";
        String comm = "rank " + rank + " nranks " + nodes * PER_NODE + " cudaDev " + r + " nvmlDev " + r + " busId " + (r + 1) + "b000 commId 0x5ca1ab1e";
        out.write(head + "Bootstrap: Using eth0:10." + n / 250 + "." + n % 250 + ".10<0>\n");
        out.write(head + "NCCL version 2.28.9+cuda13.0\n");
        out.write(head + "NET/IB : Using" + devices + " [RO]; OOB eth0:10." + n / 250 + "." + n % 250 + ".10<0>\n");
        out.write(head + "Using network IB\n");
        out.write(head + "ncclCommInitRankConfig comm 0x7f" + (1000 + r) + " " + comm + " - Init START\n");
        for (int h = 0; h < PER_NODE; h++) {
          out.write(head + "NET/IB : GPU Direct RDMA Enabled for HCA " + h + " 'mlx5_" + h + "'\n");
        }
        for (int c = 0; c < 2; c++) {
          int next = (rank + PER_NODE) % (nodes * PER_NODE);
          out.write(head + String.format("Channel %02d/0 : %d[%d] -> %d[%d] [send] via NET/IB/%d/GDRDMA%n", c, rank, r, next, r, r));
        }
        out.write(head + "ncclCommInitRankConfig comm 0x7f" + (1000 + r) + " " + comm + " - Init COMPLETE\n");
      }
    }
  }

  private void ports(Path file, int n) throws IOException {
    try (BufferedWriter out = open(file)) {
      out.write("root@" + node(n) + ":~# ibstat\n");
      for (int h = 0; h < PER_NODE; h++) {
        boolean half = scenario.equals("bad-node") && n == badNode && h == badRail;
        out.write("CA 'mlx5_" + h + "'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.39.3004\n\tHardware version: 0\n\tNode GUID: 0x" + guid(n, h)
            + "\n\tSystem image GUID: 0x" + guid(n, h) + "\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: " + (half ? FULL / 2 : FULL) + "\n\t\tBase lid: "
            + (n * PER_NODE + h + 1) % 49_000 + "\n\t\tLMC: 0\n\t\tSM lid: 1\n\t\tCapability mask: 0xa651e848\n\t\tPort GUID: 0x" + guid(n, h) + "\n\t\tLink layer: InfiniBand\n");
      }
    }
  }

  private static String guid(int n, int h) {
    return String.format("a088c203%06x%02x", n, h);
  }

  private void pairs(Path file) throws IOException {
    try (BufferedWriter out = open(file)) {
      out.write("# busbw GB/s\n");
      for (int n = 0; n < nodes; n++) {
        int other = (n + 1) % nodes;
        boolean slow = n == badNode || other == badNode;
        out.write(node(n) + "," + node(other) + " " + String.format("%.1f", (slow ? 195 : 366) + random.nextInt(30) / 10.0) + "\n");
      }
    }
  }

  private void perftest(Path file, int n) throws IOException {
    try (BufferedWriter out = open(file)) {
      for (int h = 0; h < PER_NODE; h++) {
        double gbps = (h == badRail ? 188 : 392) + random.nextInt(20) / 10.0;
        out.write("root@" + node(n) + ":~# ib_write_bw -d mlx5_" + h + " --report_gbits -s 8388608 " + node((n + 1) % nodes) + "\n"
            + "---------------------------------------------------------------------------------------\n"
            + "                    RDMA_Write BW Test\n"
            + " Dual-port       : OFF\t\tDevice         : mlx5_" + h + "\n"
            + " Number of qps   : 1\t\tTransport type : IB\n"
            + " Connection type : RC\t\tUsing SRQ      : OFF\n"
            + " Link type       : IB\n"
            + "---------------------------------------------------------------------------------------\n"
            + " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
            + String.format(" 8388608    5000             %.2f             %.2f             0.005842%n", gbps + 0.4, gbps)
            + "---------------------------------------------------------------------------------------\n");
      }
    }
  }

  private void counters(Path file, int n, boolean after) throws IOException {
    try (BufferedWriter out = open(file)) {
      for (int h = 0; h < PER_NODE; h++) {
        long base = 1_000_000L + (n * 31L + h * 7L) % 1000;
        String path = "/sys/class/infiniband/mlx5_" + h + "/ports/1/counters/";
        out.write("root@" + node(n) + ":~# grep . " + path + "*\n");
        out.write(path + "port_xmit_data:" + (base + (after ? 900_000_000L : 0)) + "\n");
        out.write(path + "symbol_error:" + (after && h == badRail ? 5000 + random.nextInt(500) : 3) + "\n");
        out.write(path + "link_downed:0\n");
      }
    }
  }
}
