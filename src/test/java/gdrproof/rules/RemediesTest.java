package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.engine.RuleBase;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Design section 8: no remedy names a tuning variable (timeouts, retries, channels, queue pairs, algorithm, protocol). A remedy is
 * printed while lower layers are unproven, so none may, and none may advise what the safety rules flag.
 */
class RemediesTest {
  private static final Pattern TUNING = Pattern.compile("NCCL_(?:IB_TIMEOUT|IB_RETRY_CNT|IB_QPS_PER_CONNECTION|IB_SPLIT_DATA_ON_QPS|(?:MIN|MAX)_(?:NCHANNELS|NRINGS|CTAS)|ALGO|PROTO|BUFFSIZE|NTHREADS|NSOCKS_PERTHREAD|"
      + "SOCKET_NTHREADS|LL_THRESHOLD|TREE_THRESHOLD|CROSS_NIC|P2P_NET_CHUNKSIZE|NET_SHARED_BUFFERS|IB_ADAPTIVE_ROUTING|IB_AR_THRESHOLD)|TORCH_NCCL_[A-Z_]*TIMEOUT[A-Z_]*");
  private static final Pattern UNSAFE = Pattern.compile("(?i)(?:set|use|export|try)\\s+NCCL_(?:NET_GDR_LEVEL|P2P_LEVEL)\\s*(?:=|to)\\s*SYS|(?:set|use|export)\\s+NCCL_IB_GID_INDEX|pcie_acs_override|disable ACS (?:everywhere|globally|in the BIOS)");

  @Test
  void noRemedyTunesAroundAFault() {
    assertEquals(List.of(), RuleBase.shipped().stream().filter(r -> TUNING.matcher(r.remedy()).find() || UNSAFE.matcher(r.remedy()).find()).map(r -> r.name() + ": " + r.remedy()).toList());
  }
}
