package gdrproof.collect.gpu;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.PeerControl;
import gdrproof.facts.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds control runs: the same program on the same GPUs hangs with peer copies and ends without them. Rules see one run at a time. */
public final class PeerControls {
  private static final String SWITCH = "NCCL_P2P_DISABLE";
  private static final String DEVICES = "CUDA_VISIBLE_DEVICES";

  private PeerControls() {}

  public static void derive(Ledger ledger) {
    List<NcclTestCommand> commands = ledger.all(NcclTestCommand.class);
    Set<String> ended = ledger.all(NcclTestRow.class).stream().map(NcclTestRow::run).collect(Collectors.toSet());
    for (NcclTestFailure failure : ledger.all(NcclTestFailure.class)) {
      boolean hung = failure.kind().equals("terminated") || failure.kind().equals("timeout");
      if (!hung || ended.contains(failure.run())) {
        continue;
      }
      for (NcclTestCommand bad : commands) {
        for (NcclTestCommand good : commands) {
          if (bad.run().equals(failure.run()) && ended.contains(good.run()) && control(bad, good)) {
            List<Evidence> evidence = new ArrayList<>(ledger.of(failure));
            evidence.addAll(ledger.of(bad));
            evidence.addAll(ledger.of(good));
            ledger.add(new PeerControl(bad.node(), bad.settings().getOrDefault(DEVICES, Fact.UNKNOWN), bad.run(), good.run()), evidence);
          }
        }
      }
    }
  }

  private static boolean control(NcclTestCommand bad, NcclTestCommand good) {
    return !bad.settings().getOrDefault(SWITCH, "0").equals("1") && good.settings().getOrDefault(SWITCH, "0").equals("1") && bad.node().equals(good.node())
        && bad.program().equals(good.program()) && bad.settings().getOrDefault(DEVICES, "").equals(good.settings().getOrDefault(DEVICES, ""))
        && bad.hosts().size() < 2;
  }
}
