package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Meta.Unread;
import gdrproof.policy.ExitStatuses;
import gdrproof.policy.Policies;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The exit status that a text tells, and what must not be taken for one. */
class EndingsTest {
  private static List<String> read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Ledger ledger = Collectors.read(List.of(new Bundle.Entry("a.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
    return ledger.all(Ended.class).stream().map(e -> e.tool() + " " + e.error() + " " + e.exit() + " " + e.basis()).toList();
  }

  @Test
  void theShellTellsWhatItCouldNotStart() {
    assertEquals(List.of("ibstat command-not-found 127 implied"), read("bash: line 1: ibstat: command not found\n"));
    assertEquals(List.of("ibstat command-not-found 127 implied"), read("-bash: ibstat: command not found\n"));
    assertEquals(List.of("perfquery command-not-found 127 implied"), read("sh: 1: perfquery: not found\n"));
    assertEquals(List.of("mlxlink command-not-found 127 implied"), read("zsh: command not found: mlxlink\n"));
    assertEquals(List.of("ib_write_bw command-not-found 127 implied"), read("timeout: failed to run command ‘ib_write_bw’: No such file or directory\n"));
    assertEquals(List.of("run.sh not-executable 126 implied"), read("sh: 1: /opt/run.sh: Permission denied\n"));
  }

  @Test
  void whatIsNotFoundOtherwiseIsNoCommand() {
    assertEquals(List.of(), read("libibverbs: mlx5_9: not found\nE0101 12:00 module foo: not found in cache\nsudo: ibstat: command not found in plan\n"));
    assertEquals(List.of(), read("note: run `bash -c ibstat`; if it says command not found, install infiniband-diags\n"));
  }

  @Test
  void anEndIsNoEvidenceAndTheReasonWhyThereIsNone() {
    byte[] bytes = "bash: line 1: ibstat: command not found\n".getBytes(StandardCharsets.UTF_8);
    Ledger ledger = Collectors.read(List.of(new Bundle.Entry("ibstat.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
    assertEquals(List.of("ibstat gave no answer: command-not-found (exit status 127)"), ledger.all(Unread.class).stream().map(Unread::reason).toList());
    assertTrue(ledger.facts().stream().noneMatch(Meta::tells));
  }

  @Test
  void everyErrorOfInfinibandDiagsEndsAlike() {
    assertEquals(List.of("sminfo query 255 implied"), read("ibwarn: [22368] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0)\nsminfo: iberror: failed: query\n"));
    assertEquals(List.of("ibtracert Failed to open '(null)' port '0' 255 implied"), read("ibtracert: iberror: failed: Failed to open '(null)' port '0'\n"));
    assertEquals(List.of("iblinkinfo open-port 1 implied"), read("Failed to open (null) port 0\n"));
    assertEquals(List.of("ibstat device-not-found 255 implied"), read("ibpanic: [872] main: 'mlx5_9' IB device can't be found: Success\n"));
    assertEquals(List.of("ibstatus device-not-found 255 implied"), read("Fatal error:  device 'mlx5_0': sys files not found (/sys/class/infiniband/mlx5_0/ports)\n"));
    assertEquals(List.of("ibv_devinfo device-not-found 255 implied"), read("IB device 'mlx5_9' wasn't found\n"));
  }

  @Test
  void ibqueryerrorsTellsBadPortsByItsStatus() {
    assertEquals(List.of("ibqueryerrors answered 0 implied"), read("\n## Summary: 7 nodes checked, 0 bad nodes found\n"));
    assertEquals(List.of("ibqueryerrors bad-nodes 1 implied"), read("\n## Summary: 25 nodes checked, 2 bad nodes found\n"));
  }

  @Test
  void nvidiaSmiHasANumberForEachError() {
    assertEquals(List.of("nvidia-smi gpu-not-found 6 implied"), read("No devices were found\n"));
    assertEquals(List.of("nvidia-smi c2c-unsupported 3 implied"), read("No Devices support C2C.\n"));
    assertEquals(List.of("nvidia-smi unknown-field 2 implied"), read("Field \"nope\" is not a valid field to query.\n"));
    assertEquals(List.of("nvidia-smi no-driver 9 implied"),
        read("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"));
    assertEquals(List.of("nvidia-smi driver-library-mismatch 18 implied"), read("Failed to initialize NVML: Driver/library version mismatch\n"));
    assertEquals(List.of(), read("Failed to initialize NVML: GPU access blocked by the operating system\n"), "no status is known of it");
  }

  @Test
  void aSignalIsCountedFrom128AndAPrintedStatusCounts() {
    assertEquals(List.of("mpirun rank-signal 137 implied"), read("mpirun noticed that process rank 0 with PID 0 on node n1 exited on signal 9 (Killed).\n"));
    assertEquals(List.of("mpirun rank-exit 3 printed"), read("--------\nmpirun detected that one or more processes exited with non-zero status, thus causing\n"
        + "the job to be terminated. The first process to do so was:\n\n  Process name: [[21135,1],0]\n  Exit code:    3\n--------\n"));
    assertEquals(List.of("unknown exit-code 137 printed"), read("command terminated with exit code 137\n"));
  }

  @Test
  void mpirunWithoutDaemonsEndsAsTheirSshDid() {
    String box = "ORTE was unable to reliably start one or more daemons.\n";
    assertEquals(List.of("ssh ssh-connect 255 implied", "mpirun daemon-launch 255 implied"), read("ssh: connect to host n2 port 22: Connection refused\n" + box));
    assertEquals(List.of(), read(box), "another way of starting them has other statuses");
  }

  @Test
  void anEmptyAnswerIsOneWhereTheToolSaysItsErrors() {
    assertEquals(List.of("ibstat answered 0 implied"), read("$ ibstat\n$ uptime\n 10:00 up 3 days\n"));
    assertEquals(List.of("nvidia-smi answered 0 implied"), read("$ nvidia-smi nvlink -s\n$ uptime\n 10:00 up 3 days\n"));
    assertEquals(List.of(), read("$ ibstat | grep State\n$ uptime\n 10:00 up 3 days\n"));
  }

  @Test
  void aRecordedStatusCountsBeforeAnImpliedOne() {
    String header = "# gdrproof-probe v=1 probe=ibstatus host=n1 boundary=host time=2026-11-29T17:00:00Z exit=1 seconds=0.10 status=failed command=ibstatus\n";
    assertEquals(List.of("ibstatus unknown 1 printed"), read(header + "Fatal error:  No devices\n"));
  }

  @Test
  void everyEntryHasAStatusSourceAndReason() {
    Map<String, Object> policy = Policies.read("exit-status.yaml");
    Policies.map(policy.get("errors")).forEach((tool, errors) -> Policies.map(errors).forEach((error, entry) -> check(tool + " " + error, Policies.map(entry))));
    Policies.map(policy.get("messages")).forEach((name, entry) -> check(name, Policies.map(entry)));
    ExitStatuses.all().lines().forEach(l -> assertTrue(l.exit().known() || l.pattern().pattern().contains("(?<exit>"), l::toString));
  }

  private static void check(String name, Map<String, Object> entry) {
    assertTrue(entry.containsKey("source") && entry.containsKey("reason"), name);
    assertTrue(entry.containsKey("exit") || entry.containsKey("field") || String.valueOf(entry.get("pattern")).contains("(?<exit>"), name);
  }
}
