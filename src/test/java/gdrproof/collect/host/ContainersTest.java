package gdrproof.collect.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.ContainerRun;
import gdrproof.facts.Host.DeviceNode;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContainersTest {
  private static final Num NONE = Num.of(Double.POSITIVE_INFINITY);

  private static Ledger read(String file, String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split(file, List.of(text.split("\n", -1)))) {
      new Containers().collect(section, new Sink(ledger));
      new ComposeFiles().collect(section, new Sink(ledger));
    }
    return ledger;
  }

  private static List<ContainerRun> runs(String text) {
    return read("compose.yaml", text).all(ContainerRun.class);
  }

  @Test
  void aServiceOfAComposeFileIsStartedAsItSays() {
    assertEquals(List.of(new ContainerRun("unknown", "compose", "train:3", Tri.NO, Tri.YES, Num.of(64L << 30), NONE, Tri.YES, Tri.YES, Tri.YES)),
        runs("services:\n  train:\n    image: train:3\n    ipc: host\n    network_mode: host\n    shm_size: '64gb'\n    ulimits:\n      memlock: -1\n    cap_add:\n      - IPC_LOCK\n    devices:\n      - /dev/infiniband:/dev/infiniband\n"
            + "    deploy:\n      resources:\n        reservations:\n          devices:\n            - driver: nvidia\n              count: all\n              capabilities: [gpu]\n"));
    assertEquals(List.of(new ContainerRun("unknown", "compose", "train:3", Tri.NO, Tri.NO, Num.UNKNOWN, Num.of(65536), Tri.NO, Tri.NO, Tri.NO)),
        runs("name: job\nservices:\n  train:\n    image: train:3\n    runtime: nvidia\n    ulimits:\n      memlock:\n        soft: 65536\n        hard: 65536\n"));
    assertEquals(Tri.YES, runs("services:\n  t:\n    gpus: all\n    volumes:\n      - type: bind\n        source: /dev/infiniband\n        target: /dev/infiniband\n").get(0).infiniband());
    assertEquals(Tri.YES, runs("services:\n  t:\n    gpus: all\n    privileged: true\n").get(0).ipcLock());
  }

  @Test
  void whatAnotherFileOrVariableAddsIsUnknown() {
    assertEquals(Tri.UNKNOWN, runs("services:\n  t:\n    extends:\n      file: base.yaml\n      service: t\n    runtime: nvidia\n").get(0).infiniband());
    assertEquals(Tri.UNKNOWN, runs("services:\n  t:\n    runtime: nvidia\n    devices:\n      - ${RDMA_DEVICES}\n").get(0).infiniband());
  }

  @Test
  void servicesWithoutGpusAndOtherYamlAreNoContainersOfTheJob() {
    assertEquals(List.of(), runs("services:\n  metrics:\n    image: prom/node-exporter\n"));
    assertEquals(List.of(), runs("apiVersion: v1\nkind: X\nservices:\n  a:\n    runtime: nvidia\n"));
    assertTrue(read("compose.yaml", "services:\n  t:\n    runtime: nvidia\n   image: [x\n").all(Unread.class).stream().anyMatch(u -> u.reason().startsWith("compose file")));
  }

  @Test
  void variablesAndSingleNodesOfAServiceAreRead() {
    Ledger ledger = read("compose.yaml", "services:\n  t:\n    environment:\n      - NCCL_IB_HCA=mlx5_0\n      - NCCL_DEBUG=${LEVEL}\n      - HOME=/root\n    devices:\n      - /dev/infiniband/uverbs0:/dev/infiniband/uverbs0\n");
    assertEquals(List.of("NCCL_IB_HCA=mlx5_0"), ledger.all(EnvValue.class).stream().map(e -> e.name() + "=" + e.value()).toList());
    assertEquals(List.of("/dev/infiniband/uverbs0"), ledger.all(DeviceNode.class).stream().map(DeviceNode::path).toList());
  }

  @Test
  void everyContainerOfAnInspectIsRead() {
    String one = "    {\n        \"Id\": \"%s\",\n        \"HostConfig\": {\n            \"NetworkMode\": \"%s\",\n            \"CapAdd\": [\"CAP_IPC_LOCK\"],\n            \"Privileged\": false,\n            \"Ulimits\": [ { \"Name\": \"%s\", \"Hard\": -1, \"Soft\": %s } ],\n"
        + "            \"Devices\": %s,\n            \"ShmSize\": 67108864,\n            \"IpcMode\": \"private\"\n        }%s\n    }";
    String id = "0123456789abcdef".repeat(4);
    String devices = "[ { \"PathOnHost\": \"/dev/infiniband\", \"PathInContainer\": \"/dev/infiniband\" } ]";
    String text = "$ docker inspect a b\n[\n" + String.format(one, id, "host", "memlock", "-1", devices, "") + ",\n" + String.format(one, id.replace('0', 'f'), "bridge", "RLIMIT_MEMLOCK", "18446744073709551615", "[]", ",\n        \"OCIRuntime\": \"crun\"") + "\n]\n";
    assertEquals(List.of(new ContainerRun("unknown", "docker", "unknown", Tri.NO, Tri.NO, Num.of(64 << 20), NONE, Tri.YES, Tri.YES, Tri.YES),
        new ContainerRun("unknown", "podman", "unknown", Tri.NO, Tri.NO, Num.of(64 << 20), NONE, Tri.NO, Tri.YES, Tri.NO)), runs(text));
  }
}
