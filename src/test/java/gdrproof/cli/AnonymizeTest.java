package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `anonymize`: nothing that names a site is left, relations and layout stay, and nothing is written that is not proved. */
class AnonymizeTest {
  private static final List<String> ORIGINALS = List.of("gpu-node-07", "gpu-node-08", "gpu-node-[", "alice", "10.12.", "c0:ff:aa", "c0ffee", "c0:ff:ee", "00c0:ffee", "fec0:ffaa", "0a0c:2207", "7220C0A", "example-lab",
      "5df3a1c2", "MT2143X09876", "secretllm", "255:255:10:12");
  private static final String NET = """
      [alice@gpu-node-07 ~]$ ip addr
      2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
          link/ether 50:6b:4b:c0:ff:aa brd ff:ff:ff:ff:ff:ff
          inet 10.12.34.7/22 brd 10.12.35.255 scope global eth0
          inet6 fe80::526b:4bff:fec0:ffaa/64 scope link
      4: ib0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 2044 qdisc mq state UP group default qlen 256
          link/infiniband 00:00:10:29:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:c0:ff:ee brd 00:ff:ff:ff:ff:12:40:1b:ff:ff:00:00:00:00:00:00:ff:ff:ff:ff
      [alice@gpu-node-07 ~]$ show_gids
      DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV
      ---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---
      mlx5_1\t1\t3\t0000:0000:0000:0000:0000:ffff:0a0c:2207\t10.12.34.7  \tv2\teth0
      [alice@gpu-node-07 ~]$ cat /sys/class/infiniband/mlx5_0/node_guid
      506b:4b03:00c0:ffee
      [alice@gpu-node-07 ~]$ hostname -f
      gpu-node-07.hpc.example-lab.org
      Serial Number: MT2143X09876
       GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:12:34:07
      """;
  private static final String LOG = """
      SLURM_JOB_NODELIST=gpu-node-[07-08]
      SLURM_JOB_NAME=secretllm-pre
      MASTER_ADDR=gpu-node-07.hpc.example-lab.org
      gpu-node-07:1234:1250 [0] NCCL INFO NCCL version 2.21.5+cuda12.4
      gpu-node-07:1234:1250 [0] NCCL INFO Bootstrap : Using eth0:10.12.34.7<0>
      gpu-node-08:1234:1250 [1] NCCL INFO Bootstrap : Using eth0:10.12.34.8<0>
      gpu-node-07:1234:1250 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:fe80::526b:4bff:fec0:ffaa%eth0<0>
      gpu-node-07:1234:1250 [0] NCCL INFO NET/IB: IbDev 0 Port 1 qpn 12 mtu 5 query_ece={supported=0} GID 3 (0/7220C0AFFFF0000) fifoRkey=0x1
      gpu-node-07:1234:1250 [0] NCCL INFO job secretllm-pre in /home/alice/proj/train.py
      gpu-node-07:1234:1250 [0] misc/socket.cc:50 NCCL WARN socketStartConnect: Connect to 10.12.34.8<47001> failed : No route to host
      GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-5df3a1c2-1b2c-3d4e-5f60-718293a4b5c6)
      """;

  @TempDir
  private Path temp;

  private Path bundle() throws IOException {
    Path node = Files.createDirectories(temp.resolve("in/nodes/gpu-node-07"));
    Files.writeString(node.resolve("net.txt"), NET);
    Files.writeString(node.resolve("run-alice.log"), LOG);
    return temp.resolve("in");
  }

  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }

  @Test
  void nothingThatNamesTheSiteIsLeft() throws IOException {
    Called run = Called.run("anonymize", bundle().toString(), temp.resolve("out").toString());
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("the diagnosis is the same"), run.out());
    Map<String, String> files = files(temp.resolve("out"));
    assertEquals(2, files.size());
    files.forEach((name, text) -> ORIGINALS.forEach(original -> assertFalse((name + "\n" + text).contains(original), original + " in " + name + "\n" + text)));
  }

  @Test
  void relationsLinesAndDevicesStay() throws IOException {
    Called.run("anonymize", bundle().toString(), temp.resolve("out").toString(), "--map", temp.resolve("map.json").toString());
    Map<String, String> files = files(temp.resolve("out"));
    String net = files.entrySet().stream().filter(e -> e.getKey().endsWith("net.txt")).findFirst().orElseThrow().getValue();
    String log = files.entrySet().stream().filter(e -> e.getKey().endsWith(".log")).findFirst().orElseThrow().getValue();
    assertEquals(NET.lines().count(), net.lines().count());
    assertEquals(LOG.lines().count(), log.lines().count());
    List<String> lines = net.lines().toList();
    String mac = lines.get(2).replaceAll(".*link/ether 50:6b:4b:(\\S+) .*", "$1");
    assertTrue(lines.get(4).contains("fe80::526b:4bff:fe" + mac.substring(0, 2) + ":" + mac.substring(3, 5) + "aa/64"), net);
    String guid = lines.get(12);
    assertTrue(guid.matches("506b:4b03:00[0-9a-f]{2}:[0-9a-f]{2}ee"), guid);
    assertTrue(lines.get(6).contains(guid.replaceAll("(..)(?=[0-9a-f])", "$1:").replace("::", ":")), net);
    String address = lines.get(3).replaceAll(".*inet (\\S+)/22 .*", "$1");
    assertTrue(address.endsWith(".34.7") && lines.get(3).contains(address.replace(".34.7", ".35.255")), net);
    String[] octets = address.split("\\.");
    String mapped = String.format("%02x%02x:%02x%02x", Integer.parseInt(octets[0]), Integer.parseInt(octets[1]), 34, 7);
    assertTrue(lines.get(10).contains("0000:ffff:" + mapped) && lines.get(10).contains(address), net);
    assertTrue(net.contains(":255:255:10:" + String.format("%02d", Integer.parseInt(octets[1])) + ":34:07"), net);
    assertTrue(log.contains("eth0:" + address + "<0>") && log.contains("[0]mlx5_0:1/IB"), log);
    String host = log.lines().toList().get(3).replaceFirst(":.*", "");
    assertTrue(host.endsWith("-07") && host.length() == "gpu-node-07".length() && log.startsWith("SLURM_JOB_NODELIST=" + host.replace("-07", "-[07-08]")), log);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve("map.json"))));
    assertTrue(Files.readString(temp.resolve("map.json")).contains("\"gpu-node-07\" : \"" + host + "\""));
  }

  @Test
  void anArchiveHasNoOwnerAndNoTime() throws IOException {
    Path archive = temp.resolve("out.tar.gz");
    Called run = Called.run("anonymize", bundle().toString(), archive.toString());
    assertEquals(0, run.code(), run.err());
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(Files.newInputStream(archive)))) {
      int count = 0;
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        assertEquals("", entry.getUserName());
        assertEquals(0L, entry.getLastModifiedTime().toMillis());
        assertFalse(entry.getName().contains("gpu-node") || entry.getName().contains("alice"), entry.getName());
        assertFalse(new String(tar.readAllBytes(), StandardCharsets.UTF_8).contains("gpu-node"));
        count++;
      }
      assertEquals(2, count);
    }
    assertEquals(0, Called.run("anonymize", archive.toString(), temp.resolve("again").toString()).code(), "an archive is read as well");
    try (Stream<Path> all = Files.list(temp)) {
      assertEquals(List.of(), all.filter(p -> p.getFileName().toString().startsWith(".gdrproof")).toList(), "nothing half-done stays");
    }
  }

  @Test
  void whatIsNotTextIsLeftOutAndNamed() throws IOException {
    Path in = bundle();
    Files.write(in.resolve("core.bin"), new byte[] {0, 1, 2, 3, 0, 'g', 'p', 'u', 0});
    Called run = Called.run("anonymize", in.toString(), temp.resolve("out").toString());
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("left out: core.bin: not text"), run.out());
    assertFalse(Files.exists(temp.resolve("out/core.bin")));
  }

  @Test
  void placesThatWouldHandOnTheOriginalsAreRefused() throws IOException {
    String in = bundle().toString();
    assertEquals(2, Called.run("anonymize", in, in + "/out").code());
    assertEquals(2, Called.run("anonymize", in, temp.toString()).code());
    assertEquals(2, Called.run("anonymize", in, temp.resolve("out").toString(), "--map", temp.resolve("out/map.json").toString()).code());
    assertEquals(4, Called.run("anonymize", temp.resolve("nothing").toString(), temp.resolve("out").toString()).code());
    Files.createDirectories(temp.resolve("prose"));
    Files.writeString(temp.resolve("prose/a.txt"), "hello\n");
    Called run = Called.run("anonymize", temp.resolve("prose").toString(), temp.resolve("out").toString());
    assertEquals(4, run.code(), run.out());
    assertFalse(Files.exists(temp.resolve("out")));
  }

  @Test
  void aDifferentConclusionIsADifference() {
    List<String> before = List.of("outcome fault-found", "cause X a", "cause X a");
    assertEquals(List.of(), Conclusions.differences(before, List.of("cause X a", "outcome fault-found", "cause X a")));
    assertEquals(List.of("before: cause X a", "after:  cause X b"), Conclusions.differences(before, List.of("outcome fault-found", "cause X a", "cause X b")));
  }
}
