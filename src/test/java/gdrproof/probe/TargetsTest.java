package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import gdrproof.probe.SshTarget.Access;
import gdrproof.probe.Target.Command;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetsTest {
  @Test
  void listsStandForEachHost() {
    assertEquals(List.of("ssh:root@gpu01:2222", "ssh:root@gpu02:2222", "srun:n7"), Targets.expand(List.of("ssh:root@gpu[01-02]:2222", "srun:n7")));
  }

  @Test
  void aNodeMayHaveAnotherNameInTheEvidence() throws Exception {
    List<String> words = Targets.expand(List.of("vm-0=local", "vm-1=local"));
    assertEquals(List.of("vm-0=local", "vm-1=local"), words);
    try (Target target = Targets.open(words.get(1), Access.usual(List.of(), List.of()))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals(0, target.start(new Command("echo here", Duration.ofSeconds(10), 100), out).await().exit());
      assertEquals("here\n", out.toString());
      assertEquals("vm-1", target.node());
      assertEquals("vm-1 as this machine (" + LocalTarget.hostName() + ")", target.describe());
    }
  }

  @Test
  void oneNameStandsForOneNode() {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Targets.expand(List.of("a=gpu[01-02]")));
    assertEquals("a=gpu[01-02]: one name stands for one node, here are 2", e.getMessage());
  }
}
