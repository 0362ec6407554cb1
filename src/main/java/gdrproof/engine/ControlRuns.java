package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Host.NcclSetting;
import gdrproof.facts.Measure.Ceiling;
import gdrproof.facts.Measure.Experiment;
import gdrproof.facts.Measure.NicUse;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.RunFact;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Leaves out what control runs say of themselves. A control (sockets only, GPUDirect RDMA off) differs from the run it belongs to on purpose: its
 * transport, its settings and its level are the experiment, no finding. What it shows beside its main run stands in facts that compare runs, and stays.
 */
final class ControlRuns {
  private ControlRuns() {}

  static Collection<? extends Fact> without(Collection<? extends Fact> facts) {
    Set<String> controls = new HashSet<>();
    for (Fact fact : facts) {
      if (fact instanceof Experiment experiment && experiment.kind().equals("control")) {
        controls.add(experiment.run());
      }
    }
    if (controls.isEmpty()) {
      return facts;
    }
    Set<String> owners = new HashSet<>(controls);
    for (Fact fact : facts) {
      if (fact instanceof NcclRank rank && controls.contains(rank.run())) {
        owners.add(rank.process());
      }
    }
    Map<String, String> misread = new HashMap<>();
    for (Fact fact : facts) {
      if (fact instanceof NcclSetting setting && !setting.scope().equals("nccl-log") && !setting.flaw().isEmpty() && !setting.readAs().isEmpty()) {
        misread.put(setting.name(), setting.readAs());
      }
    }
    List<Fact> rest = new ArrayList<>(facts.size());
    for (Fact fact : facts) {
      if (!of(fact, controls, owners) || of(fact, misread)) {
        rest.add(fact);
      }
    }
    return rest;
  }

  /** What a control says of a setting that was written so that NCCL reads another: then the experiment is not the one that was meant, which is a finding. */
  private static boolean of(Fact fact, Map<String, String> misread) {
    return fact instanceof EnvValue value && value.value().equals(misread.get(value.name())) || fact instanceof NcclSetting setting && misread.containsKey(setting.name()) && !setting.flaw().isEmpty()
        || fact instanceof NcclMessage message && message.id().equals("env-int") && message.field("value").equals(misread.get(message.field("name")));
  }

  private static boolean of(Fact fact, Set<String> controls, Set<String> owners) {
    return fact instanceof RunFact bound && controls.contains(bound.run())
        || fact instanceof RunSummary summary && controls.contains(summary.run())
        || fact instanceof Ceiling ceiling && controls.contains(ceiling.run())
        || fact instanceof NicUse use && controls.contains(use.run())
        || fact instanceof EnvValue value && owners.contains(value.owner())
        || fact instanceof NcclSetting setting && owners.contains(setting.owner());
  }
}
