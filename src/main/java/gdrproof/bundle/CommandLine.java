package gdrproof.bundle;

import java.util.List;
import java.util.Set;

/** What a command line of a transcript asks for. */
public final class CommandLine {
  /** Tools that print state and nothing else: what they print is evidence, so a form of it that no reader takes must be said. */
  private static final Set<String> QUERIES = Set.of("nvidia-smi", "ibstat", "ibstatus", "ibv_devinfo", "ibv_devices", "ibdev2netdev", "show_gids", "rdma", "lspci", "lsmod", "modinfo", "ethtool",
      "mlnx_qos", "mlxlink", "mlxconfig", "mstconfig", "mlxfwmanager", "perfquery", "sminfo", "iblinkinfo", "ibqueryerrors", "ibdiagnet", "ibnetdiscover", "numactl", "lscpu", "sysctl", "lldpctl",
      "dcgmi", "setpci", "cma_roce_mode", "ncclras", "fi_info", "virsh", "numastat", "dmidecode", "ldd", "ping", "ps", "aws", "df", "ulimit", "getent", "ss");
  private static final List<String> MEASURES = List.of("_bw", "_lat", "_perf");
  private static final Set<String> BEFORE = Set.of("sudo", "time", "timeout", "taskset", "numactl", "env", "nsenter", "chroot", "watch");

  private CommandLine() {}

  /** The first tool of a command line whose output is evidence, else its first word without folders. */
  public static String tool(String command) {
    String query = queryTool(command);
    String first = command.strip().replaceFirst("\\s.*", "");
    return query.isEmpty() ? first.substring(first.lastIndexOf('/') + 1) : query;
  }

  /** The first tool of a command line whose output is evidence, or "" where the line asks for none. */
  public static String queryTool(String command) {
    String[] words = command.strip().split("\\s+");
    for (int i = 0; i < Math.min(words.length, 8); i++) {
      String word = words[i].substring(words[i].lastIndexOf('/') + 1);
      if (word.equals("kubectl") || word.equals("oc")) {
        boolean asks = List.of(words).contains("get") || List.of(words).contains("describe");
        return asks && !List.of(words).contains("exec") ? word : "";
      }
      if (QUERIES.contains(word) && (!BEFORE.contains(word) || i == words.length - 1 || words[i + 1].startsWith("-"))) {
        return word;
      }
      if (MEASURES.stream().anyMatch(word::endsWith)) {
        return word;
      }
      boolean passes = BEFORE.contains(word) || word.startsWith("-") || word.matches("[A-Za-z_]+=.*|\\d+\\w?");
      if (!passes) {
        return "";
      }
    }
    return "";
  }
}
