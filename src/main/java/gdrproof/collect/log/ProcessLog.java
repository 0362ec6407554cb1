package gdrproof.collect.log;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import java.util.LinkedHashMap;
import java.util.Map;

/** What one process wrote, summed up. Its size depends on how many different things it said, never on how often. */
final class ProcessLog {
  /** Different statements kept of one message; the rest is counted with the last. */
  private static final int MOST_VARIANTS = 48;

  /** Number in the file. */
  final int index;
  final byte[] key;
  final String node;
  final String name;
  final Map<NcclMessage, Hit> hits = new LinkedHashMap<>();
  private final int[] variants;
  /** Rank of the launcher's tag before its lines, or unknown. */
  String tagRank = Fact.UNKNOWN;
  String tag = Fact.UNKNOWN;
  Evidence tagAt;
  /** First warning, whether catalogued or not. */
  Evidence failedAt;
  String failedId;
  String failedText;

  ProcessLog(int index, byte[] key, String node, String name, int messages) {
    this.index = index;
    this.key = key;
    this.node = node;
    this.name = name;
    this.variants = new int[messages];
  }

  /** Whether no further variant of a message is kept. */
  boolean full(int message) {
    return variants[message] >= MOST_VARIANTS;
  }

  Hit see(int index, NcclMessage message, Evidence at) {
    Hit hit = hits.get(message);
    if (hit != null) {
      hit.again(at);
      return hit;
    }
    if (full(index)) {
      return null;
    }
    variants[index]++;
    hit = new Hit(this, message, at);
    hits.put(message, hit);
    return hit;
  }
}
