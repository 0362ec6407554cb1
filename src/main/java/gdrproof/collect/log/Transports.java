package gdrproof.collect.log;

import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.TransportUse;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sums up connection lines per process and kind. */
final class Transports {
  private record Key(String kind, String name, Num device, String direction, Tri gdr) {}

  private static final class Sum {
    long connections;
    final BitSet peers = new BitSet();
    Evidence first;
    Evidence last;
  }

  private final RankTable ranks;
  private final Sink sink;
  private final Map<Key, Sum> sums = new LinkedHashMap<>();

  Transports(RankTable ranks, Sink sink) {
    this.ranks = ranks;
    this.sink = sink;
  }

  void see(ProcessLog process, Hit hit, NcclMessage m) {
    Key key = switch (m.id()) {
      case "via-net" -> new Key("NET", m.field("net"), m.number("netDev"), m.field("dir"), Tri.of(m.fields().containsKey("gdr")));
      case "via-collnet" -> new Key("COLLNET", m.field("net"), m.number("netDev"), m.field("dir"), Tri.of(m.fields().containsKey("gdr")));
      case "via-p2p" -> new Key("P2P", m.field("kind"), Num.UNKNOWN, Fact.UNKNOWN, Tri.UNKNOWN);
      case "via-shm" -> new Key("SHM", m.field("send"), Num.UNKNOWN, Fact.UNKNOWN, Tri.UNKNOWN);
      case "via-shm-old" -> new Key("SHM", "direct", Num.UNKNOWN, Fact.UNKNOWN, Tri.UNKNOWN);
      default -> null;
    };
    if (key == null) {
      return;
    }
    Sum sum = sums.computeIfAbsent(key, k -> new Sum());
    sum.connections += hit.count;
    sum.peers.or(BitSet.valueOf(hit.peers()));
    if (sum.first == null || hit.first.compareTo(sum.first) < 0) {
      sum.first = hit.first;
    }
    if (sum.last == null || hit.last().compareTo(sum.last) > 0) {
      sum.last = hit.last();
    }
  }

  void emit(ProcessLog process) {
    sums.forEach((key, sum) -> {
      TransportUse use = new TransportUse(process.node, Fact.UNKNOWN, process.name, key.kind, key.name, key.device, key.direction, key.gdr, Num.of(sum.connections),
          sum.peers.isEmpty() ? Num.UNKNOWN : Num.of(sum.peers.cardinality()), local(process, sum.peers));
      sink.fact(use, sum.first);
      sink.fact(use, sum.last);
    });
    sums.clear();
  }

  private Num local(ProcessLog process, BitSet peers) {
    if (!ranks.countsInLargest(process)) {
      return Num.UNKNOWN;
    }
    int local = 0;
    for (int peer = peers.nextSetBit(0); peer >= 0; peer = peers.nextSetBit(peer + 1)) {
      ProcessLog other = ranks.of(peer);
      if (other == null) {
        return Num.UNKNOWN;
      }
      local += other.node.equals(process.node) ? 1 : 0;
    }
    return peers.isEmpty() ? Num.UNKNOWN : Num.of(local);
  }
}
