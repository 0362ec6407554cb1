package gdrproof.bench;

import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaPort;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Time and memory of all rules of `diagnose` over many facts: `RuleScale FACTS [REPEATS]`. The facts are those of a job whose nodes have eight HCAs and
 * eight ranks, one node with all ports down. Prints a line for each repeat; the first is warm-up.
 */
public final class RuleScale {
  private static final int PER_NODE = 8;
  private static final int FACTS_PER_NODE = PER_NODE * 5;

  private RuleScale() {}

  public static void main(String[] args) {
    int wanted = Integer.parseInt(args[0]);
    int repeats = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    List<Fact> facts = facts(Math.max(2, wanted / FACTS_PER_NODE));
    RuleBase rules = RuleBase.load("diagnose", List.of());
    for (int i = 0; i < repeats; i++) {
      long cpu = ManagementFactory.getThreadMXBean().isCurrentThreadCpuTimeSupported() ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : 0;
      long wall = System.nanoTime();
      int conclusions = new Engine(rules).conclude(facts).conclusions().size();
      System.out.printf("%s facts=%d conclusions=%d wall=%.2fs cpu=%.2fs heap=%dMiB%n", i == 0 ? "warm-up" : "run", facts.size(), conclusions,
          (System.nanoTime() - wall) / 1e9, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9,
          (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20);
    }
  }

  private static List<Fact> facts(int nodes) {
    List<Fact> facts = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      String node = "gpu" + n;
      for (int i = 0; i < PER_NODE; i++) {
        String process = node + ":" + (1000 + i);
        boolean down = n == 1;
        facts.add(new RdmaPort(node, "mlx5_" + i, Num.of(1), down ? "DOWN" : "ACTIVE", down ? "POLLING" : "LINKUP", Num.of(400), "InfiniBand", Num.of(n * 8 + i + 1), Num.of(1)));
        facts.add(new NcclMessage(node, "job", process, "init-node", "INFO", Map.of("nodes", Integer.toString(nodes), "rank", Integer.toString(n * PER_NODE + i))));
        facts.add(new NcclMessage(node, "job", process, "using-network", "INFO", Map.of("net", down ? "Socket" : "IB")));
        facts.add(new NcclMessage(node, "job", process, down ? "ib-none" : "dmabuf", "INFO", Map.of()));
        facts.add(new NcclMessage(node, "job", process, "gdr-hca", "INFO", Map.of("net", "IB", "state", "Enabled", "hca", "mlx5_" + i, "dev", Integer.toString(i))));
      }
    }
    return facts;
  }
}
