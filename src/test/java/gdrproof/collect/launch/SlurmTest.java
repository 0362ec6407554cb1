package gdrproof.collect.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Launch.SlurmJob;
import gdrproof.facts.Ledger;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlurmTest {

  @Test
  void hostListsKeepTheirPadding() {
    assertEquals(List.of("a008", "a009", "a010", "b1-x", "c"), Slurm.hosts("a[008-010],b[1]-x,c"));
    assertEquals(List.of(), Slurm.hosts("a[1-"));
    assertEquals(List.of(), Slurm.hosts("a[3-1]"));
    assertEquals(List.of(), Slurm.hosts("unknown"));
  }

  @Test
  void severalGroupsOfNumbersCountLikeAnOdometer() {
    assertEquals(List.of("r01n08", "r01n09", "r02n08", "r02n09"), Slurm.hosts("r[01-02]n[08-09]"));
    assertEquals(List.of("x1c0n1", "x1c0n2", "x1c1n1", "x1c1n2", "x2c0n1", "x2c0n2", "x2c1n1", "x2c1n2"), Slurm.hosts("x[1-2]c[0-1]n[1,2]"));
    assertEquals(List.of("r1-a", "r2-a", "s1", "s3"), Slurm.hosts("r[1-2]-a,s[1,3]"));
    assertEquals(List.of(), Slurm.hosts("r[1-2]n[1-"));
    assertEquals(List.of(), Slurm.hosts("r[1-400000]"));
    assertEquals(List.of(), Slurm.hosts("a" + "[1]".repeat(5000)));
    assertEquals(9408, Slurm.hosts("frontier[00001-09408]").size());
  }

  private static Ledger read(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  @Test
  void variablesStandInEveryFormOfTheShell() {
    for (String form : List.of("%s=%s", "export %s=%s", "declare -x %s=\"%s\"", "declare -rx %s=\"%s\"", "typeset -x %s='%s'", "setenv %s %s")) {
      String text = form.formatted("SLURM_JOB_NODELIST", "h[1-2]") + "\n" + form.formatted("SLURM_NTASKS", "16") + "\n" + form.formatted("SLURM_PROCID", "3") + "\n";
      assertEquals(List.of("h[1-2] h1,h2 16 3"), read("a.txt", text).all(SlurmJob.class).stream().map(j -> j.nodeList() + " " + j.hosts() + " " + j.tasks() + " " + j.procId()).toList(), form);
    }
    assertEquals(List.of(), read("a.txt", "declare -- SLURM_JOB_NODELIST=\"h[1-2]\"\ndeclare -a SLURM_X=([0]=\"1\")\n").all(SlurmJob.class), "no variable of the environment");
  }

  @Test
  void limitsStandBehindTheirHosts() {
    for (String text : List.of("gb-01 unlimited\ngb-03 64\n", "gb-01: unlimited\ngb-03: 64\n", "0: gb-01 unlimited\r\n2: gb-03 64\r\n1: gb-02 unlimited\r\n")) {
      List<String> limits = read("memlock.txt", text).all(Limit.class).stream().map(l -> l.node() + " " + l.bytes()).toList();
      assertTrue(limits.contains("gb-03 65536") && limits.stream().anyMatch(l -> l.startsWith("gb-01 ") && !l.endsWith("65536")), text + limits);
    }
    assertEquals(List.of(), read("ulimit.txt", "descriptors 1024\nmaxproc 4096\n").all(Limit.class));
  }

  @Test
  void aSentenceMayBreakBeforeTheSignal() {
    String head = "prterun noticed that process rank 12 with PID 410233 on node h2 exited on";
    for (String text : List.of(head + "\nsignal 7 (Bus error).\n", head + " signal\n7 (Bus error).\n", head + " signal 7 (Bus error).\n")) {
      assertEquals(List.of("rank-signal 12 h2 7 Bus error"), read("a.txt", text).all(LaunchMessage.class).stream()
          .map(m -> m.id() + " " + m.field("rank") + " " + m.field("host") + " " + m.field("signal") + " " + m.field("name")).toList(), text);
    }
    assertEquals(List.of("rank-signal unknown"), read("a.txt", head + "\n----\nsignal 7\n").all(LaunchMessage.class).stream().map(m -> m.id() + " " + m.field("signal")).toList());
  }
}
