package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.StreamCollector.Source;
import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines that streams hand over are those that a reader line by line would find, wherever buffers and pieces end. */
class StreamsTest {
  private static final List<String> TEXTS = List.of("needle", "need", "edle x", "[send]", "ab\u00e9");
  private static final int PIECE = 64 << 10;

  /** Notes what it is given; wants the line behind each "[send]" too. */
  private static final class Notes implements StreamCollector {
    private final List<String> lines = new ArrayList<>();

    @Override
    public String tool() {
      return "notes";
    }

    @Override
    public List<String> literals() {
      return TEXTS;
    }

    @Override
    public LineReader open(Source source, Sink sink) {
      return new LineReader() {
        private boolean more;

        @Override
        public void line(Line line) {
          String text = new String(line.buffer(), line.from(), line.to() - line.from(), StandardCharsets.UTF_8);
          more = text.contains("[send]");
          lines.add(line.number() + " " + text);
        }

        @Override
        public boolean wantsNext() {
          return more;
        }

        @Override
        public void end() {}
      };
    }
  }

  private static List<String> expected(String text) {
    List<String> all = new ArrayList<>();
    boolean wanted = false;
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].endsWith("\r") ? lines[i].substring(0, lines[i].length() - 1) : lines[i];
      boolean hit = TEXTS.stream().anyMatch(line::contains);
      if (hit || wanted && (i < lines.length - 1 || !line.isEmpty())) {
        all.add(i + 1 + " " + line);
        wanted = line.contains("[send]");
      }
    }
    return all;
  }

  private static String text(Random random, int lines) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      int words = random.nextInt(random.nextInt(50) == 0 ? 4000 : 12);
      for (int w = 0; w < words; w++) {
        text.append(random.nextInt(40) == 0 ? TEXTS.get(random.nextInt(TEXTS.size())) : "nee abdle x".substring(random.nextInt(6))).append(random.nextBoolean() ? " " : "");
      }
      text.append(random.nextInt(9) == 0 ? "\r\n" : "\n");
    }
    if (random.nextBoolean()) {
      text.append("last needle");
    }
    return text.toString();
  }

  @Test
  void handsOverTheLinesThatAReaderLineByLineFinds() throws IOException {
    for (int seed = 0; seed < 24; seed++) {
      Random random = new Random(seed);
      // Up to some megabytes, so that blocks end inside lines.
      String text = text(random, seed < 20 ? random.nextInt(60) : 15_000);
      List<String> expected = expected(text);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (boolean memory : new boolean[] {true, false}) {
        Notes notes = new Notes();
        Streams streams = new Streams(List.of(notes));
        Source source = new Source("f", n -> "unknown");
        int count = memory ? streams.read(bytes, source, new Sink(new Ledger())) : streams.read(slow(bytes, random), source, new Sink(new Ledger()));
        assertEquals(expected, notes.lines, "seed " + seed + (memory ? " in memory" : " as a stream"));
        assertEquals(text.isEmpty() ? 0 : text.split("\n", -1).length - (text.endsWith("\n") ? 1 : 0), count);
      }
    }
  }

  /** A stream that gives a few bytes at a time, as a pipe does. */
  private static InputStream slow(byte[] bytes, Random random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] b, int off, int len) {
        return super.read(b, off, Math.min(len, 1 + random.nextInt(100_000)));
      }
    };
  }

  @Test
  void cutsLinesWithoutEndIntoPiecesOfOneNumber() throws IOException {
    String text = "first\n" + "x".repeat(3 << 20) + "needle" + "y".repeat(1 << 20) + "\nneedle at last\n";
    Notes notes = new Notes();
    int count = new Streams(List.of(notes)).read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), new Source("f", n -> "unknown"), new Sink(new Ledger()));
    assertEquals(3, count);
    assertTrue(notes.lines.stream().allMatch(l -> l.length() <= PIECE + 2), "no piece is longer than the limit");
    assertTrue(notes.lines.stream().anyMatch(l -> l.startsWith("2 ") && l.contains("needle")), "a text in the middle is found");
    assertEquals("3 needle at last", notes.lines.get(notes.lines.size() - 1));
  }

  private static Ledger facts(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("nccl.log", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  /** Queue pairs are remembered without their number; the last line that told of one stays evidence all the same. */
  @Test
  void tellsTheLastLineOfAQueuePair() {
    StringBuilder log = new StringBuilder();
    for (int i = 1; i <= 500; i++) {
      log.append("n1:100:160 [0] NCCL INFO NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn ").append(1000 + i).append(" mtu 5 LID ").append(i == 250 ? 18 : 17)
          .append(" subnet-prefix 18446744073709486080 FLID 0 fifoRkey=0x").append(Integer.toHexString(i)).append(" fifoLkey=0x1\n");
    }
    Ledger ledger = facts(log.toString());
    List<NcclMessage> pairs = ledger.all(NcclMessage.class).stream().filter(m -> m.id().equals("ib-lid")).toList();
    assertEquals(2, pairs.size(), "one statement for each LID");
    List<Evidence> places = List.copyOf(ledger.of(pairs.get(0)));
    assertEquals(List.of(1, 500), places.stream().map(Evidence::line).toList());
    assertTrue(places.get(1).excerpt().contains("qpn 1500"));
  }

  /** Only small files are redacted as a whole. */
  @Test
  void redactsLogsThatAreReadAsAStream() {
    String secret = "hf_abcdefghijklmnopqrstuvwx";
    String log = "n1:100:160 [0] NCCL INFO NCCL_TOKEN set by environment to " + secret + ".\n[1,0]<stderr>:\u001B[31mn1:101:161 [1] NCCL INFO NCCL_TOKEN set by environment to " + secret
        + ".\nn1:100:160 [0] NCCL INFO NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn 1 mtu 5 LID 17 subnet-prefix 1 FLID 0 " + secret + "\n" + "filler filler filler\n".repeat(250_000);
    assertTrue(log.length() > Streams.BLOCK_LIMIT);
    Ledger ledger = facts(log);
    assertTrue(ledger.all(NcclMessage.class).size() >= 3);
    ledger.forEach((fact, evidence) -> {
      assertFalse(fact.toString().contains(secret), fact.toString());
      evidence.forEach(e -> assertFalse(e.excerpt().contains(secret), e.excerpt()));
    });
  }
}
