package gdrproof.collect;

import gdrproof.facts.Bench.RdmaTestError;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuMode;
import gdrproof.facts.Gpu.SmiError;
import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.FabricCheck;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.policy.ExitStatuses;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The exit status of a tool that said why it cannot answer, by `policies/exit-status.yaml`. Where the recording states the status (`# gdrproof-probe ... exit=`), that is the
 * one that counts and nothing is worked out.
 */
final class Endings {
  private static final Pattern SSH = Pattern.compile("ssh-.*");

  private Endings() {}

  static void derive(Ledger ledger) {
    Set<String> stated = new HashSet<>();
    ledger.all(Ended.class).stream().filter(e -> e.basis().equals("printed")).forEach(e -> ledger.of(e).stream().filter(s -> s.line() == 1).forEach(s -> stated.add(s.file())));
    ledger.all(SmiError.class).forEach(e -> add(ledger, stated, e, "nvidia-smi", e.kind(), Map.of()));
    ledger.all(GpuMode.class).stream().filter(m -> m.value().equals("unsupported")).forEach(m -> add(ledger, stated, m, "nvidia-smi", m.name() + "-unsupported", Map.of()));
    ledger.all(RdmaToolError.class).forEach(e -> add(ledger, stated, e, e.tool(), e.error(), Map.of()));
    ledger.all(RdmaTestError.class).forEach(e -> add(ledger, stated, e, "perftest", e.error(), e.fields()));
    ledger.all(LaunchMessage.class).forEach(m -> add(ledger, stated, m, SSH.matcher(m.id()).matches() ? "ssh" : "mpirun", m.id(), m.fields()));
    ledger.all(FabricCheck.class).stream().filter(c -> c.stage().equals("ibqueryerrors") && c.errors().known())
        .forEach(c -> add(ledger, stated, c, "ibqueryerrors", c.errors().is(0) ? "answered" : "bad-nodes", Map.of()));
  }

  private static void add(Ledger ledger, Set<String> stated, Fact fact, String tool, String error, Map<String, String> fields) {
    for (ExitStatuses.Rule rule : ExitStatuses.all().of(tool, error)) {
      Num exit = rule.status(fields.getOrDefault(rule.field(), ""));
      for (Evidence source : exit.known() ? ledger.of(fact) : Set.<Evidence>of()) {
        if (!stated.contains(source.file()) && rule.when().matcher(source.excerpt()).find() && beside(ledger, rule.with(), source.file())) {
          ledger.add(new Ended(fact.node(), tool, error, exit, rule.printed() ? "printed" : "implied"), source);
        }
      }
    }
  }

  private static boolean beside(Ledger ledger, String with, String file) {
    return with.isEmpty() || ledger.all(LaunchMessage.class).stream().anyMatch(m -> m.id().startsWith(with) && ledger.of(m).stream().anyMatch(s -> s.file().equals(file)));
  }
}
