package gdrproof.collect.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Tri;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the collectors of the operating system must not do: claim absence from a part, keep secrets, or stumble. */
class HostCollectorsTest {
  private static Ledger read(String file, String text) {
    Ledger ledger = new Ledger();
    Sink sink = new Sink(ledger);
    for (Section section : Sections.split(file, List.of(text.split("\n", -1)))) {
      for (Collector collector : HostCollectors.all()) {
        collector.collect(section, sink);
      }
    }
    return ledger;
  }

  @Test
  void secretsAreNotKeptAnywhere() {
    Ledger ledger = read("env.txt", "PATH=/bin\nNCCL_DEBUG=INFO\nTORCH_HUB_TOKEN=verysecret\nCUDA_REGISTRY=https://me:hunter2@example.net\nSLURM_JOB_ID=7\n");
    ledger.facts().forEach(fact -> {
      assertFalse(fact.toString().contains("verysecret") || fact.toString().contains("hunter2"), fact::toString);
      ledger.of(fact).forEach(e -> assertFalse(e.excerpt().contains("verysecret") || e.excerpt().contains("hunter2"), e::toString));
    });
    assertEquals(2, ledger.all(Host.EnvValue.class).stream().filter(e -> e.value().equals(Environment.REDACTED)).count());
  }

  @Test
  void aSearchProvesOnlyWhatItWouldHaveShown() {
    Ledger ledger = read("x.txt", "$ lsmod | grep -E 'nvidia|ib_core'\nnvidia              56770560  102 nvidia_uvm\n");
    List<String> absent = ledger.all(Host.ModuleAbsent.class).stream().map(Host.ModuleAbsent::name).toList();
    assertTrue(absent.contains("nvidia_peermem"));
    assertFalse(absent.contains("gdrdrv"));
    assertTrue(read("x.txt", "$ lsmod | grep nvidia-peermem\n").all(Host.ModuleAbsent.class).isEmpty(), "a dash never matches an underscore");
  }

  private static List<String> loaded(String text) {
    return read("x.txt", text).all(Host.Module.class).stream().map(Host.Module::name).sorted().toList();
  }

  @Test
  void modulesAreReadWithoutTheirHeading() {
    assertEquals(List.of("nvidia", "nvidia_peermem", "nvidia_uvm"), loaded("nvidia_uvm           1437696  2\nnvidia_peermem         20480  0\nnvidia              35639296  243 nvidia_uvm,nvidia_peermem\n"));
    assertEquals(List.of("nvidia_peermem"), loaded("nvidia_peermem         20480  0\n"));
    assertEquals(List.of("nvidia_peermem"), loaded("$ lsmod | grep peermem\nnvidia_peermem         16384  0\n"));
    assertEquals(List.of("nvidia_peermem"), read("x.txt", "h01: nvidia_peermem         20480  0\nh02: nvidia_peermem         20480  0\n").all(Host.Module.class).stream().map(Host.Module::name).distinct().toList());
    assertEquals(List.of(), loaded("total            20480  0\n"), "no module of the path");
    assertEquals(List.of(), loaded("nvidia_peermem         20481  0\n"), "no whole pages");
    assertEquals(List.of(), loaded("nvidia_peermem         20480  0\nand other words\n"), "no list");
    assertTrue(read("x.txt", "nvidia_uvm           1437696  2\nnvidia              35639296  243 nvidia_uvm\n").all(Host.ModuleAbsent.class).isEmpty(), "a part proves no absence");
  }

  @Test
  void busyboxSaysBehindTheHeadingWhetherTheKernelIsTainted() {
    for (String mark : List.of("    Tainted: P  ", "    Not tainted", "", "    Tainted: G  ")) {
      Ledger ledger = read("x.txt", "Module                  Size  Used by" + mark + "\nnvidia_uvm           1871872  0 \nmlx5_ib               475136  0 \n");
      assertEquals(List.of("mlx5_ib", "nvidia_uvm"), ledger.all(Host.Module.class).stream().map(Host.Module::name).sorted().toList());
      assertTrue(ledger.all(Host.ModuleAbsent.class).stream().anyMatch(m -> m.name().equals("nvidia_peermem")), mark);
    }
  }

  @Test
  void theKernelsOwnModulesHaveNoVersion() {
    String head = "filename:       /lib/modules/6.8.0-48-generic/kernel/drivers/net/mlx5_core.ko.zst\n";
    String built = "depends:        mlxfw\nretpoline:      Y\nintree:         Y\nname:           mlx5_core\nvermagic:       6.8.0-48-generic SMP\n";
    String own = "license:        Dual BSD/GPL\ndescription:    core driver\n";
    assertEquals("none", version(head + own + built));
    assertEquals("24.10-1.1.4", version(head + "version:        24.10-1.1.4\n" + own + built));
    assertEquals("unknown", version(head + own), "cut");
    assertEquals("unknown", version("$ modinfo mlx5_core | grep -v version\n" + head + own + built), "filtered");
  }

  private static String version(String text) {
    return read("x.txt", text).all(Host.ModuleInfo.class).get(0).version();
  }

  @Test
  void kernelsWithoutABootLoaderHaveAParameterLineToo() {
    assertEquals("kernel-default", read("x.txt", "mitigations=auto,no_guest_host console=ttyS0 quiet reboot=k panic=1 pci=realloc=off fc_dma\n").all(Host.IommuRequest.class).get(0).mode());
    assertEquals("passthrough", read("x.txt", "console=ttyS0 ro iommu=pt intel_iommu=on\n").all(Host.IommuRequest.class).get(0).mode());
    assertEquals("passthrough", read("x.txt", "BOOT_IMAGE=/vmlinuz root=UUID=1 iommu=pt\n").all(Host.IommuRequest.class).get(0).mode());
    assertEquals("kernel-default", read("x.txt", "console=ttyS0 ro panic=1 -- --listen 0.0.0.0:2024 iommu=pt\n").all(Host.IommuRequest.class).get(0).mode());
    assertTrue(read("x.txt", "NCCL_DEBUG=INFO NCCL_IB_HCA=mlx5_0 LANG=C\n").all(Host.IommuRequest.class).isEmpty(), "variables of a shell");
    assertTrue(read("x.txt", "quiet splash console\n").all(Host.IommuRequest.class).isEmpty(), "words");
    assertTrue(read("x.txt", "console=ttyS0 ro iommu=pt\nmore of a file\n").all(Host.IommuRequest.class).isEmpty(), "another text");
  }

  @Test
  void nodesAskedTogetherAnswerOneValueEach() {
    List<String> limits = read("pdsh-ulimit.txt", "h02: 64\nh01: unlimited\npdsh@login1: h04: mcmd: connect failed: No route to host\n").all(Host.Limit.class).stream().map(l -> l.node() + " " + l.bytes()).sorted().toList();
    assertEquals(List.of("h01 unlimited", "h02 65536"), limits);
    assertEquals(2, read("memlock.txt", "a100-11: unlimited\na100-12: 8192\n").all(Host.Limit.class).size());
    assertEquals(2, read("ulimit.txt", "[1] 10:00:00 [SUCCESS] h01\nunlimited\n[2] 10:00:00 [SUCCESS] h02\n64\n").all(Host.Limit.class).size());
    assertEquals(3, read("ulimit-l.txt", "----------------\nh[01-02]\n----------------\nunlimited\n----------------\nh03\n----------------\n64\n").all(Host.Limit.class).size());
    assertEquals(2, read("ulimit.txt", "0: unlimited\n1: 64\n").all(Host.Limit.class).size());
    assertTrue(read("x.txt", "h02: 64\nh01: unlimited\n").all(Host.Limit.class).isEmpty(), "nothing says what was asked: stacks are 8192 and unlimited as well");
  }

  @Test
  void aCutListProvesNoAbsence() {
    Ledger ledger = read("lsmod.txt", "Module                  Size  Used by\nnvidia              56717312  1 nvidia_uvm\nmlx5_ib               5202");
    assertTrue(ledger.all(Host.ModuleAbsent.class).stream().noneMatch(m -> m.name().equals("mlx5_ib")));
  }

  @Test
  void theColumnsThatPsWasAskedForStandInForAHeadingThatAFilterTook() {
    String dates = "root@n1:~# ps -eo pid,stat,wchan:24,lstart,cmd | awk '$2 ~ /D/'\n  48213 Dl   cl_sync_io_wait          Tue Oct 21 16:02:44 2025 /opt/venv/bin/python -u train.py\n";
    assertEquals(List.of("n1 48213 D cl_sync_io_wait"), states(dates));
    assertEquals(List.of("n1 7 D nfs_wait_bit_killable"), states("root@n1:~# date; ps -eo state,pid,wchan,args | grep '^D'\nWed Oct 22 03:40:12 UTC 2025\nD 7 nfs_wait_bit_killable python train.py\n"));
    assertEquals(List.of("n1 7 D x", "n1 8 D x"), states("root@n1:~# ps -eo pid,s,wchan | grep D\n7 D x\n8 D x\n"));
    assertEquals(List.of(), states("root@n1:~# ps -eo stat,wchan,cmd | grep D\nD x python\n"), "no process is named");
    assertEquals(List.of(), states("root@n1:~# ps -eo pid,stat | wc -l\n48213\n"));
  }

  private static List<String> states(String text) {
    return read("ps.txt", text).all(Host.ProcessState.class).stream().map(p -> p.node() + " " + Math.round(p.pid().value()) + " " + p.state() + " " + p.waits()).sorted().toList();
  }

  @Test
  void unitsOfLimitsAreTold() {
    assertEquals(8192 * 1024.0, read("a.txt", "$ ulimit -l\n8192\n").all(Host.Limit.class).get(0).bytes().value());
    assertEquals(65536.0, read("a.txt", "Max locked memory         65536                65536                bytes").all(Host.Limit.class).get(0).bytes().value());
    assertTrue(read("a.txt", "8192\n").all(Host.Limit.class).isEmpty(), "a lone number says nothing");
  }

  @Test
  void containerOptionsAreReadOverSeveralLines() {
    Host.ContainerRun run = read("start.sh", "docker run --rm \\\n  --gpus all --ulimit memlock=-1 \\\n  --device=/dev/infiniband --cap-add IPC_LOCK --shm-size 8g train:3 bash\n")
        .all(Host.ContainerRun.class).get(0);
    assertEquals("train:3", run.image());
    assertEquals(Tri.YES, run.infiniband());
    assertEquals(Tri.YES, run.ipcLock());
    assertEquals(8.0 * (1 << 30), run.shmBytes().value());
    assertTrue(Double.isInfinite(run.memlockBytes().value()));
  }

  @Test
  void aWholeEnvironmentIsKnownByItsPath() {
    assertTrue(read("env.txt", "NCCL_IB_HCA=mlx5\n").all(Looked.class).isEmpty());
    assertTrue(read("env.txt", "PATH=/bin\nNCCL_IB_HCA=mlx5\n").all(Looked.class).stream().anyMatch(l -> l.kind().equals(Kind.ENVIRONMENT)));
  }

  @Test
  void damagedTextNeverThrows() {
    String text = "Max locked memory\nCapEff: zz\nmodinfo: ERROR: Module\nfilename:\n/dev/shm\nulimit -l\n\u0000\u0001 docker run --shm-size\n-----\n{\"ShmSize\": }\nNVRM: loading NVIDIA UNIX\n";
    for (int end = 0; end < text.length(); end += 3) {
      read("container-lsmod-env-ulimit.txt", text.substring(0, end));
    }
  }

  @Test
  void oneFieldOfAModuleIsTheBareValue() {
    for (String command : List.of("modinfo -F license nvidia", "sudo modinfo -Flicense nvidia", "/sbin/modinfo --field=license nvidia.ko.xz", "modinfo -l nvidia")) {
      Ledger ledger = read("x.txt", "$ " + command + "\nDual MIT/GPL\n");
      assertEquals(List.of("nvidia Dual MIT/GPL"), ledger.all(Host.ModuleInfo.class).stream().map(m -> m.name() + " " + m.license()).toList(), command);
      assertEquals(List.of(Tri.YES), ledger.all(Host.NvidiaDriver.class).stream().map(Host.NvidiaDriver::open).toList(), command);
    }
    assertEquals(List.of(Tri.NO), read("x.txt", "$ modinfo -F license nvidia\nNVIDIA\n").all(Host.NvidiaDriver.class).stream().map(Host.NvidiaDriver::open).toList());
    assertEquals(List.of("nvidia_peermem 580.95.05"), read("x.txt", "$ modinfo -F version nvidia-peermem\n580.95.05\n").all(Host.ModuleInfo.class).stream().map(m -> m.name() + " " + m.version()).toList());
    for (String text : List.of("Dual MIT/GPL\n", "$ modinfo -F license nvidia\n", "$ modinfo -F filename nvidia\n/lib/x.ko\n", "$ modinfo -F license nvidia\nmodinfo: ERROR: Module nvidia not found.\n",
        "$ modinfo -F license nvidia mlx5_core\nNVIDIA\nDual BSD/GPL\n")) {
      assertTrue(read("x.txt", text).all(Host.ModuleInfo.class).isEmpty(), text);
    }
  }
}
