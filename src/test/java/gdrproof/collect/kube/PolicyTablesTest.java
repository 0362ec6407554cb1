package gdrproof.collect.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Gate.ReadyState;
import gdrproof.facts.Operator.PolicyState;
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

  private static final String DESCRIBED = """
      Name:         nic-cluster-policy
      API Version:  mellanox.com/v1alpha1
      Kind:         NicClusterPolicy
      Status:
        Applied States:
          Name:   state-multus-cni
          State:  ready
          Name:   state-OFED
          State:  error
          Name:   state-NV-Peer
          State:  ignore
        State:    error
      Events:     <none>
      """;

  private static List<String> states(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("a.txt", bytes.length, () -> new ByteArrayInputStream(bytes)))).all(PolicyState.class).stream().map(p -> p.object() + " " + p.state() + " " + p.notReady()).toList();
  }

  @Test
  void descriptionsAndExcerptsTellTheState() {
    assertEquals(List.of("NicClusterPolicy/nic-cluster-policy error [state-OFED error]"), states(DESCRIBED));
    assertEquals(List.of("NicClusterPolicy nic-cluster-policy error"), read(DESCRIBED));
    String excerpt = "status:\n  appliedStates:\n  - name: state-OFED\n    state: notReady\n  - name: state-NV-Peer\n    state: ignore\n  state: notReady\n";
    assertEquals(List.of("NicClusterPolicy/unknown notReady [state-OFED notReady]"), states(excerpt));
    assertEquals(List.of("NicClusterPolicy/unknown notReady [state-OFED notReady]"), states(excerpt.replace("  - name", "    - name").replace("    state:", "      state:")));
    assertEquals(List.of("NicClusterPolicy/unknown ready []"), states("appliedStates:\n- name: state-OFED\n  state: ready\nstate: ready\n"));
  }

  @Test
  void aStatusThatIsCutTellsNoState() {
    assertEquals(List.of(), states(DESCRIBED.substring(0, DESCRIBED.indexOf("  State:    error"))));
    assertEquals(List.of(), states("status:\n  appliedStates:\n  - name: state-OFED\n    state: ready\n"));
    assertEquals(List.of(), states("status:\n  conditions:\n  - name: a\n    state: ready\n  state: ready\n"));
  }
}
