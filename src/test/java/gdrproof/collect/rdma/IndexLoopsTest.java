package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Net.TcpProbe;
import gdrproof.facts.Rdma.Pkey;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables that a loop of the shell prints entry by entry. */
class IndexLoopsTest {
  private static final String DIR = "/sys/class/infiniband/mlx5_ib0/ports/1/pkeys";

  private static List<String> keys(String command, String output) {
    byte[] bytes = ("[root@n1 ~]# " + command + "\n" + output).getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("x.txt", bytes.length, () -> new ByteArrayInputStream(bytes)))).all(Pkey.class).stream().map(p -> p.node() + " " + p.hca() + " " + p.index() + " " + p.pkey()).toList();
  }

  @Test
  void rowsOfIndexAndValueAreEntriesOfTheTable() {
    List<String> both = List.of("n1 mlx5_ib0 0 0x7fff", "n1 mlx5_ib0 1 0x800b");
    assertEquals(both, keys("for i in 0 1 2; do echo \"$i $(cat " + DIR + "/$i)\"; done", "0 0x7fff\n1 0x800b\n2 0x0000\n"));
    assertEquals(both, keys("for i in {0..1}; do echo \"pkey[$i] = $(cat " + DIR + "/${i})\"; done", "pkey[0] = 0x7fff\npkey[1] = 0x800b\n"));
    assertEquals(both, keys("cd " + DIR + "; grep . *", "0:0x7fff\n1:0x800b\n"));
  }

  @Test
  void bareValuesTakeTheIndicesOfTheLoop() {
    List<String> both = List.of("n1 mlx5_ib0 0 0x7fff", "n1 mlx5_ib0 1 0x800b");
    assertEquals(both, keys("for i in 0 1; do cat " + DIR + "/$i; done", "0x7fff\n0x800b\n"));
    assertEquals(both, keys("for i in $(seq 0 1); do cat " + DIR + "/$i; done", "0x7fff\n0x800b\n"));
    assertEquals(List.of(), keys("for i in 0 1 2; do cat " + DIR + "/$i; done", "0x7fff\n0x800b\n"), "one row is missing, and nothing tells which");
  }

  @Test
  void rowsOfTwoTablesOrOfNoneAreNoEntries() {
    String other = DIR.replace("mlx5_ib0", "mlx5_ib1");
    assertEquals(List.of(), keys("for i in 0 1; do cat " + DIR + "/$i " + other + "/$i; done", "0 0x7fff\n1 0x800b\n"));
    assertEquals(List.of(), keys("for i in 0 1; do echo $i; done; ls " + DIR, "0 0x7fff\n1 0x800b\n"));
  }

  @Test
  void aConnectionThatIsNotAnsweredInItsTimeIsATimeout() {
    byte[] bytes = ("[root@n1 ~]# nc -vz -w3 10.0.0.9 29500\nConnection to 10.0.0.9 29500 port [tcp/*] succeeded!\n[root@n1 ~]# nc -vz -w3 10.0.0.9 39263\n"
        + "nc: connect to 10.0.0.9 port 39263 (tcp) timed out: Operation now in progress\n[root@n1 ~]# nc -vz 10.0.0.9 22\nnc: connect to 10.0.0.9 port 22 (tcp) failed: Connection refused\n")
        .getBytes(StandardCharsets.UTF_8);
    assertEquals(List.of("open", "timeout", "refused"),
        Collectors.read(List.of(new Entry("x.txt", bytes.length, () -> new ByteArrayInputStream(bytes)))).all(TcpProbe.class).stream().map(TcpProbe::result).toList());
  }
}
