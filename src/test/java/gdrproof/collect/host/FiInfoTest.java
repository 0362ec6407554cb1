package gdrproof.collect.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.LibfabricDomain;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiInfoTest {
  private static final LibfabricDomain EFA = new LibfabricDomain("unknown", "unknown", "efa", "rdmap16s27-rdm", "120.0");
  private static final String SHORT = "provider: efa\n    fabric: efa\n    domain: rdmap16s27-rdm\n    version: 120.0\n    type: FI_EP_RDM\n    protocol: FI_PROTO_EFA\n";

  private static Ledger read(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("fi.txt", List.of(text.split("\n", -1)))) {
      new FiInfo().collect(section, new Sink(ledger));
    }
    return ledger;
  }

  private static boolean looked(Ledger ledger) {
    return ledger.all(Looked.class).stream().anyMatch(l -> l.kind().equals(Kind.LIBFABRIC));
  }

  @Test
  void theShortAndTheLongFormSayTheSame() {
    assertEquals(List.of(EFA), read("$ fi_info -p efa\n" + SHORT).all(LibfabricDomain.class));
    assertEquals(List.of(EFA), read("$ fi_info -v -p efa\n---\nfi_info:\n    caps: [ FI_MSG, FI_RMA, FI_HMEM ]\n    mode: [  ]\n    addr_format: FI_ADDR_EFA\n    fi_tx_attr:\n        caps: [ FI_MSG ]\n    fi_ep_attr:\n        type: FI_EP_RDM\n"
        + "        protocol: FI_PROTO_EFA\n    fi_domain_attr:\n        domain: 0x0\n        name: rdmap16s27-rdm\n        threading: FI_THREAD_SAFE\n    fi_fabric_attr:\n        name: efa\n        prov_name: efa\n        prov_version: 120.0\n        api_version: 1.20\n").all(LibfabricDomain.class));
  }

  @Test
  void onlyWhatWasNotFilteredIsWhole() {
    assertTrue(looked(read("$ fi_info\n" + SHORT)));
    assertTrue(!looked(read("$ fi_info -p efa\n" + SHORT)));
    assertTrue(!looked(read("$ fi_info | head\n" + SHORT)));
    assertTrue(!looked(read(SHORT)));
  }

  @Test
  void aListOfProvidersSaysNothingOfDevicesAndACutBlockIsUnread() {
    assertEquals(List.of(), read("$ fi_info -l\nefa:\n    version: 120.0\ntcp:\n    version: 120.0\n").facts().stream().toList());
    Ledger cut = read("$ fi_info\n" + SHORT + "provider: tcp\n    fabric: 10.0.0.0/24\n");
    assertEquals(List.of(EFA), cut.all(LibfabricDomain.class));
    assertTrue(cut.all(Unread.class).size() == 1 && !looked(cut));
  }
}
