package gdrproof.collect.bench;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Bench.RdmaLatency;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Bench.RdmaTestError;
import gdrproof.facts.Bench.RdmaTestRow;
import gdrproof.facts.Bench.RdmaTestVersion;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Tri;
import java.util.Comparator;
import java.util.List;

/** Facts of perftest in the keys of the sample list. */
public final class PerftestSampleKeys extends SampleKeys {
  @Override
  protected void translate(String tool, Ledger ledger) {
    List<RdmaTestRow> rows = ledger.all(RdmaTestRow.class);
    for (RdmaTest t : ledger.all(RdmaTest.class)) {
      known("unit", t.unit());
      known("memory", t.memory());
      known("device", t.hca());
      known("linkLayer", t.linkLayer());
      known("mtu", t.mtuBytes());
      put("gidIndex", t.gidIndex().known() ? t.gidIndex() : "none");
      known("localIp", t.localIp());
      known("direction", t.direction());
      known("qps", t.qps());
      known("mode", t.mode());
      known("side", t.side());
      if (t.dmabuf() != Tri.UNKNOWN) {
        put("dmabuf", t.dmabuf() == Tri.YES);
      }
      if (rows.isEmpty() && ledger.all(RdmaLatency.class).isEmpty()) {
        put("rows", 0);
      }
      List<RdmaTestRow> own = rows.stream().filter(r -> r.id().equals(t.id())).sorted(Comparator.comparing(RdmaTestRow::bytes)).toList();
      if (!own.isEmpty()) {
        RdmaTestRow last = own.get(own.size() - 1);
        put("bwAvgAtMax", last.average());
        put("maxSize", last.bytes());
        put("lastCompleteSize", last.bytes());
        put("rows", own.size());
        if (t.gbps().known()) {
          put("gbitsAtMax", Math.round(t.gbps().value() * 10) / 10.0);
        }
      }
    }
    put("runs", ledger.all(RdmaTest.class).size());
    for (RdmaTestRow r : rows) {
      put("unit", r.unit());
      known("headerUnit", r.headerUnit());
      put(r.hca().equals(Fact.UNKNOWN) ? "bwAvg" : r.hca() + "/bwAvg", r.average());
      known("bwPeak", r.peak());
      known("size", r.bytes());
      known("cpuUtilPct", r.cpuPercent());
    }
    for (RdmaLatency l : ledger.all(RdmaLatency.class)) {
      put("size", l.bytes());
      put("latTypicalUs", l.typicalUs());
      put("latAvgUs", l.averageUs());
      put("latMaxUs", l.maxUs());
      put("latP99Us", l.p99Us());
      put("latP999Us", l.p999Us());
    }
    for (RdmaTestError e : ledger.all(RdmaTestError.class)) {
      put("error", e.error());
      known("memory", e.memory());
      e.fields().forEach(this::put);
    }
    ledger.all(HostMessage.class).stream().filter(m -> m.id().equals("perftest-cpu-frequency")).forEach(m -> put("warning", "cpu-frequency"));
    ledger.all(RdmaTestVersion.class).forEach(v -> put("protocolVersion", v.protocol()));
    if (!ledger.all(Unread.class).isEmpty()) {
      put("parse", "incomplete");
    }
  }
}
