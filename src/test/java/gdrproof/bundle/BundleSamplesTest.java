package gdrproof.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.collect.SampleKeys;
import gdrproof.collect.Samples;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The damaged, recorded and re-encoded files of the samples. */
class BundleSamplesTest {
  private static final class Keys extends SampleKeys {
    @Override
    protected void translate(String tool, Ledger ledger) {
      if (!ledger.all(Unread.class).isEmpty() && ledger.size() == ledger.all(Unread.class).size()) {
        put("parse", "reject");
      }
    }
  }

  @Test
  void damagedFilesGiveNoFacts() throws IOException {
    List<Samples.Row> rows = Samples.check(Set.of("bundles"), new Keys()).stream().filter(r -> r.key().equals("parse")).toList();
    assertEquals(List.of(), rows.stream().filter(r -> !r.right()).toList());
  }
}
