package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.bundle.Bundle;
import gdrproof.bundle.Text;
import gdrproof.collect.Samples.Row;
import gdrproof.collect.bench.PerftestSampleKeys;
import gdrproof.collect.gpu.GpuSampleKeys;
import gdrproof.collect.gpu.PcieSampleKeys;
import gdrproof.collect.host.HostSampleKeys;
import gdrproof.collect.kube.KubeSampleKeys;
import gdrproof.collect.launch.LaunchSampleKeys;
import gdrproof.collect.rdma.FabricSampleKeys;
import gdrproof.collect.rdma.RdmaSampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Rdma.CounterDelta;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The whole list of samples (`INDEX.tsv`, keys as in `KEYS.md`; another folder by `-Dgdrproof.samples=DIR`): what an expert reads in each file against
 * the facts of it. 97 of 100 of all rows must be exact, those that are disputed included; these are
 * named here with the reason. A key that the text alone does not give is looked for with its command above it, as a recording has it, and then among the conclusions of the rules.
 */
class AllSamplesTest {
  private static final double LEAST = 0.97;
  /** Keys of which some texts cannot tell the value. */
  private static final Map<String, String> DISPUTED = Map.of("exit", "neither the text nor the source of the tool tells the status", "verdict", "the rules do not say so much", "virtualised",
      "the rules do not say so much", "hostBwAvgAtMax", "a figure of another file, which is not there", "release", "the command stands beside the capture");
  /** Single rows. */
  private static final Map<String, String> ROWS = new HashMap<>();

  static {
    ROWS.put("lsmod/nouveau-and-taint-letters.txt module(nvidia)", "the command stands beside the capture, and a part of /proc/modules looks like the whole");
    ROWS.put("ethtool/settings-veth-real.txt kernelDriver", "veth and tun print the same settings, and no counters stand beside them");
    ROWS.put("damaged/perftest-is-iperf.txt parse", "filed under another tool, but a tool that is read: its bandwidth is a fact about TCP");
  }

  private static final Map<String, List<SampleKeys>> FAMILIES = new TreeMap<>();

  static {
    family(new GpuSampleKeys(), "nvidia-smi-topo", "nvidia-smi-topo-p2p", "nvidia-smi-csv", "nvidia-smi-misc", "nvidia-smi-q", "dcgmi");
    family(new PcieSampleKeys(), "lspci", "numactl", "lscpu", "dmesg", "sysfs");
    family(new HostSampleKeys(), "limits", "lsmod", "modinfo", "ofed_info", "proc-cmdline", "dmesg", "nvidia-smi-misc", "sysfs", "bundles");
    family(new RdmaSampleKeys(), "ibdev2netdev", "ibstat", "ibstatus", "ibv_devinfo", "rdma", "show_gids", "sminfo", "bundles");
    family(new FabricSampleKeys(), "ethtool", "ibdiagnet", "iblinkinfo", "ibnetdiscover", "ibqueryerrors", "mlnx_qos", "mlxlink", "perfquery", "smpquery", "sysfs");
    family(new PerftestSampleKeys(), "perftest");
    family(new LaunchSampleKeys(), "mpirun", "slurm");
    family(new KubeSampleKeys(), "kubectl", "helm");
  }

  private static void family(SampleKeys keys, String... tools) {
    for (String tool : tools) {
      FAMILIES.computeIfAbsent(tool, t -> new ArrayList<>()).add(keys);
    }
  }

  /** What a file is, beside what it says. */
  private static Map<String, Set<String>> form(Path file) throws IOException {
    Map<String, Set<String>> keys = new TreeMap<>();
    byte[] bytes = Files.readAllBytes(file);
    keys.put("bytes", Set.of(String.valueOf(bytes.length)));
    if (bytes.length > 2 && (bytes[0] & 0xFF) == 0xEF && (bytes[1] & 0xFF) == 0xBB) {
      keys.put("bom", Set.of("true"));
    }
    List<String> lines = Text.lines(bytes);
    if (lines != null) {
      keys.put("encoding", Set.of(new String(bytes, StandardCharsets.ISO_8859_1).indexOf('\0') >= 0 ? "UTF-16LE" : "UTF-8"));
      keys.put("lineEnding", Set.of(lines.stream().anyMatch(l -> l.endsWith("\r")) ? "CRLF" : "LF"));
      keys.put("ansi", Set.of(String.valueOf(lines.stream().anyMatch(l -> l.indexOf('\u001B') >= 0))));
    }
    return keys;
  }

  private static Map<String, Set<String>> keys(Path file, String tool, Ledger ledger) throws IOException {
    Map<String, Set<String>> all = new TreeMap<>();
    form(file).forEach((key, values) -> all.put(key, new TreeSet<>(values)));
    List<SampleKeys> families = new ArrayList<>(FAMILIES.getOrDefault(tool, List.of()));
    families.add(new TextSampleKeys());
    for (SampleKeys keys : families) {
      keys.keys(tool, ledger).forEach((key, values) -> all.computeIfAbsent(key, k -> new TreeSet<>()).addAll(values));
    }
    boolean nothing = ledger.unsorted().stream().allMatch(f -> !Meta.tells(f) || f instanceof Looked);
    boolean unread = ledger.unsorted().stream().anyMatch(Unread.class::isInstance);
    if (nothing && unread) {
      all.put("parse", new TreeSet<>(Set.of("reject")));
    } else if (unread) {
      all.put("parse", new TreeSet<>(Set.of("incomplete")));
    }
    if (tool.equals("bundles")) {
      // Whoever answers speaks, whether what he says is understood or not.
      Set<String> hosts = Samples.nodes(file);
      ledger.unsorted().forEach(f -> hosts.add(f.node()));
      hosts.remove(Fact.UNKNOWN);
      all.put("hosts", new TreeSet<>(Set.of(String.valueOf(hosts.size()))));
    }
    ledger.forEach((fact, sources) -> sources.forEach(s -> all.computeIfAbsent("command", k -> new TreeSet<>()).add(s.command().replaceFirst(" .*", ""))));
    return all;
  }

  /** The same file as a recording has it, below its command (column `tool`, with bundles `version`); no prompt stands before what is packed. */
  private static Map<String, Set<String>> recorded(Path file, String tool, String command) {
    try {
      byte[] text = Files.readAllBytes(file);
      byte[] prompt = ("$ " + command + "\n").getBytes(StandardCharsets.UTF_8);
      byte[] both = Arrays.copyOf(prompt, prompt.length + text.length);
      System.arraycopy(text, 0, both, prompt.length, text.length);
      return keys(file, tool, Collectors.read(List.of(new Bundle.Entry(file.getFileName().toString(), both.length, () -> new ByteArrayInputStream(both)))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Set<String>> concluded(Path file) {
    try {
      return ConcludedKeys.of(file, before(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file of the same set that was taken before, or the file itself. */
  private static Path before(Path file) {
    return file.resolveSibling(file.getFileName().toString().replaceFirst("-after.*(?=\\.)", "-before"));
  }

  /** What counters grew by since the file of the same set that was taken before. */
  private static void grown(Path file, Map<String, Set<String>> keys) throws IOException {
    Path before = before(file);
    if (before.equals(file) || !Files.exists(before)) {
      return;
    }
    List<Bundle.Entry> both = new ArrayList<>(Bundle.open(before));
    both.addAll(Bundle.open(file));
    double most = 0;
    for (CounterDelta delta : Collectors.read(both).all(CounterDelta.class)) {
      keys.putIfAbsent("wrapped", Set.of("false"));
      keys.put("delta(" + delta.name() + ")", Set.of(delta.grown().toString()));
      if (delta.trouble().equals("wrapped")) {
        keys.put("wrapped", Set.of("true"));
      }
      if (delta.name().matches("rx_prio\\d_packets") && delta.grown().above(most)) {
        most = delta.grown().value();
        keys.put("trafficPrio", Set.of(delta.name().substring(7, 8)));
      }
    }
  }

  private static List<Row> rows() throws IOException {
    Path folder = Shared.folder("gdrproof.samples", "samples");
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("INDEX.tsv"))) {
      String[] cells = line.split("\t", -1);
      if (cells.length >= 5 && !cells[0].equals("path")) {
        String tool = Samples.family(cells[0], cells[1], FAMILIES.keySet());
        Path file = folder.resolve(cells[0]);
        Ledger ledger = Collectors.read(Bundle.open(file));
        Map<String, Set<String>> keys = keys(file, tool, ledger);
        grown(file, keys);
        rows.addAll(Samples.compare(cells[0], cells[4], List.of(() -> keys, () -> Samples.packed(file) ? Map.of() : recorded(file, tool, tool.equals("bundles") ? cells[2] : cells[1]), () -> concluded(file))));
      }
    }
    return rows;
  }

  /** Why a row is not answered, or "" where it should be. */
  private static String dispute(Row row) {
    String single = ROWS.getOrDefault(row.file() + " " + row.key(), DISPUTED.getOrDefault(row.key(), ""));
    boolean missing = row.file().startsWith("iblinkinfo/") && row.key().endsWith("/state") && row.expected().equals("absent");
    boolean packed = row.key().equals("parse") && row.expected().contains("reject") && Samples.packed(Shared.folder("gdrproof.samples", "samples").resolve(row.file()));
    return packed ? "what is compressed is unpacked, whatever its name"
        : single.isEmpty() && missing ? "the text tells of the nodes that are there; which other one was meant to be, it does not" : single;
  }

  @Test
  void nearlyEveryListedFactIsExact() throws IOException {
    List<Row> rows = rows();
    List<Row> wrong = rows.stream().filter(r -> !r.right()).toList();
    List<Row> ours = wrong.stream().filter(r -> dispute(r).isEmpty()).toList();
    List<Row> argued = wrong.stream().filter(r -> !dispute(r).isEmpty()).toList();
    int exact = rows.size() - wrong.size();
    String report = exact + " of " + rows.size() + " listed facts exact, " + argued.size() + " disputed, " + ours.size() + " wrong:\n" + String.join("\n", ours.stream().map(Row::toString).toList());
    System.out.println(report);
    argued.forEach(r -> System.out.println("disputed: " + r + " (" + dispute(r) + ")"));
    // What is disputed counts as not exact.
    assertTrue(!rows.isEmpty() && exact >= LEAST * rows.size(), report);
  }

  @Test
  void damagedAndForeignFilesGiveNoFacts() throws IOException {
    List<Row> wrong = rows().stream().filter(r -> r.key().equals("parse") && r.expected().contains("reject") && !r.expected().contains("rejoin") && !r.right() && dispute(r).isEmpty()).toList();
    assertEquals(List.of(), wrong);
  }
}
