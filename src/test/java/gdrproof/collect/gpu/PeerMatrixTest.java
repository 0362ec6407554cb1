package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.Pipeline;
import gdrproof.facts.Gpu.PeerStatus;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The matrices of `topo -p2p` on a real node of two GPUs begin like those of `topo -m` and are no topology. */
class PeerMatrixTest {
  @Test
  void peerMatricesOfTwoGpusAreReadAsPeerStatusOnly() throws IOException {
    Ledger ledger = Pipeline.facts(Path.of("fixtures/corpus/h200-pair-healthy"));
    assertTrue(ledger.all(PeerStatus.class).stream().anyMatch(p -> p.status().equals("OK")));
    assertTrue(ledger.all(TopoLink.class).stream().allMatch(l -> l.path().equals("NV18")), () -> ledger.all(TopoLink.class).toString());
    assertEquals(0, ledger.all(Unread.class).stream().filter(u -> u.reason().contains("topology matrix")).count());
  }
}
