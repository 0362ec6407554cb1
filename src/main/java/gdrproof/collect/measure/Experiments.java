package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Experiment;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds runs that are deliberate experiments beside a main run. Deliberate means: written on the run's own command line. A setting that only the
 * environment or the log shows is what a fault looks like, and so is one repeat of a series that differs from the others.
 */
final class Experiments {
  /** Variables that take a transport away or narrow it: what controls are made of. */
  private static final Set<String> CONTROLS = Set.of("NCCL_NET", "NCCL_IB_DISABLE", "NCCL_NET_GDR_LEVEL", "NCCL_NET_GDR_READ", "NCCL_NET_GDR_C2C", "NCCL_DMABUF_ENABLE",
      "NCCL_IB_HCA", "NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL", "NCCL_SHM_DISABLE", "NCCL_NVLS_ENABLE", "NCCL_COLLNET_ENABLE", "NCCL_PXN_DISABLE", "NCCL_CROSS_NIC");
  /** Beyond this many settings two runs are two things, not one and its control. */
  private static final int MOST_SETTINGS = 2;

  private Experiments() {}

  static void derive(Ledger ledger) {
    Map<String, NcclTestCommand> commands = new HashMap<>();
    ledger.all(NcclTestCommand.class).forEach(c -> commands.put(c.run(), c));
    List<RunSummary> runs = ledger.all(RunSummary.class).stream().filter(r -> !r.hosts().isEmpty()).sorted(Comparator.comparing(RunSummary::run)).toList();
    for (RunSummary run : runs) {
      NcclTestCommand command = commands.get(run.run());
      if (command == null) {
        continue;
      }
      for (RunSummary main : runs) {
        Experiment found = main == run || !main.collective().equals(run.collective()) ? null : step(run, main, command);
        found = found != null || main == run || !main.collective().equals(run.collective()) ? found : control(run, main, command);
        if (found != null) {
          ledger.add(found, ledger.of(command));
          break;
        }
      }
    }
  }

  private static Experiment control(RunSummary run, RunSummary main, NcclTestCommand command) {
    Map<String, String> own = Comparisons.settings(run);
    Map<String, String> more = new TreeMap<>(own);
    more.entrySet().removeAll(Comparisons.settings(main).entrySet());
    boolean narrower = !more.isEmpty() && more.size() <= MOST_SETTINGS && CONTROLS.containsAll(more.keySet()) && own.keySet().containsAll(Comparisons.settings(main).keySet());
    boolean meant = command.settings().entrySet().containsAll(more.entrySet());
    boolean same = run.ranks().known() && run.ranks().equals(main.ranks()) && run.hosts().equals(main.hosts());
    // One that the main run is a control of would be read in a circle.
    boolean plain = more.keySet().stream().allMatch(name -> name.equals("NCCL_IB_HCA") || !Comparisons.settings(main).containsKey(name));
    return narrower && meant && same && plain && !series(run.run()).equals(series(main.run()))
        ? new Experiment(Fact.UNKNOWN, run.run(), "control", more.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(" ")), main.run())
        : null;
  }

  private static Experiment step(RunSummary run, RunSummary main, NcclTestCommand command) {
    boolean fewer = run.ranks().below(main.ranks()) && main.hosts().containsAll(run.hosts());
    boolean asked = command.ranks().equals(run.ranks());
    Num per = run.perNode();
    boolean part = run.hosts().size() < main.hosts().size() || per.below(main.perNode());
    return fewer && asked && part && Comparisons.settings(run).equals(Comparisons.settings(main)) && !series(run.run()).equals(series(main.run()))
        ? new Experiment(Fact.UNKNOWN, run.run(), "step", "ranks=" + run.ranks(), main.run())
        : null;
  }

  /** Repeats of one thing are named alike but for their number. */
  private static String series(String run) {
    return run.replaceAll("\\d+", "0");
  }
}
