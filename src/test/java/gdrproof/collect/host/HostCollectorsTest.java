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

  @Test
  void aCutListProvesNoAbsence() {
    Ledger ledger = read("lsmod.txt", "Module                  Size  Used by\nnvidia              56717312  1 nvidia_uvm\nmlx5_ib               5202");
    assertTrue(ledger.all(Host.ModuleAbsent.class).stream().noneMatch(m -> m.name().equals("mlx5_ib")));
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
}
