package gdrproof.collect.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Host.UcxDomain;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import org.junit.jupiter.api.Test;

class UcxTest {
  private static final String PREFIX = "[1764500000.123456] [gpu07.example.org:21431:0]      ib_md.c:329  UCX  ERROR ";

  private static Ledger read(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("ucx.log", List.of(text.split("\n", -1)))) {
      HostCollectors.all().forEach(c -> c.collect(section, new Sink(ledger)));
    }
    return ledger;
  }

  private static HostMessage message(String line, String id) {
    List<HostMessage> all = read(line + "\n").all(HostMessage.class).stream().filter(m -> m.id().startsWith("ucx-")).toList();
    assertEquals(List.of(id), all.stream().map(HostMessage::id).toList(), line);
    return all.get(0);
  }

  @Test
  void errorsNameTheHostThatWroteThem() {
    HostMessage refused = message(PREFIX + "ibv_reg_mr(address=0x7f, length=8, access=0xf) failed: Cannot allocate memory : Please set max locked memory (ulimit -l) to 'unlimited' (current: 64 kbytes)", "ucx-memory-refused");
    assertEquals("gpu07 ibv_reg_mr Cannot allocate memory", refused.node() + " " + refused.field("call") + " " + refused.field("error"));
    HostMessage retries = message("[1764500000.1] [gpu07:7374 :0] ib_mlx5_log.c:171  UCX  ERROR Transport retry count exceeded on mlx5_bond_0:1/RoCE (synd 0x15 vend 0x81 hw_synd 0/0)", "ucx-completion");
    assertEquals("gpu07 mlx5_bond_0 1 RoCE", retries.node() + " " + retries.field("hca") + " " + retries.field("port") + " " + retries.field("kind"));
    HostMessage unknown = message(PREFIX.replace("ERROR", "WARN ") + "network devices 'mlx5_8:1','mlx5_9:1' are not available, please use one or more of: 'eth0'(tcp), 'mlx5_0:1'(ib)", "ucx-device-unknown");
    assertEquals("mlx5_8 ,'mlx5_9:1'", unknown.field("hca") + " " + unknown.field("others"));
    assertEquals(Fact.UNKNOWN, message("UCX  ERROR no usable transports/devices (asked ib on network:all)", "ucx-no-device").node());
    assertEquals("active messages", message(PREFIX + "no active messages transport to <no debug data>: self/memory - Destination is unreachable", "ucx-no-transport").field("what"));
    message(PREFIX + "mlx5_0: Couldn't enable GPUDirect RDMA. Please make sure nv_peer_mem plugin installed correctly.", "ucx-gpudirect-refused");
  }

  @Test
  void whatOthersSayOfTransportsIsNoErrorOfUcx() {
    assertEquals(0, read("kafka: no secure transport to broker3: refused\nthe value 'x' is not available, please use one or more of: 'a'\n").all(HostMessage.class).stream().filter(m -> m.id().startsWith("ucx")).count());
  }

  @Test
  void theLimitThatUcxPrintsIsTheProcessesOwn() {
    assertEquals(List.of(new Limit("gpu07", "process", "memlock", Num.of(64 * 1024))),
        read(PREFIX + "ibv_create_cq(cqe=4096) failed: Cannot allocate memory : Please set max locked memory (ulimit -l) to 'unlimited' (current: 64 kbytes)\n").all(Limit.class));
    assertEquals(List.of(), read(PREFIX + "ibv_reg_mr(address=0x7f) failed: Bad address\n").all(Limit.class));
  }

  @Test
  void memoryDomainsTellWhatRegistersGpuMemory() {
    String text = "$ ucx_info -d\n#\n# Memory domain: mlx5_0\n#     Component: ib\n#             register: unlimited, dmabuf, cost: 180 nsec\n#           remote key: 8 bytes\n#         memory types: host (access,reg_nonblock,reg,cache), cuda (reg,cache)\n#\n"
        + "#      Transport: rc_mlx5\n#         Device: mlx5_0:1\n# Memory domain: mlx5_1\n#     Component: ib\n#             register: unlimited, cost: 180 nsec\n#         memory types: host (access,reg,cache)\n#\n"
        + "# Memory domain: gdr_copy\n#     Component: gdr_copy\n#             register: unlimited, cost: 0 nsec\n#         memory types: cuda (access,reg,cache,detect)\n#\n# Memory domain: cuda_cpy\n#     Component: cuda_cpy\n#         memory types: host (access), cuda (access,alloc)\n";
    assertEquals(List.of(new UcxDomain("unknown", "unknown", "cuda_cpy", "cuda_cpy", Tri.NO, Tri.UNKNOWN), new UcxDomain("unknown", "unknown", "gdr_copy", "gdr_copy", Tri.YES, Tri.UNKNOWN),
        new UcxDomain("unknown", "unknown", "mlx5_0", "ib", Tri.YES, Tri.YES), new UcxDomain("unknown", "unknown", "mlx5_1", "ib", Tri.NO, Tri.UNKNOWN)),
        read(text).all(UcxDomain.class).stream().sorted(java.util.Comparator.comparing(UcxDomain::domain)).toList());
    Ledger cut = read("$ ucx_info -d\n# Memory domain: mlx5_0\n#     Component: ib\n");
    assertEquals(List.of(), cut.all(UcxDomain.class));
    assertTrue(cut.all(Unread.class).stream().anyMatch(u -> u.reason().contains("memory types")));
  }

  @Test
  void testsOfGdrCopyTellWhetherItWorks() {
    assertEquals(List.of("gdrcopy-works"), ids("$ gdrcopy_sanity\nTotal: 28, Passed: 26, Failed: 0, Waived: 2\n"));
    assertEquals(List.of("gdrcopy-works"), ids("$ ./sanity -v\n&&&& PASSED basic_cumemalloc\nclosing gdrdrv\n100%: Checks: 11, Failures: 0, Errors: 0\n"));
    assertEquals(List.of("gdrcopy-works"), ids("Test \t\t\t Size(B) \t Avg.Time(us)\ngdr_copy_to_mapping \t        1 \t      0.0890\n"));
    assertEquals(List.of("gdrcopy-tests-failed"), ids("$ gdrcopy_sanity\nTotal: 28, Passed: 20, Failed: 8, Waived: 0\n\nList of failed tests:\n    basic_cumemalloc\n"));
    assertEquals(List.of(), ids("$ ./mytests\nTotal: 28, Passed: 28, Failed: 0, Waived: 0\n"));
    assertEquals(List.of(), ids("$ gdrcopy_sanity\nTotal: 28, Passed: 2\n"));
  }

  private static List<String> ids(String text) {
    return read(text).all(HostMessage.class).stream().map(HostMessage::id).distinct().toList();
  }

  @Test
  void bothFormsOfItsVersionAreRead() {
    for (String text : List.of("# UCT version=1.12.1 revision dc92435\n# configured with: --with-cuda\n", "# Library version: 1.12.1\n# Library path: /usr/lib/libucs.so.0\n# API headers version: 1.12.1\n")) {
      assertEquals(List.of("ucx 1.12.1"), read("$ ucx_info -v\n" + text).all(SoftwareVersion.class).stream().map(v -> v.component() + " " + v.version()).toList());
    }
    assertEquals(List.of(), read("# Library version: 1.12.1\n").all(SoftwareVersion.class));
  }
}
