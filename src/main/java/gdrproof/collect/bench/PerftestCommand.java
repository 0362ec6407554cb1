package gdrproof.collect.bench;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Options of a perftest command line that its output does not repeat.
 *
 * @param program `ib_write_bw`
 * @param cuda device number of `--use_cuda`, unknown without it
 * @param qps queue pairs (`-q`, 1 where nothing is said), unknown where the shell computes it
 * @param relaxedOrdering NO if the line switches relaxed ordering off
 * @param peer server, or unknown on the server's side
 */
record PerftestCommand(String program, String hca, Num cuda, boolean dmabuf, boolean gbits, boolean duration, boolean bidirectional, boolean onlyBandwidth,
    boolean onlyVersion, String peer, Num qps, Tri relaxedOrdering, Num bytes) {
  static final Pattern PROGRAM = Pattern.compile("(?:^|[\\s/])((?:ib|raw_ethernet)_(?:write|read|send|atomic)_(?:bw|lat))\\b(.*)$");
  /** Options of perftest that take a value as the next word. */
  private static final Set<String> VALUED = Set.of("-d", "-i", "-s", "-n", "-q", "-x", "-D", "-t", "-p", "-m", "-S", "-I", "-u", "-o", "-Q", "-T", "-c", "-r",
      "-l", "-w", "-f", "-y", "-g", "--ib-dev", "--ib-port", "--size", "--iters", "--qp", "--gid-index", "--duration", "--port", "--mtu", "--use_cuda", "--tclass",
      "--sl", "--bind_source_ip", "--use_cuda_bus_id", "--limit_bw", "--output", "--out_json_file");

  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([KMGkmg]?)");

  /** The name of the test as its title prints it: `RDMA_Write BW`. */
  String test() {
    return test(program);
  }

  static String test(String program) {
    String verb = program.contains("write") ? "RDMA_Write" : program.contains("read") ? "RDMA_Read" : program.contains("atomic") ? "Atomic" : "Send";
    return verb + (program.endsWith("_bw") ? " BW" : " Latency");
  }

  static PerftestCommand parse(String line) {
    Matcher m = PROGRAM.matcher(line);
    if (!m.find()) {
      return null;
    }
    String hca = Fact.UNKNOWN;
    String peer = Fact.UNKNOWN;
    Num cuda = Num.UNKNOWN;
    boolean dmabuf = false;
    boolean gbits = false;
    boolean duration = false;
    boolean bidirectional = false;
    boolean only = false;
    boolean version = false;
    Num qps = Num.of(1);
    Tri ordering = Tri.UNKNOWN;
    Num bytes = Num.UNKNOWN;
    List<String> words = List.of(m.group(2).replaceAll("\\s(?:[&|;>]|2>).*$", "").strip().split("\\s+"));
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      int equals = word.indexOf('=');
      String name = equals > 0 ? word.substring(0, equals) : word;
      boolean takes = equals < 0 && VALUED.contains(name) && i + 1 < words.size();
      String value = equals > 0 ? word.substring(equals + 1) : takes ? words.get(++i) : "";
      switch (name) {
        case "-d", "--ib-dev" -> hca = value;
        case "--use_cuda", "--use_cuda_bus_id" -> cuda = Num.parse(value);
        case "--use_cuda_dmabuf" -> dmabuf = true;
        case "--report_gbits" -> gbits = true;
        case "-D", "--duration" -> duration = true;
        case "-b", "--bidirectional" -> bidirectional = true;
        case "--output" -> only = value.equals("bandwidth");
        case "-s", "--size" -> bytes = size(value);
        case "-q", "--qp" -> qps = Num.parse(value);
        case "--disable_pcie_relaxed" -> ordering = Tri.NO;
        case "-V", "--version" -> version = true;
        default -> peer = word.startsWith("-") || word.isBlank() ? peer : word;
      }
    }
    return new PerftestCommand(m.group(1), hca, cuda, dmabuf, gbits, duration, bidirectional, only, version, peer, qps, ordering, bytes);
  }

  /** A size with or without the suffix that newer releases take (`8M`). */
  private static Num size(String text) {
    Matcher m = SIZE.matcher(text);
    return m.matches() ? Num.of(Double.parseDouble(m.group(1)) * Math.pow(1024, " KMG".indexOf(m.group(2).isEmpty() ? ' ' : m.group(2).toUpperCase(java.util.Locale.ROOT).charAt(0)))) : Num.UNKNOWN;
  }
}
