package gdrproof.collect.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Gate.ReadyState;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state of an operator's policy in a table of kubectl. */
class PolicyTablesTest {
  private static List<String> read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("a.txt", bytes.length, () -> new ByteArrayInputStream(bytes)))).all(ReadyState.class).stream().map(r -> r.kind() + " " + r.name() + " " + r.state()).toList();
  }

  @Test
  void tablesTellTheState() {
    List<String> ready = List.of("NicClusterPolicy nic-cluster-policy ready");
    assertEquals(ready, read("NAME                 STATUS   AGE\nnic-cluster-policy   ready    2d4h\n"));
    assertEquals(ready, read("me@jump1:~$ k get nicclusterpolicy\nNAME                 STATUS   AGE\nnic-cluster-policy   ready    2d4h\n"));
    assertEquals(ready, read("$ oc get nicclusterpolicies.mellanox.com,nodes\nNAME                                             STATUS   AGE\nnicclusterpolicy.mellanox.com/nic-cluster-policy   ready    2024-05-01T10:00:00Z\n"));
    assertEquals(List.of("NicClusterPolicy nic-cluster-policy notReady"), read("NAME                 STATUS     AGE\nnic-cluster-policy   notReady   3m\n"));
    assertEquals(List.of("ClusterPolicy cluster-policy ready"), read("$ kubectl get clusterpolicy\nNAME             STATUS   AGE\ncluster-policy   ready    2024-05-01T10:00:00Z\n"));
    assertEquals(List.of("NicNodePolicy pool-a ready"), read("$ kubectl get nicnodepolicy -n nvidia\nNAME     STATUS   AGE\npool-a   ready    5d\n"));
  }

  @Test
  void otherObjectsHaveAStatusToo() {
    assertEquals(List.of(), read("NAME      STATUS   AGE\ndefault   Active   2d4h\n"));
    assertEquals(List.of(), read("$ kubectl get nicclusterpolicy\nNAME                 AGE\nnic-cluster-policy   2d4h\n"));
    assertEquals(List.of(), read("NAME             STATUS   AGE\ncluster-policy   ready    1d\n"), "several kinds have this name");
  }
}
