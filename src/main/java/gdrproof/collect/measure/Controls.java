package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.ControlRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds, for a run that hung, the same command with one setting more that came to its end. */
final class Controls {
  private Controls() {}

  static void derive(Ledger ledger) {
    Map<String, NcclTestFailure> stopped = new HashMap<>();
    ledger.all(NcclTestFailure.class).stream().filter(f -> f.kind().equals("terminated") || f.kind().equals("timeout")).forEach(f -> stopped.put(f.run(), f));
    Map<String, NcclTestRow> rows = new HashMap<>();
    ledger.all(NcclTestRow.class).forEach(r -> rows.put(r.run(), r));
    List<NcclTestCommand> commands = ledger.all(NcclTestCommand.class);
    for (NcclTestCommand hung : commands) {
      if (!stopped.containsKey(hung.run()) || rows.containsKey(hung.run())) {
        continue;
      }
      for (NcclTestCommand control : commands) {
        Map<String, String> more = new TreeMap<>(control.settings());
        hung.settings().forEach(more::remove);
        boolean same = control.program().equals(hung.program()) && control.ranks().equals(hung.ranks()) && control.hosts().equals(hung.hosts())
            && control.settings().entrySet().containsAll(hung.settings().entrySet());
        if (same && more.size() == 1 && rows.containsKey(control.run()) && !stopped.containsKey(control.run())) {
          Map.Entry<String, String> setting = more.entrySet().iterator().next();
          List<Evidence> sources = new ArrayList<>(ledger.of(stopped.get(hung.run())));
          sources.addAll(ledger.of(rows.get(control.run())));
          ledger.add(new ControlRun(hung.node(), setting.getKey(), setting.getValue(), hung.run(), control.run()), sources);
        }
      }
    }
  }
}
