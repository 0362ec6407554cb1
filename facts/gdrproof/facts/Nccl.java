package gdrproof.facts;

import java.util.Map;
import java.util.TreeMap;

/** What NCCL itself wrote. */
public sealed interface Nccl extends Fact, RunFact {
  /**
   * One kind of catalogued message of one process, however often it was printed (the ledger holds first and last line).
   *
   * @param process `host:pid` as NCCL prints it, or unknown for a bare line
   * @param id name in `policies/log-messages.yaml` (`ib-none`, `using-network`, ...)
   * @param level WARN, INFO, TRACE, CALL, ABORT, VERSION, or TEXT for lines that NCCL did not write
   * @param fields named groups of the message's pattern; absent groups are left out
   */
  record NcclMessage(String node, String run, String process, String id, String level, Map<String, String> fields) implements Nccl {
    public NcclMessage {
      fields = java.util.Collections.unmodifiableMap(new TreeMap<>(fields));
    }

    /** A field's text, or unknown. */
    public String field(String name) {
      return fields.getOrDefault(name, UNKNOWN);
    }

    public Num number(String name) {
      return Num.parse(fields.get(name));
    }

    @Override
    public Fact inRun(String other) {
      return new NcclMessage(node, other, process, id, level, fields);
    }
  }

  /**
   * A rank of a communicator, from its Init lines.
   *
   * @param commId communicator id in hexadecimal, or unknown
   * @param started an `Init START` line (or an older equivalent) was seen
   * @param completed an `Init COMPLETE` line was seen
   */
  record NcclRank(String node, String run, String process, Num rank, Num ranks, String commId, String busId, Tri started, Tri completed) implements Nccl {
    @Override
    public Fact inRun(String other) {
      return new NcclRank(node, other, process, rank, ranks, commId, busId, started, completed);
    }
  }
}
