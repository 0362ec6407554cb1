package gdrproof.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongLinesTest {
  private static final String LONG = "a ".repeat(LongLines.LONGEST);

  @Test
  void documentsStayWhole() {
    for (String start : List.of("{\"kind\": \"Pod\", \"x\": \"", "[{\"a\": 1}, \"", "[ \"", "<node ", "  annotation: '{\"a\":", "- args: [\"", "    \"")) {
      String line = start + LONG;
      assertEquals(List.of(line), LongLines.cut(List.of(line)), start);
    }
  }

  @Test
  void otherLinesLoseTheirEnds() {
    for (String start : List.of("n1:100:160 [0] NCCL INFO ", "[1,0]<stdout>: ", "[rank0]: ", "model name : ", "[".repeat(40), "[ ".repeat(40) + "0", "{[".repeat(20))) {
      assertEquals(LongLines.LONGEST, LongLines.cut(List.of("short", start + LONG)).get(1).length(), start);
    }
  }

  @Test
  void whatIsNotReadIsSaid() {
    byte[] bytes = ("$ lsmod\nModule                  Size  Used by\nnvidia_peermem         16384  0\n" + LONG + "\n").getBytes(StandardCharsets.UTF_8);
    Ledger ledger = Collectors.read(List.of(new Entry("lsmod.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
    assertTrue(ledger.all(Unread.class).stream().anyMatch(u -> u.line() == 4 && u.reason().contains("longer than")), ledger.all(Unread.class).toString());
  }
}
