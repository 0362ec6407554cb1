package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.probe.Target.Boundary;
import gdrproof.probe.Target.Command;
import gdrproof.probe.Target.Outcome;
import gdrproof.probe.Target.Running;
import gdrproof.probe.Target.Status;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalTargetTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Outcome run(String shell, Duration limit, long bytes) throws Exception {
    try (LocalTarget target = new LocalTarget("here", Boundary.HOST)) {
      return target.start(new Command(shell, limit, bytes), out).await();
    }
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void outputAndExitStatusAreTheCommands() throws Exception {
    Outcome outcome = run("echo it\\'s \"fine\"; echo bad >&2; exit 3", Duration.ofSeconds(10), 1000);
    assertEquals(Status.DONE, outcome.status());
    assertEquals(3, outcome.exit());
    assertEquals("it's fine\nbad\n", text());
  }

  @Test
  void whatReadsStandardInputSeesItsEnd() throws Exception {
    assertEquals(0, run("cat; echo end", Duration.ofSeconds(10), 1000).exit());
    assertEquals("end\n", text());
  }

  @Test
  void outputBeyondTheLimitIsDroppedAndSaid() throws Exception {
    Outcome outcome = run("yes 0123456 | head -c 4000000", Duration.ofSeconds(20), 1000);
    assertTrue(outcome.cut());
    assertEquals(1000, out.size());
    assertEquals(0, outcome.exit());
  }

  @Test
  void aCommandIsStoppedAtItsLimitWithAllItsChildren() throws Exception {
    String tag = "4711" + System.nanoTime() % 100000;
    Outcome outcome = run("echo begun; (trap '' TERM; sleep " + tag + ") & sleep " + tag + "; echo never", Duration.ofMillis(700), 1000);
    assertEquals(Status.TIMED_OUT, outcome.status());
    assertEquals("begun\n", text());
    assertTrue(outcome.took().toSeconds() < 10);
    assertFalse(Leftovers.alive("sleep " + tag), "no child outlives its limit");
  }

  @Test
  void aChildThatHoldsThePipeOrLeavesTheSessionIsEndedToo() throws Exception {
    String tag = "4712" + System.nanoTime() % 100000;
    Outcome outcome = run("sleep " + tag + " & setsid sleep " + tag + " & echo done", Duration.ofSeconds(30), 1000);
    assertEquals(Status.DONE, outcome.status());
    assertEquals("done\n", text());
    assertTrue(outcome.took().toSeconds() < 15);
    assertFalse(Leftovers.alive("sleep " + tag));
  }

  @Test
  void stopIsIdempotentAndTheOutcomeSaysSo() throws Exception {
    String tag = "4713" + System.nanoTime() % 100000;
    try (LocalTarget target = new LocalTarget("here", Boundary.HOST)) {
      Running running = target.start(new Command("sleep " + tag, Duration.ofSeconds(60), 10), out);
      running.stop();
      running.stop();
      assertEquals(Status.STOPPED, running.await().status());
    }
    assertFalse(Leftovers.alive("sleep " + tag));
  }
}
