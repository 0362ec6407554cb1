package gdrproof.collect.launch;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Launch.RankBinding;
import gdrproof.facts.Launch.RankCpus;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Launch.SharedCpus;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.CpuCounts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where ranks run beside their GPUs: from NCCL's own affinity line (2.2x: GPU's CPUs and the process's), or from the launcher's bindings
 * (`mpirun --report-bindings` of Open MPI 4 and 5, `srun --cpu-bind=verbose`) and the affinity column of the GPUs.
 */
public final class Bindings {
  private static final Pattern SOCKET = Pattern.compile("(?:socket |package\\[)(?<socket>\\d+)");
  private static final Pattern CORE = Pattern.compile("(?:core |\\[core:)(?<low>\\d+)(?:-(?<high>\\d+))?");

  private static final Pattern PICKED = Pattern.compile("\\b(?:pgrep|pidof|ps\\s+-C|ps\\s+-o\\s*pid=?\\s+-C)\\s+(?:-\\w++\\s++)*+[\"']?(?:\\S*/)?(?<program>\\w+)");
  /** `taskset -a` lists all threads of one process. */
  private static final Pattern THREADS = Pattern.compile("\\btaskset\\s+-\\w*a");

  private Bindings() {}

  /** Adds the derived facts to a ledger whose runs are settled. */
  public static void derive(Ledger ledger) {
    Map<String, Map<String, List<Object[]>>> shared = new TreeMap<>();
    fromLog(ledger, shared);
    fromLauncher(ledger, shared);
    fromProcesses(ledger, shared);
    shared.forEach((place, sets) -> sets.forEach((cpus, ranks) -> share(place, cpus, ranks, sets.size(), ledger)));
  }

  /** Ranks of a node with one set of CPUs; where the whole node has but this set, that is no binding. */
  private static void share(String place, String cpus, List<Object[]> ranks, int sets, Ledger ledger) {
    String[] key = place.split("\u0000");
    int cores = ((BitSet) ranks.get(0)[0]).cardinality();
    Num all = ledger.all(CpuCounts.class).stream().filter(c -> c.node().equals(key[0])).map(CpuCounts::cpus).filter(Num::known).findFirst().orElse(Num.UNKNOWN);
    if (ranks.size() < 2 || all.known() && all.value() <= cores) {
      return;
    }
    Set<Evidence> sources = new TreeSet<>();
    ranks.forEach(r -> sources.addAll(ledger.of((Fact) r[1])));
    ledger.add(new SharedCpus(key[0], key[1], cpus, Num.of(ranks.size()), Num.of(cores)), sources);
  }

  private static void remember(Map<String, Map<String, List<Object[]>>> shared, String node, String run, BitSet cpus, Fact from) {
    shared.computeIfAbsent(node + "\u0000" + run, n -> new TreeMap<>()).computeIfAbsent(CpuSets.text(cpus), c -> new ArrayList<>()).add(new Object[] {cpus, from});
  }

  private static void fromLog(Ledger ledger, Map<String, Map<String, List<Object[]>>> shared) {
    Map<String, Num> ranks = new HashMap<>();
    ledger.all(NcclRank.class).forEach(r -> ranks.merge(r.process(), r.rank(), (a, b) -> a.equals(b) ? a : Num.UNKNOWN));
    for (NcclMessage m : ledger.all(NcclMessage.class)) {
      if (!m.id().equals("affinity")) {
        continue;
      }
      BitSet own = CpuSets.parse(m.field("procCpus"));
      BitSet device = CpuSets.parse(m.field("gpuCpus"));
      String place = CpuSets.place(own, device);
      if (!own.isEmpty() && ranks.containsKey(m.process())) {
        remember(shared, m.node(), m.run(), own, m);
      }
      if (!place.isEmpty()) {
        // NCCL binds its own threads to what both have in common, so anything in common is near.
        ledger.add(new RankCpus(m.node(), m.run(), m.process(), ranks.getOrDefault(m.process(), Num.UNKNOWN), "GPU" + m.field("gpu"), CpuSets.text(own),
            CpuSets.text(device), place.equals("partly") ? "near" : place), ledger.of(m));
      }
    }
  }

  private static void fromLauncher(Ledger ledger, Map<String, Map<String, List<Object[]>>> shared) {
    Map<String, GpuAffinity> affinities = new HashMap<>();
    ledger.all(GpuAffinity.class).forEach(a -> affinities.put(a.node() + " " + a.gpu(), a));
    Map<String, String> names = new HashMap<>();
    ledger.all(GpuDevice.class).forEach(d -> names.put(d.node() + " " + d.address().replaceFirst("\\.\\d$", ""), d.gpu()));
    Map<String, CpuCounts> counts = new HashMap<>();
    ledger.all(CpuCounts.class).forEach(c -> counts.put(c.node(), c));
    Map<String, RankPlacement> places = new HashMap<>();
    ledger.all(RankPlacement.class).forEach(p -> places.put(p.run() + " " + p.rank(), p));
    for (RankBinding binding : ledger.all(RankBinding.class)) {
      RankPlacement placement = places.get(binding.run() + " " + binding.rank());
      String text = binding.cpus();
      BitSet own = CpuSets.parse(text);
      BitSet cores = own.isEmpty() ? numbers(CORE, text) : own;
      if (!cores.isEmpty()) {
        remember(shared, binding.node(), binding.run(), cores, binding);
      }
      if (placement == null) {
        continue;
      }
      String gpu = names.getOrDefault(placement.node() + " " + placement.busId(), Fact.UNKNOWN);
      GpuAffinity affinity = affinities.get(placement.node() + " " + gpu);
      if (affinity == null || !placement.node().equals(binding.node())) {
        continue;
      }
      CpuCounts count = counts.get(binding.node());
      boolean plain = count != null && count.sockets().known() && count.sockets().equals(count.numaNodes());
      String place = own.isEmpty() && plain ? CpuSets.place(numbers(SOCKET, text), CpuSets.parse(affinity.numa())) : CpuSets.place(own, CpuSets.parse(affinity.cpus()));
      if (!place.isEmpty()) {
        Set<Evidence> sources = new TreeSet<>(ledger.of(binding));
        sources.addAll(ledger.of(affinity));
        ledger.add(new RankCpus(binding.node(), binding.run(), placement.process(), binding.rank(), gpu, text, affinity.cpus(), place), sources);
      }
    }
  }

  /**
   * `taskset -pc PID`, or the CPUs of `/proc/PID/status`, of ranks that NCCL's log names by their process number, or that the command itself picks by the name of a benchmark
   * of the bundle. Other processes of a job (those that load data) inherit the CPUs of their rank and are none.
   */
  private static void fromProcesses(Ledger ledger, Map<String, Map<String, List<Object[]>>> shared) {
    Map<String, NcclRank> ranks = new HashMap<>();
    ledger.all(NcclRank.class).forEach(r -> ranks.put(r.process(), r));
    List<HostMessage> affinities = ledger.all(HostMessage.class).stream().filter(m -> m.id().equals("cpu-affinity")).toList();
    Map<String, String> logged = new HashMap<>();
    Set<String> programs = new TreeSet<>();
    if (!affinities.isEmpty()) {
      ledger.all(NcclMessage.class).forEach(m -> logged.put(m.process(), m.run()));
      ledger.all(NcclTestCommand.class).forEach(c -> programs.add(c.program()));
    }
    for (HostMessage message : affinities) {
      String process = message.node() + ":" + message.field("pid");
      NcclRank rank = ranks.get(process);
      BitSet own = CpuSets.parse(message.field("cpus"));
      if (rank == null && !own.isEmpty() && (logged.containsKey(process) || ledger.of(message).stream().anyMatch(e -> picks(e.command(), programs)))) {
        remember(shared, message.node(), Fact.UNKNOWN, own, message);
      }
      if (rank == null || own.isEmpty()) {
        continue;
      }
      remember(shared, rank.node(), rank.run(), own, message);
      String address = busId(rank.busId());
      for (GpuDevice device : ledger.all(GpuDevice.class)) {
        if (device.node().equals(rank.node()) && device.address().startsWith(address)) {
          ledger.all(GpuAffinity.class).stream().filter(a -> a.node().equals(rank.node()) && a.gpu().equals(device.gpu())).findFirst().ifPresent(a -> {
            String place = CpuSets.place(own, CpuSets.parse(a.cpus()));
            if (!place.isEmpty()) {
              Set<Evidence> sources = new TreeSet<>(ledger.of(message));
              sources.addAll(ledger.of(a));
              ledger.add(new RankCpus(rank.node(), rank.run(), rank.process(), rank.rank(), a.gpu(), CpuSets.text(own), a.cpus(), place), sources);
            }
          });
        }
      }
    }
  }

  /** Whether a command asks for the processes of one of some programs, each once and not thread by thread. */
  private static boolean picks(String command, Set<String> programs) {
    Matcher matcher = PICKED.matcher(command);
    return !THREADS.matcher(command).find() && matcher.find() && programs.contains(matcher.group("program"));
  }

  /** NCCL's bus id (`1b000`: domain, bus, device, function in hexadecimal) as the beginning of an address. */
  private static String busId(String busId) {
    try {
      long number = Long.parseLong(busId, 16);
      return String.format("%04x:%02x:%02x", number >> 20, number >> 12 & 0xff, number >> 4 & 0xff);
    } catch (NumberFormatException e) {
      return "no address";
    }
  }

  private static BitSet numbers(Pattern pattern, String text) {
    BitSet set = new BitSet();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      String first = matcher.group(1);
      String last = matcher.groupCount() > 1 && matcher.group(2) != null ? matcher.group(2) : first;
      if (first.length() < 6 && last.length() < 6 && Integer.parseInt(first) <= Integer.parseInt(last)) {
        set.set(Integer.parseInt(first), Integer.parseInt(last) + 1);
      }
    }
    return set;
  }
}
