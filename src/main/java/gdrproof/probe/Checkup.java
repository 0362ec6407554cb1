package gdrproof.probe;

import gdrproof.policy.Policies;
import gdrproof.probe.Target.Command;
import gdrproof.probe.Target.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which prerequisites of a proof are present, and what stays unprovable without them. Reads only. */
public final class Checkup {
  /**
   * A prerequisite.
   *
   * @param node where, or "" for what belongs to no node
   * @param name `root`, `tool:ibstat`, `kubernetes`, `mpi`, `switch-telemetry`, `known-good`, `rollback-copy`
   * @param present whether it is there
   * @param detail what was found, or what to do
   */
  public record Item(String node, String name, boolean present, String detail) {}

  /**
   * What a missing prerequisite costs.
   *
   * @param measurement of `measurements.yaml`
   * @param needs what is missing
   * @param nodes where it is missing
   * @param proves what would be proven
   * @param faults that stay open without it
   */
  public record Unprovable(String measurement, String needs, List<String> nodes, String proves, Set<String> faults) {}

  public record Report(List<Item> items, List<Unprovable> unprovable) {}

  private static final Duration QUESTION = Duration.ofSeconds(60);
  private static final Pattern PROGRAM = Pattern.compile("[a-z][\\w.-]*");
  /** Words that begin measurements and are no program of their own. */
  private static final Set<String> SHELL = Set.of("cat", "ls", "grep", "tr", "mount", "df", "uname", "counters", "sudo", "ulimit", "and", "iommu", "sysctl", "ping", "awk", "sed", "echo", "for", "set", "repeat", "both", "run", "gdrproof");
  private static final List<String> RIGHTS = List.of("list nodes", "list pods", "list nicclusterpolicies.mellanox.com", "list network-attachment-definitions.k8s.cni.cncf.io", "create pods/exec");

  private final Map<String, Set<String>> faults;

  /** @param faults by measurement, which stay open without it */
  public Checkup(Map<String, Set<String>> faults) {
    this.faults = faults;
  }

  /** @param evidence folders that may hold baselines, a site file, rollback copies and switch output */
  public Report run(List<Target> targets, List<Path> evidence, Map<String, String> failed) throws InterruptedException {
    List<Item> items = new ArrayList<>();
    failed.forEach((word, reason) -> items.add(new Item(word, "access", false, reason)));
    Map<String, Set<String>> programs = programs();
    Set<String> all = new TreeSet<>();
    programs.values().forEach(all::addAll);
    Map<String, List<String>> lacking = new TreeMap<>();
    for (Target target : targets) {
      try {
        node(target, all, items, lacking);
      } catch (IOException e) {
        items.add(new Item(target.node(), "access", false, e.getMessage()));
      }
    }
    files(evidence, items);
    return new Report(items, unprovable(programs, lacking, targets.size()));
  }

  /** Programs of a measurement, one of which suffices; none where its probe needs none. */
  private static Map<String, Set<String>> programs() {
    Map<String, Set<String>> programs = new LinkedHashMap<>();
    Map<String, Set<String>> probed = new TreeMap<>();
    Probe.all().forEach(probe -> probe.measures().forEach(m -> probed.computeIfAbsent(m, n -> new TreeSet<>()).add(probe.tool())));
    Policies.read("measurements.yaml").forEach((name, entry) -> {
      Set<String> tools = probed.getOrDefault(name, Set.of());
      if (tools.isEmpty()) {
        programs.put(name, first(String.valueOf(Policies.map(entry).get("command"))));
      } else {
        programs.put(name, tools.contains("") ? Set.of() : tools);
      }
    });
    return programs;
  }

  /** The program that a command line begins with; empty where that is none of its own. */
  private static Set<String> first(String command) {
    for (String word : command.replaceAll("#.*", "").strip().split("\\s+")) {
      if (word.equals("sudo") || word.contains("=")) {
        continue;
      }
      return PROGRAM.matcher(word).matches() && !SHELL.contains(word) ? Set.of(word) : Set.of();
    }
    return Set.of();
  }

  private static void node(Target target, Set<String> programs, List<Item> items, Map<String, List<String>> lacking) throws IOException, InterruptedException {
    String said = ask(target, "id=$(id -u); [ \"$id\" = 0 ] || { have sudo && sudo -n true 2>/dev/null && id=0; }; echo \"ROOT=$id\"; for t in " + String.join(" ", programs)
        + "; do r=$(lacks $t); [ -z \"$r\" ] && echo \"HAVE $t\" || echo \"LACK $t $r\"; done; for c in srun mpirun torchrun; do have $c && echo \"LAUNCH $c\"; done; "
        + "ls /dev/infiniband/umad* >/dev/null 2>&1 && echo UMAD; [ -e /proc/driver/nvidia/version ] && echo GPU; echo END");
    if (!said.contains("END")) {
      items.add(new Item(target.node(), "access", false, "its shell does not answer"));
      return;
    }
    String node = target.node();
    items.add(new Item(node, "access", true, target.describe() + ", " + target.boundary().name().toLowerCase(Locale.ROOT)));
    boolean root = said.contains("ROOT=0\n");
    items.add(new Item(node, "root", root, root ? "root, or sudo without a password" : "not root: ACS bits, kernel log, modules of optics and other users' processes stay hidden"));
    List<String> launchers = new ArrayList<>();
    said.lines().forEach(line -> {
      if (line.startsWith("LACK ")) {
        String tool = line.split(" ")[1];
        lacking.computeIfAbsent(tool, t -> new ArrayList<>()).add(node);
        items.add(new Item(node, "tool:" + tool, false, line.substring(6 + tool.length())));
      } else if (line.startsWith("HAVE ")) {
        items.add(new Item(node, "tool:" + line.substring(5), true, "found"));
      } else if (line.startsWith("LAUNCH ")) {
        launchers.add(line.substring(7));
      }
    });
    items.add(new Item(node, "mpi", !launchers.isEmpty(), launchers.isEmpty() ? "neither mpirun, srun nor torchrun: no run over several nodes can be started from here" : String.join(", ", launchers)));
    boolean fabric = said.contains("HAVE iblinkinfo\n") && said.contains("UMAD\n");
    items.add(new Item(node, "fabric-access", fabric, fabric ? "iblinkinfo and /dev/infiniband/umad*" : "without infiniband-diags and /dev/infiniband/umad* the InfiniBand fabric cannot be asked from here"));
    if (said.contains("HAVE kubectl\n")) {
      rights(target, items);
    }
  }

  private static void rights(Target target, List<Item> items) throws IOException, InterruptedException {
    StringBuilder shell = new StringBuilder();
    RIGHTS.forEach(right -> shell.append("kubectl auth can-i ").append(right).append(" -A --request-timeout=10s >/dev/null 2>&1 && echo 'YES ").append(right).append("' || echo 'NO ").append(right).append("'; "));
    ask(target, shell.toString()).lines().forEach(line -> {
      boolean yes = line.startsWith("YES ");
      String right = line.substring(line.indexOf(' ') + 1);
      items.add(new Item(target.node(), "kubernetes:" + right, yes, yes ? "allowed" : "denied: ask for the permission to " + right));
    });
  }

  private static String ask(Target target, String shell) throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Outcome outcome = target.start(new Command(Probe.prelude() + shell, QUESTION, 256 << 10), out).await();
    if (outcome.status() == Target.Status.UNREACHABLE) {
      throw new ProbeException(outcome.note());
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void files(List<Path> evidence, List<Item> items) {
    found(evidence, items, "switch-telemetry", name -> name.matches("(?:.*[-_.])?(?:switch|leaf|spine|tor|iblinkinfo|ibqueryerrors|ibdiagnet)(?:[-_.\\d].*)?"),
        "no output of switches (counters, PFC, ECN, buffers) in the evidence: what happens inside the fabric stays unproven");
    found(evidence, items, "known-good", name -> name.matches("site\\.ya?ml|.*baseline.*"),
        "no site.yaml, no baseline, no earlier result: slow can only be told from capabilities and siblings");
    found(evidence, items, "rollback-copy", name -> name.matches(".*\\.before\\.ya?ml|.*rollback.*|.*-values\\.before.*"),
        "no copies of Helm values, policies and network attachments from before the change (*.before.yaml): nothing to go back to");
  }

  private static void found(List<Path> folders, List<Item> items, String what, Predicate<String> wanted, String otherwise) {
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder, 4)) {
        Path hit = files.filter(Files::isRegularFile).filter(f -> wanted.test(f.getFileName().toString().toLowerCase(Locale.ROOT))).sorted().findFirst().orElse(null);
        if (hit != null) {
          items.add(new Item("", what, true, hit.toString()));
          return;
        }
      } catch (IOException | java.io.UncheckedIOException e) {
        items.add(new Item("", what, false, folder + " cannot be read"));
        return;
      }
    }
    items.add(new Item("", what, false, otherwise));
  }

  private List<Unprovable> unprovable(Map<String, Set<String>> programs, Map<String, List<String>> lacking, int nodes) {
    Map<String, Object> catalogue = Policies.read("measurements.yaml");
    List<Unprovable> lost = new ArrayList<>();
    programs.forEach((measurement, needed) -> {
      Set<String> absent = new TreeSet<>(needed);
      absent.removeIf(tool -> lacking.getOrDefault(tool, List.of()).size() < nodes);
      if (!needed.isEmpty() && absent.equals(needed)) {
        lost.add(new Unprovable(measurement, String.join(" or ", needed), lacking.get(needed.iterator().next()), String.valueOf(Policies.map(catalogue.get(measurement)).get("proves")),
            faults.getOrDefault(measurement, Set.of())));
      }
    });
    lost.sort((a, b) -> b.faults().size() != a.faults().size() ? Integer.compare(b.faults().size(), a.faults().size()) : a.measurement().compareTo(b.measurement()));
    return lost;
  }
}
