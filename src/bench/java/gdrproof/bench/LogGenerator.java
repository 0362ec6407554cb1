package gdrproof.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes a log as a job of many ranks prints it: initialisation of every rank, then connection lines, call traces and application output mixed.
 * The same arguments give the same bytes.
 */
final class LogGenerator {
  private static final String[] PROXY = {"[Proxy Service] Device %d CPU core %d", "[Proxy Progress] Device %d CPU core %d", "threadThresholds 8/8/64 | %d/8/64 | %d | 512"};

  private final int ranks;
  private final int ncclPercent;
  private final Random random = new Random(7);

  private final int only;

  LogGenerator(int ranks, int ncclPercent) {
    this(ranks, ncclPercent, -1);
  }

  /** @param only the rank whose lines are written, or -1 for those of all */
  LogGenerator(int ranks, int ncclPercent, int only) {
    this.ranks = ranks;
    this.ncclPercent = ncclPercent;
    this.only = only;
  }

  void write(Path file, long bytes) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      long written = 0;
      StringBuilder text = new StringBuilder();
      for (int rank = Math.max(0, only); rank < (only < 0 ? ranks : only + 1); rank++) {
        start(text, rank);
      }
      while (written + text.length() < bytes) {
        int rank = only < 0 ? random.nextInt(ranks) : only;
        if (random.nextInt(100) < ncclPercent) {
          message(text, rank);
        } else if (random.nextInt(3) == 0) {
          own(text, rank, String.format(PROXY[random.nextInt(PROXY.length)], rank % 8, random.nextInt(96)));
        } else {
          text.append("[rank").append(rank).append("]: step ").append(random.nextInt(1_000_000)).append(" | loss 2.").append(random.nextInt(100_000))
              .append(" | tokens per second ").append(random.nextInt(100_000)).append(" | gradient norm 0.").append(random.nextInt(10_000))
              .append(" | learning rate 3.0e-04 | memory 61.").append(random.nextInt(10)).append(" GiB\n");
        }
        if (text.length() > 1 << 16) {
          written += text.length();
          out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
          text.setLength(0);
        }
      }
      out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void own(StringBuilder text, int rank, String body) {
    text.append("gpu-node-").append(1000 + rank / 8).append(':').append(20_000 + rank % 8).append(':').append(21_000 + rank % 8).append(" [").append(rank % 8)
        .append("] NCCL INFO ").append(body).append('\n');
  }

  private void start(StringBuilder text, int rank) {
    own(text, rank, "NCCL_IB_HCA set to mlx5_0,mlx5_3,mlx5_4,mlx5_5");
    own(text, rank, "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_3:1/IB [2]mlx5_4:1/IB [3]mlx5_5:1/IB [RO]; OOB eth0:10.0." + rank / 8 / 250 + "." + rank / 8 % 250 + "<0>");
    own(text, rank, "Using network IB");
    own(text, rank, "DMA-BUF is available on GPU device " + rank % 8);
    own(text, rank, "NET/IB : GPU Direct RDMA Enabled for HCA " + rank % 4 + " 'mlx5_" + rank % 4 + "'");
    own(text, rank, init(rank) + " - Init START");
    own(text, rank, "comm 0x55" + Integer.toHexString(rank) + " rank " + rank + " nRanks " + ranks + " nNodes " + ranks / 8 + " localRanks 8 localRank " + rank % 8 + " MNNVL 0");
    own(text, rank, init(rank) + " - Init COMPLETE");
  }

  private String init(int rank) {
    return "ncclCommInitRankConfig comm 0x55" + Integer.toHexString(rank) + " rank " + rank + " nranks " + ranks + " cudaDev " + rank % 8 + " nvmlDev " + rank % 8
        + " busId 1b000 commId 0x124e159d3519c415";
  }

  private void message(StringBuilder text, int rank) {
    int channel = random.nextInt(32);
    int other = (rank + 1 + random.nextInt(8)) % ranks;
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> own(text, rank, String.format("Channel %02d/0 : %d[%d] -> %d[%d] [send] via NET/IB/%d/GDRDMA", channel, rank, rank % 8, other, other % 8, channel % 4));
      case 3, 4 -> own(text, rank, String.format("Channel %02d/0 : %d[%d] -> %d[%d] [receive] via NET/IB/%d/GDRDMA", channel, other, other % 8, rank, rank % 8, channel % 4));
      case 5, 6 -> own(text, rank, String.format("Channel %02d/0 : %d[%d] -> %d[%d] via P2P/CUMEM/read", channel, rank, rank % 8, other, other % 8));
      case 7 -> own(text, rank, String.format("AllReduce: opCount %x sendbuff 0x7f%06x recvbuff 0x7f%06x count 1048576 datatype 7 op 0 root 0 comm 0x55%x [nranks=%d] stream 0x560",
          random.nextInt(1 << 20), random.nextInt(1 << 24), random.nextInt(1 << 24), rank, ranks));
      case 8 -> own(text, rank, String.format("NET/IB: NCCL Dev %d IbDev %d Port 1 qpn %d mtu 5 LID 17 subnet-prefix 18446744073709486080 FLID 0 fifoRkey=0x%x fifoLkey=0x%x",
          channel % 4, channel % 4, random.nextInt(1 << 16), random.nextInt(1 << 20), random.nextInt(1 << 20)));
      default -> own(text, rank, "Connected all rings, use ring PXN 0 GDR 1");
    }
  }
}
