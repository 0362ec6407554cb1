package gdrproof.collect.log;

import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Launch.RankTag;
import gdrproof.facts.Nccl.FirstFailure;
import gdrproof.facts.Nccl.GpuGdr;
import gdrproof.facts.Nccl.HcaGdr;
import gdrproof.facts.Nccl.NcclChannels;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclNetwork;
import gdrproof.facts.Nccl.NcclNicCount;
import gdrproof.facts.Nccl.NcclPath;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Nccl.RankProgress;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns what the processes of a file said into facts. */
final class NcclFacts {
  private static final Pattern PATH = Pattern.compile("(?<kind>GPU|NET)/(?<node>[0-9A-Fa-f-]+) \\((?<hops>\\d+)/(?<bw>[\\d.]+)/(?<type>[A-Z0-9]+)\\)");

  private final Processes processes;
  private final Sink sink;
  private final RankTable ranks = new RankTable();
  private final Transports transports;
  private String version = Fact.UNKNOWN;

  NcclFacts(Processes processes, Sink sink) {
    this.processes = processes;
    this.sink = sink;
    this.transports = new Transports(ranks, sink);
  }

  void emit() {
    for (ProcessLog process : processes.all()) {
      for (Hit hit : process.hits.values()) {
        ranks.see(process, hit);
        if (hit.message.id().equals("version")) {
          version = hit.message.field("ncclVersion");
        }
      }
    }
    for (ProcessLog process : processes.all()) {
      process(process, ranks.owner(process));
    }
    ranks.emit(sink);
    processes.paths().forEach((process, table) -> table.forEach((from, path) -> paths(process, from, path)));
  }

  private void put(Fact fact, Hit hit) {
    sink.fact(fact, hit.first);
    if (hit.last() != hit.first) {
      sink.fact(fact, hit.last());
    }
  }

  /** @param owner the process the lines belong to: itself, or the one that a launcher's rank tag leads to */
  private void process(ProcessLog process, ProcessLog owner) {
    Map<String, Integer> nics = new HashMap<>();
    for (Hit hit : process.hits.values()) {
      NcclMessage m = hit.message;
      put(process == owner ? m : new NcclMessage(owner.node, Fact.UNKNOWN, owner.name, m.id(), m.level(), m.fields()), hit);
      derive(process, owner, hit, m);
      if (m.id().equals("ib-using-dev")) {
        nics.merge("nics", 1, Integer::sum);
      }
    }
    process.hits.values().stream().filter(h -> h.message.id().equals("ib-using")).findFirst()
        .ifPresent(h -> put(new NcclNicCount(process.node, Fact.UNKNOWN, process.name, Num.of(nics.getOrDefault("nics", 0))), h));
    transports.emit(process);
    if (process.tagAt != null && (!process.tagRank.equals(Fact.UNKNOWN) || process.tag.equals("ray"))) {
      sink.fact(new RankTag(process.node, Fact.UNKNOWN, process.name, Num.parse(process.tagRank), process.tag), process.tagAt);
    }
    if (process.failedAt != null) {
      sink.fact(new FirstFailure(process.node, Fact.UNKNOWN, process.name, ranks.rank(process), process.failedId, process.failedText, process.failedAt.time()),
          process.failedAt);
    }
  }

  private void derive(ProcessLog p, ProcessLog owner, Hit hit, NcclMessage m) {
    String run = Fact.UNKNOWN;
    switch (m.id()) {
      case "version" -> put(new NcclVersion(p.node, run, p.name, m.field("ncclVersion"), m.field("cudaVersion")), hit);
      case "env-int", "env-str" -> put(new EnvValue(p.node, "nccl-log", p.name, m.field("name"), m.field("value")), hit);
      case "using-network" -> put(new NcclNetwork(p.node, run, p.name, m.field("net")), hit);
      case "ib-using-dev" -> put(new NcclHca(p.node, run, p.name, m.number("idx"), m.field("hca"), m.number("port"), m.field("link")), hit);
      case "gdr-hca" -> put(new HcaGdr(p.node, run, p.name, m.field("net"), m.field("hca"), state(m), Fact.UNKNOWN), hit);
      case "gdr-hca-old" -> put(new HcaGdr(p.node, run, p.name, "IB", m.field("hca"), state(m), m.field("why")), hit);
      case "ibext-gdr" -> put(new HcaGdr(p.node, run, p.name, "IB", m.field("hca"), Tri.YES, m.field("mechanism")), hit);
      case "gdr-gpu" -> put(new GpuGdr(p.node, run, p.name, m.field("gpu"), m.field("hca"), state(m), m.number("distance"), path(m, "distance"), path(m, "level")),
          hit);
      case "gdr-gpu-229" -> put(new GpuGdr(p.node, run, p.name, "GPU/" + m.field("gpuSystem") + "-" + m.field("gpu"), m.field("netSystem") + "-" + m.field("nic"),
          state(m), m.number("distance"), path(m, "distance"), path(m, "level")), hit);
      case "channels" -> put(new NcclChannels(p.node, run, p.name, m.number("coll"), m.number("nvls"), m.number("p2p"), m.number("per")), hit);
      case "coll-call" -> put(new RankProgress(p.node, run, p.name, ranks.rank(p), "nccl", m.field("comm"), m.field("op"), hit.operation < 0 ? Num.UNKNOWN : Num.of(hit.operation),
          Num.UNKNOWN), hit);
      case "pt-exception", "pt-failure", "pt-dump" -> put(new RankProgress(owner.node, run, owner.name, m.number("rank"), "pytorch", m.field("pg"), Fact.UNKNOWN,
          m.number("enqueued"), m.number("completed")), hit);
      default -> transports.see(p, hit, m);
    }
  }

  private static Tri state(NcclMessage m) {
    return Tri.of(m.field("state").equals("Enabled"));
  }

  private String path(NcclMessage m, String field) {
    return PathTypes.name(version, m.number(field));
  }

  private void paths(ProcessLog process, String from, Processes.Path path) {
    Matcher to = PATH.matcher(path.entries());
    while (to.find()) {
      String other = to.group("kind") + "/" + to.group("node");
      if (!to.group("type").equals("LOC") && !to.group("kind").equals(from.substring(0, 3)) && (from.startsWith("GPU/") || from.startsWith("NET/"))) {
        boolean forward = from.startsWith("GPU/");
        sink.fact(new NcclPath(process.node, Fact.UNKNOWN, forward ? from : other, forward ? other : from, Num.parse(to.group("hops")), Num.parse(to.group("bw")),
            to.group("type")), path.at());
      }
    }
  }
}
