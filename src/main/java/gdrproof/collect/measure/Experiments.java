package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Experiment;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.policy.Controls;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds runs that are deliberate experiments beside a main run, which may have failed. Deliberate means: written on the run's own command line. A
 * setting that only the environment or the log shows is what a fault looks like, and so is one repeat of a series that differs from the others.
 */
final class Experiments {
  /** Beyond this many settings two runs are two things, not one and its control. */
  private static final int MOST_SETTINGS = 2;

  private Experiments() {}

  static void derive(Ledger ledger) {
    Map<String, RunSummary> summaries = new HashMap<>();
    ledger.all(RunSummary.class).forEach(r -> summaries.put(r.run(), r));
    Map<NcclTestCommand, NcclTestCommand> asPrinted = new HashMap<>();
    List<NcclTestCommand> commands = ledger.all(NcclTestCommand.class).stream().filter(c -> !c.run().equals(Fact.UNKNOWN))
        .map(c -> {
          NcclTestCommand whole = whole(c, summaries.get(c.run()));
          asPrinted.put(whole, c);
          return whole;
        })
        .filter(c -> c.ranks().known() && !c.hosts().isEmpty()).sorted(Comparator.comparing(NcclTestCommand::run)).toList();
    for (NcclTestCommand command : commands) {
      for (NcclTestCommand main : commands) {
        if (!main.run().equals(command.run()) && !series(main.run()).equals(series(command.run()))) {
          Experiment found = command.ranks().below(main.ranks()) ? step(command, main) : control(command, main);
          if (found != null) {
            ledger.add(found, ledger.of(asPrinted.get(command)));
            break;
          }
        }
      }
    }
  }

  /** A command that names no hosts (a host file, one node) has those of its report. */
  private static NcclTestCommand whole(NcclTestCommand command, RunSummary summary) {
    return summary == null ? command
        : new NcclTestCommand(command.node(), command.run(), command.program(), command.ranks().known() ? command.ranks() : summary.ranks(), command.perNode(),
            command.hosts().isEmpty() ? summary.hosts() : command.hosts(), command.settings());
  }

  private static Experiment control(NcclTestCommand command, NcclTestCommand main) {
    Map<String, String> plain = settings(main);
    Map<String, String> more = settings(command);
    boolean narrower = more.keySet().containsAll(plain.keySet());
    more.entrySet().removeAll(plain.entrySet());
    // What the main run sets otherwise is no control of it, but for a shorter list of HCAs.
    boolean meant = !more.isEmpty() && more.size() <= MOST_SETTINGS && Controls.variables().containsAll(more.keySet())
        && more.keySet().stream().allMatch(name -> !plain.containsKey(name) || name.equals("NCCL_IB_HCA") && more.get(name).length() < plain.get(name).length());
    boolean same = command.ranks().equals(main.ranks()) && command.hosts().equals(main.hosts());
    return narrower && meant && same
        ? new Experiment(Fact.UNKNOWN, command.run(), "control", more.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(" ")), main.run())
        : null;
  }

  private static Experiment step(NcclTestCommand command, NcclTestCommand main) {
    boolean part = main.hosts().containsAll(command.hosts()) && settings(command).equals(settings(main));
    return part ? new Experiment(Fact.UNKNOWN, command.run(), "step", "ranks=" + command.ranks(), main.run()) : null;
  }

  private static Map<String, String> settings(NcclTestCommand command) {
    Map<String, String> settings = new TreeMap<>(command.settings());
    settings.keySet().removeIf(name -> !name.startsWith("NCCL_") || name.startsWith("NCCL_DEBUG"));
    return settings;
  }

  /** Repeats of one thing are named alike but for their number. */
  private static String series(String run) {
    return run.replaceAll("\\d+", "0");
  }
}
