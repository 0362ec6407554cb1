package gdrproof.collect.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Ledger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A library that the loader does not list is absent only where its line would have been shown. */
class LibraryCacheTest {
  private static final String NVML = "\tlibnvidia-ml.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libnvidia-ml.so.1\n";
  private static final String CUDA = "\tlibcuda.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libcuda.so.1\n";

  private static List<String> listed(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("libs.txt", List.of(text.split("\n", -1)))) {
      new LibraryCache().collect(section, new Sink(ledger));
    }
    return ledger.all(HostMessage.class).stream().filter(m -> m.id().equals("library-cache")).map(m -> m.field("listed")).toList();
  }

  @Test
  void aListThatWouldShowTheLibraryProvesThatItIsNotThere() {
    assertEquals(List.of("no"), listed("$ ldconfig -p | grep -E 'libcuda|libnvidia-ml'\n" + NVML));
    assertEquals(List.of("no"), listed("$ ldconfig -p | grep cuda\n\tlibcudart.so.12 (libc6,x86-64) => /usr/local/cuda/lib64/libcudart.so.12\n"));
    assertEquals(List.of("no"), listed("$ kubectl exec w1 -- sh -c 'ldconfig -p | grep -E \"libcuda|libnvidia-ml\"'\n" + NVML));
    assertEquals(List.of("no"), listed("$ ldconfig -p\n412 libs found in cache `/etc/ld.so.cache'\n" + NVML));
    assertEquals(List.of("no"), listed("$ ldconfig -p 2>&1 | grep -E 'libnccl|libcuda\\.|libnvidia-ml'\n" + NVML));
  }

  @Test
  void aListThatHoldsItSaysSo() {
    assertEquals(List.of("yes"), listed("$ ldconfig -p | grep -E 'libcuda|libnvidia-ml'\n" + NVML + CUDA));
    assertEquals(List.of("yes"), listed("$ ldconfig -p | head -3\n" + CUDA));
  }

  @Test
  void aPartProvesNothing() {
    assertEquals(List.of(), listed("$ ldconfig -p | grep nvidia-ml\n" + NVML), "the filter keeps the line away");
    assertEquals(List.of(), listed("$ ldconfig -p | grep -v libcuda\n" + NVML));
    assertEquals(List.of(), listed("$ ldconfig -p | head -3\n" + NVML));
    assertEquals(List.of(), listed("$ ldconfig -p\n" + NVML), "the first line of a whole list gives its length");
    assertEquals(List.of(), listed("$ ldconfig -p | grep libcuda\nsh: ldconfig: not found\n"));
    assertEquals(List.of(), listed("$ ldd all_reduce_perf | grep libcuda\n" + NVML));
  }
}
