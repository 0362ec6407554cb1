package gdrproof.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SectionsTest {
  private static List<String> told(String file, String... lines) {
    return Sections.split(file, List.of(lines)).stream().map(s -> s.node() + "|" + s.command() + "|" + s.line(0) + "|" + String.join("/", s.lines())).toList();
  }

  @Test
  void promptsTellHostAndCommand() {
    assertEquals(List.of("gpu-n1|ibstat|2|CA 'mlx5_0'", "gpu-n1|ulimit -l|4|unlimited"),
        told("t.txt", "root@gpu-n1:~# ibstat", "CA 'mlx5_0'", "[root@gpu-n1.example.org ~]# ulimit -l", "unlimited"));
  }

  @Test
  void recordedTerminalSessionsLoseTheirCodes() {
    assertEquals(List.of("gpu-n1|ibdev2netdev|3|mlx5_0 port 1 ==> ib0 (Up)", "gpu-n1|exit|5|"),
        told("typescript", "Script started on 2026-11-12 09:10:11+00:00 [TERM=\"xterm\"]", "\u001B[?2004hroot@gpu-n1:~# ibdev2netdev\r", "\u001B[?2004l\rmlx5_0 port 1 ==> ib0 (Up)\r",
            "\u001B[?2004hroot@gpu-n1:~# exit\r", "", "Script done on 2026-11-12 09:10:20+00:00").stream().limit(2).toList());
    assertEquals("2026-11-12 09:10:11+00:00", Sections.split("typescript", List.of("Script started on 2026-11-12 09:10:11+00:00 [TERM=\"xterm\"]", "$ ibstat", "CA")).get(0).time());
  }

  @Test
  void interleavedPrefixesAreTakenApartWithTheirLineNumbers() {
    List<Section> sections = Sections.split("topo.txt", List.of("gpu-n1: GPU0 X", "gpu-n2: GPU0 X", "gpu-n1: GPU1 PIX", "gpu-n2: GPU1 SYS"));
    assertEquals(List.of("gpu-n1", "gpu-n2"), sections.stream().map(Section::node).toList());
    assertEquals(List.of("GPU0 X", "GPU1 SYS"), sections.get(1).lines());
    assertEquals(4, sections.get(1).at(1).line());
    assertEquals("gpu-n2: GPU1 SYS", sections.get(1).at(1).excerpt());
  }

  @Test
  void whatLaunchersSayBesideTheAnswersIsNoAnswer() {
    assertEquals(List.of("h02|unknown|1|64", "h01|unknown|2|unlimited", "unknown|unknown|3|pdsh@login1: h04: mcmd: connect failed: No route to host"),
        told("x.txt", "h02: 64", "h01: unlimited", "pdsh@login1: h04: mcmd: connect failed: No route to host"));
    assertEquals(List.of("h02", "h01", "unknown"), nodes("h02: 64", "h01: unlimited", "clush: h[03-04] (2): exited with exit code 255"));
    assertEquals(List.of("h02", "h01", "unknown"), nodes("srun: error: h03: task 2: Exited with exit code 1", "h02: 64", "h01: unlimited"));
    assertEquals(List.of("h02", "h01", "unknown"), nodes("h02: 64", "ssh: connect to host h03 port 22: Connection refused", "h01: unlimited"));
  }

  @Test
  void nodesMayBeCalledAfterTheirGpus() {
    assertEquals(List.of("a100-11", "a100-13"), nodes("a100-11: unlimited", "a100-13: 8192"));
    assertEquals(List.of("dgx-h100-03", "dgx-h100-04"), nodes("dgx-h100-03: 64", "dgx-h100-04: 64"));
    assertEquals(List.of("gb200-r1n2", "gb200-r1n3"), nodes("gb200-r1n2: 64", "gb200-r1n3: 64"));
    assertEquals(List.of("gpu10", "gpu01"), nodes("gpu10: 64", "gpu01: 64"));
    assertEquals(List.of("unknown"), nodes("gpu0: 64", "gpu1: 64"));
    assertEquals(List.of("unknown"), nodes("H100: 64", "A100: 64"));
    assertEquals(List.of("gpu01", "gpu02", "gpu07"), nodes("---------------", "gpu[01-02] (2)", "---------------", "unlimited", "---------------", "gpu07", "---------------", "8192"));
    assertEquals(List.of("gpu07", "gpu01", "gpu02"), nodes("---------------", "gpu07", "---------------", "8192", "---------------", "gpu[01-02]", "---------------", "unlimited"));
  }

  @Test
  void numbersOfTasksStandBeforeTheirLines() {
    assertEquals(List.of("a100-11", "a100-12"), nodes("0: a100-11: unlimited", "1: a100-12: 8192"));
    assertEquals(List.of("h01|unknown|1|h01/unlimited", "h02|unknown|2|h02/64"), told("x.txt", "0: h01", "1: h02", "1: 64", "0: unlimited"));
    assertEquals(List.of("unknown|unknown|1|unlimited", "unknown|unknown|2|64"), told("x.txt", " 0: unlimited", " 1: 64"));
    assertEquals(List.of("unknown"), nodes("0: mlx5_0: node_type ca fw 28.39.1002", "1: mlx5_1: node_type ca fw 28.39.1002"));
    assertEquals(List.of("unknown"), nodes("1: lo    inet 127.0.0.1/8", "2: eth0    inet 10.0.0.1/24"));
  }

  @Test
  void whatOneTaskPrintedLosesItsNumber() {
    assertEquals(List.of("unknown|unknown|1|CA 'mlx5_2'/\tCA type: MT4129/\tPort 1:"), told("x.txt", "0: CA 'mlx5_2'", "0: \tCA type: MT4129", "0: \tPort 1:"));
    assertEquals(List.of("unknown|unknown|1|\tGPU0\tGPU1//Legend:"), told("x.txt", "3: \tGPU0\tGPU1\r", "3: \r", "3: Legend:\r"));
    assertEquals(List.of("h07|unknown|1|h07/CA 'mlx5_0'"), told("x.txt", "0: h07", "srun: error: h07: task 0: Exited with exit code 1", "0: CA 'mlx5_0'"));
    // Devices have numbers as well.
    for (List<String> lines : List.of(List.of("2: eth0    inet 10.0.0.1/24", "2: eth0    inet6 fe80::1/64"), List.of("0: mlx5_0: node_type ca fw 28.39.1002"), List.of("2: eth0: <UP> mtu 1500", "    link/ether 00:11"),
        List.of("09:14:55 start", "09:14:56 end"), List.of("0:  10  21"), List.of("  0:  10  21", "  1:  21  10"), List.of("7:from all", "7:lookup local"))) {
      assertEquals(List.of("unknown|unknown|1|" + String.join("/", lines)), told("x.txt", lines.toArray(String[]::new)));
    }
  }

  @Test
  void oneNodeMayAnswerInOneLine() {
    assertEquals(List.of("gpu-n1|unknown|1|sminfo: sm lid 1"), told("x.txt", "gpu-n1: sminfo: sm lid 1"));
    assertEquals(List.of("v100-07|unknown|2|MLNX_OFED_LINUX-4.9-7.1.0.0:"), told("x.txt", "ssh: connect to host v100-08 port 22: Connection refused", "v100-07: MLNX_OFED_LINUX-4.9-7.1.0.0:"));
    assertEquals(List.of("10.1.2.3|unknown|1|unlimited"), told("x.txt", "10.1.2.3: unlimited", ""));
    for (String line : List.of("sminfo: sm lid 1", "eth0: unlimited", "br0: 64", "mlx5_0: up", "gpu0: 64", "h100: 64", "gpu-n1:", "error1: no such device", "bond0: link up", "sda1: clean")) {
      assertEquals(List.of("unknown|unknown|1|" + line), told("x.txt", line));
    }
  }

  @Test
  void hostsStandBeforeTheirValuesBehindTheNumberOfTheTask() {
    assertEquals(List.of("gb-01|unknown|1|unlimited", "gb-03|unknown|2|64"), told("x.txt", "0: gb-01 unlimited\r", "1: gb-03 64\r"));
    assertEquals(List.of("unknown"), nodes("0: mlx5_0 64", "1: mlx5_1 64"));
  }

  @Test
  void answersBelowTheirCommandAreTakenApart() {
    assertEquals(List.of("gpu-n1|ofed_info -s|2|OFED-internal-24.10-1.1.4:"), told("x.txt", "$ pdsh -w gpu-n1 'ofed_info -s'", "gpu-n1: OFED-internal-24.10-1.1.4:"));
    assertEquals(List.of("h01|clush -w h[01-02] ulimit -l|2|64", "h02|clush -w h[01-02] ulimit -l|3|unlimited"), told("x.txt", "admin@head:~$ clush -w h[01-02] ulimit -l", "h01: 64", "h02: unlimited"));
    assertEquals(List.of("unknown|srun -l -N1 -n1 ofed_info -s|2|OFED-internal-24.10-1.1.4:"), told("x.txt", "$ srun -l -N1 -n1 ofed_info -s", "0: OFED-internal-24.10-1.1.4:"));
    assertEquals(List.of("unknown|srun -N1 ip rule|2|0: from all"), told("x.txt", "$ srun -N1 ip rule", "0: from all"));
  }

  @Test
  void recordingsOfOneCommandNameIt() {
    assertEquals(List.of("unknown|ibstatus|2|a"), told("x.txt", "Script started on 2026-03-03 09:14:55+00:00 [COMMAND=\"ibstatus\" TERM=\"xterm\" TTY=\"/dev/pts/3\"]", "a", "Script done on 2026-03-03 09:14:56+00:00 [COMMAND_EXIT_CODE=\"0\"]"));
    assertEquals(List.of("gpu-n1|ibstat|2|a"), told("x.txt", "Script started on 2026-03-03 09:14:55+00:00 [COMMAND=\"ssh gpu-n1 ibstat\"]", "a"));
    assertEquals(List.of("unknown|unknown|2|a"), told("x.txt", "Script started on 2026-03-03 09:14:55+00:00 [TERM=\"xterm\"]", "a"));
  }

  private static List<String> nodes(String... lines) {
    return Sections.split("x.txt", List.of(lines)).stream().map(Section::node).toList();
  }

  @Test
  void kubectlHasOtherNames() {
    for (String name : List.of("k", "kubectl", "kubecolor", "/usr/local/bin/kubectl", "microk8s kubectl", "sudo k3s kubectl", "kubectl-1.30")) {
      assertEquals("unknown|kubectl get nicclusterpolicy|2|ready", told("x.txt", "admin@jump1:~$ " + name + " get nicclusterpolicy", "ready").get(0));
      assertEquals("trainer-0|ulimit -l|2|64", told("x.txt", "admin@jump1:~$ " + name + " -n ml exec trainer-0 -- ulimit -l", "64").get(0));
    }
    assertEquals("jump1|k9s version|2|x", told("x.txt", "admin@jump1:~$ k9s version", "x").get(0));
  }

  @Test
  void theAnswerOfManyHostsIsTakenApartBelowItsCommandHoweverShort() {
    assertEquals(List.of("n7|cat /sys/class/net/rail1/address|2|b8:3f:d2:1a:44:0c", "n8|cat /sys/class/net/rail1/address|3|b8:3f:d2:1a:90:e8", "mgmt|ibstat|5|CA 'mlx5_0'"),
        told("t.txt", "root@mgmt:~# pdsh -w n[7-8] 'cat /sys/class/net/rail1/address'", "n7: b8:3f:d2:1a:44:0c", "n8: b8:3f:d2:1a:90:e8", "root@mgmt:~# ibstat", "CA 'mlx5_0'"));
    assertEquals(List.of("mgmt|cat hosts.txt|2|n7: old/n8: new"), told("t.txt", "root@mgmt:~# cat hosts.txt", "n7: old", "n8: new"), "only a command for many hosts is answered by them");
  }

  @Test
  void devicesAndRunsAreNoHosts() {
    assertEquals(List.of("unknown|unknown|1|mlx5_0: up/mlx5_1: up/mlx5_2: up"), told("x.txt", "mlx5_0: up", "mlx5_1: up", "mlx5_2: up"));
  }

  @Test
  void bannersTellNodesAndCommands() {
    assertEquals(List.of("gpu-n1|unknown|2|a", "gpu-n2|unknown|4|b"), told("x.txt", "===== gpu-n1 =====", "a", "===== gpu-n2 =====", "b"));
    assertEquals(List.of("gpu-n1|unknown|4|a", "gpu-n2|unknown|4|a"), told("x.txt", "---------------", "gpu-n[1-2] (2)", "---------------", "a"));
    assertEquals(List.of("unknown|ibstat|2|CA", "unknown|ulimit -l|4|64"), told("x.txt", "=== ibstat ===", "CA", "=== ulimit -l ===", "64"));
    assertEquals(List.of("unknown|unknown|1|==============NVSMI LOG==============/x"), told("x.txt", "==============NVSMI LOG==============", "x"));
  }

  @Test
  void remoteCommandsBelongToTheirTarget() {
    assertEquals(List.of("gpu-n7|ibstat|2|CA"), told("x.txt", "root@login1:~$ ssh gpu-n7 ibstat", "CA"));
    assertEquals(List.of("trainer-0|ulimit -l|2|64"), told("x.txt", "$ kubectl -n ml exec -it trainer-0 -c main -- ulimit -l", "64"));
    assertEquals(List.of("unknown|mpirun -np 2 x|2|out"), told("x.txt", "me@login1:~$ mpirun -np 2 x", "out"));
    assertEquals(List.of("unknown|for h in a1 b2; do echo $h; ssh $h ulimit -l; done|0|", "a1|for h in a1 b2; do echo $h; ssh $h ulimit -l; done|3|64", "b2|for h in a1 b2; do echo $h; ssh $h ulimit -l; done|5|unlimited"),
        Stream.concat(Stream.of("unknown|for h in a1 b2; do echo $h; ssh $h ulimit -l; done|0|"), told("x.txt", "me@login1:~$ for h in a1 b2; do echo $h; ssh $h ulimit -l; done", "a1", "64", "b2", "unlimited").stream().skip(1)).toList());
  }

  @Test
  void headsThatACommandPrintsForEachHostNameItsAnswers() {
    String echoed = "for p in web-a web-b; do echo \"== $p\"; kubectl -n ml exec $p -- show_gids; done";
    for (String mark : List.of("== ", "--- ", "### ", "# ", "** ", ">> pod ", "== pod/")) {
      assertEquals(List.of("unknown|" + echoed + "|2|", "web-a|" + echoed + "|3|mlx5_0", "web-b|" + echoed + "|5|n_gids_found=0"),
          whole("$ " + echoed, mark + "web-a", "mlx5_0", mark + "web-b", "n_gids_found=0"), mark);
    }
    assertEquals(List.of("web-a", "web-b"), named("$ " + echoed, "[web-a]", "x", "[web-b] 10:00:00", "y"));
    String read = "while read h; do echo \"== $h\"; ssh -o BatchMode=yes root@$h ibstat; done < hosts";
    assertEquals(List.of("gpu-n1", "gpu-n2"), named("$ " + read, "== gpu-n1", "x", "== gpu-n2", "y"));
  }

  @Test
  void readingsOfAParallelShellHaveTheTimeOfTheirHead() {
    String asked = "for t in 1 2; do pdsh -N -w ra,rb \"hostname; date +%T; ethtool -S rail0\"; sleep 60; done";
    assertEquals(List.of("ra 02:10:00", "rb 02:10:00", "ra 02:11:00"), Sections.split("x.txt", List.of("$ " + asked, "=== ra rail0 02:10:00", "x", "=== rb rail0 02:10:00", "y", "=== ra rail0 02:11:00", "z"))
        .stream().skip(1).map(s -> s.node() + " " + s.time()).toList());
    assertEquals(List.of("ra", "rb"), named("$ pdsh -N -w ra,rb 'hostname; ibstat'", "ra", "x", "rb", "y"));
  }

  @Test
  void marksBeforeWhatNoCommandListsAsAHostAreNoHeads() {
    assertEquals(List.of(), named("$ for d in mlx_a mlx_b; do echo \"== $d\"; ssh login show_gids -d $d; done", "== mlx_a", "x", "== mlx_b", "y"), "a device is an argument behind the host");
    assertEquals(List.of(), named("$ for p in web-a web-b; do echo \"== $p\"; kubectl exec $p -- ps; done", "== init", "x", "  - web-a", "== web", "y"), "other words");
    assertEquals(List.of(), named("$ cat notes.txt", "== web-a", "x"), "no loop");
  }

  private static List<String> whole(String... lines) {
    return Sections.split("x.txt", List.of(lines)).stream().map(s -> s.node() + "|" + s.command() + "|" + (s.lines().isEmpty() ? s.firstLine() : s.line(0)) + "|" + String.join("/", s.lines())).toList();
  }

  private static List<String> named(String... lines) {
    return Sections.split("x.txt", List.of(lines)).stream().map(Section::node).filter(n -> !n.equals("unknown")).toList();
  }

  @Test
  void commentsOfBenchmarksAreNoPrompts() {
    assertEquals(1, told("x.txt", "# nThread 1 nGpus 1", "# Using devices", "#  Rank  0 Group  0 Pid 1 on n1 device 0", "> text").size());
  }

  @Test
  void copiedSysTreesReadLikeGrep() {
    assertEquals(List.of("unknown|unknown|1|/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE"), told("n/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE"));
  }

  @Test
  void pathsOfKnownLayoutsTellTheNode() {
    var nodes = NodeNames.of(List.of("sosreport-gpu-n1-0123456-2026-11-02-abcdefg/sos_commands/infiniband/ibstat", "mg/nodes/worker3/lspci", "gpu7/ibstat.txt", "gpu7/x.txt",
        "hgx1/ibstat.txt", "hgx2/ibstat.txt", "run1/nccl.log", "run2/nccl.log", "topo-node4.txt", "topo-node5.txt", "all_reduce-rank0.txt", "all_reduce-rank1.txt"));
    assertEquals("gpu-n1", nodes.get("sosreport-gpu-n1-0123456-2026-11-02-abcdefg/sos_commands/infiniband/ibstat"));
    assertEquals("worker3", nodes.get("mg/nodes/worker3/lspci"));
    assertEquals("hgx1", nodes.get("hgx1/ibstat.txt"));
    assertEquals("node5", nodes.get("topo-node5.txt"));
    assertEquals(6, nodes.size(), nodes::toString);
  }

  @Test
  void theNodeOfThePathHoldsWhereTheTextNamesNone() {
    Entry entry = new Entry("hgx1/ibstat.txt", 3, InputStream::nullInputStream, "hgx1");
    assertEquals("hgx1", Sections.split(entry, List.of("CA")).get(0).node());
    assertEquals("other", Sections.split(entry, List.of("root@other:~# ibstat", "CA")).get(0).node());
  }

  /** Chart values explain their keys in comments: "# env, ..." is no prompt, and what follows is not another output. */
  @Test
  void commentsOfValuesAreNoPrompts() {
    List<String> values = List.of("ofedDriver:", "  deploy: false", "  # env, if defined will pass variables to the container", "  # env:", "  #   - name: X", "  version: 1",
        "# time between two tries", "retry: 3");
    for (String name : List.of("values.yaml", "values.yml")) {
      List<Section> sections = Sections.split(name, values);
      assertEquals(1, sections.size());
      assertEquals(values, sections.get(0).lines());
    }
    assertEquals(2, Sections.split("objects.yaml", List.of("# kubectl get nicclusterpolicy -o yaml", "kind: NicClusterPolicy", "# kubectl get pods -o yaml", "kind: List")).size());
  }
}
