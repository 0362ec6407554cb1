package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Bench.NcclTestConfig;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.NcclTestSummary;
import gdrproof.facts.BusFactor;
import gdrproof.facts.Fact;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything the bundle says about one run, gathered for its summary. */
final class RunView {
  static final List<Class<? extends Fact>> SEEN = List.of(NcclTestRow.class, NcclTestSummary.class, NcclTestConfig.class, NcclTestCommand.class, RankPlacement.class, NcclMessage.class);

  final List<NcclTestRow> rows = new ArrayList<>();
  final List<NcclTestSummary> footers = new ArrayList<>();
  final List<NcclTestConfig> configs = new ArrayList<>();
  final List<NcclTestCommand> commands = new ArrayList<>();
  final List<RankPlacement> ranks = new ArrayList<>();
  final List<NcclMessage> messages = new ArrayList<>();

  void see(Fact fact) {
    if (fact instanceof NcclTestRow row) {
      rows.add(row);
    } else if (fact instanceof NcclTestSummary footer) {
      footers.add(footer);
    } else if (fact instanceof NcclTestConfig config) {
      configs.add(config);
    } else if (fact instanceof NcclTestCommand command) {
      commands.add(command);
    } else if (fact instanceof RankPlacement rank) {
      ranks.add(rank);
    } else if (fact instanceof NcclMessage message) {
      messages.add(message);
    }
  }

  String collective() {
    for (NcclTestRow row : rows) {
      if (!row.program().equals(Fact.UNKNOWN)) {
        return row.program().replaceAll("_perf.*$", "");
      }
    }
    return rows.stream().map(r -> BusFactor.collective(r.algbwGBps(), r.busbwGBps())).filter(c -> !c.equals(Fact.UNKNOWN)).findFirst().orElse(Fact.UNKNOWN);
  }

  /** Ranks of one communicator: table, then NCCL's log, then the ratio of the columns, then the command. */
  Num ranks(String collective) {
    Map<Num, Set<Num>> groups = new HashMap<>();
    ranks.forEach(r -> groups.computeIfAbsent(r.group(), g -> new HashSet<>()).add(r.rank()));
    double highest = ranks.stream().filter(r -> r.rank().known()).mapToDouble(r -> r.rank().value()).max().orElse(-1);
    long listed = ranks.stream().map(RankPlacement::rank).distinct().count();
    if (listed > 0 && listed == highest + 1) {
      return Num.of(groups.values().stream().mapToInt(Set::size).max().orElse(0));
    }
    for (NcclMessage message : messages) {
      if (message.id().startsWith("init-") && message.number("nranks").known()) {
        return message.number("nranks");
      }
    }
    Num byFactor = rows.stream().max((a, b) -> a.algbwGBps().compareTo(b.algbwGBps())).map(r -> BusFactor.ranks(collective, r.algbwGBps(), r.busbwGBps()))
        .orElse(Num.UNKNOWN);
    if (byFactor.known()) {
      return byFactor;
    }
    return commands.stream().map(NcclTestCommand::ranks).filter(Num::known).findFirst().orElse(Num.UNKNOWN);
  }

  /** Nodes by name: rank table, command, processes of the log if they are all there. */
  Set<String> hosts(Num count) {
    Set<String> hosts = new TreeSet<>();
    ranks.forEach(r -> hosts.add(r.node()));
    if (hosts.isEmpty()) {
      commands.forEach(c -> hosts.addAll(c.hosts()));
    }
    if (hosts.isEmpty()) {
      Map<String, String> processes = new HashMap<>();
      messages.stream().filter(m -> !m.process().equals(Fact.UNKNOWN)).forEach(m -> processes.put(m.process(), m.node()));
      if (count.is(processes.size())) {
        hosts.addAll(processes.values());
      }
    }
    hosts.remove(Fact.UNKNOWN);
    return hosts;
  }

  Num nodes(Num count, Set<String> hosts) {
    if (!hosts.isEmpty()) {
      return Num.of(hosts.size());
    }
    for (NcclMessage message : messages) {
      if (message.number("nodes").known() && message.id().equals("init-node")) {
        return message.number("nodes");
      }
    }
    for (NcclTestConfig config : configs) {
      Num inProcess = config.threads().known() && config.gpusPerThread().known() ? Num.of(config.threads().value() * config.gpusPerThread().value()) : Num.UNKNOWN;
      if (inProcess.above(1) && count.known() && inProcess.is(count.value())) {
        return Num.of(1);
      }
    }
    for (NcclTestCommand command : commands) {
      if (command.perNode().above(0) && count.known() && count.value() % command.perNode().value() == 0) {
        return Num.of(count.value() / command.perNode().value());
      }
    }
    return Num.UNKNOWN;
  }

  String gpu() {
    Set<String> models = new TreeSet<>();
    ranks.forEach(r -> models.add(r.model()));
    models.remove(Fact.UNKNOWN);
    return models.size() == 1 ? models.iterator().next() : Fact.UNKNOWN;
  }

  String sweep() {
    if (!configs.isEmpty() && !configs.get(0).sweep().contains(Fact.UNKNOWN)) {
      return configs.get(0).sweep();
    }
    double low = rows.stream().mapToDouble(r -> r.bytes().value()).min().orElse(0);
    double high = rows.stream().mapToDouble(r -> r.bytes().value()).max().orElse(0);
    return Num.of(low) + "-" + Num.of(high);
  }

  String correctness() {
    if (rows.stream().anyMatch(r -> r.wrong().above(0)) || footers.stream().anyMatch(f -> f.outOfBounds().above(0))) {
      return "wrong";
    }
    if (footers.stream().anyMatch(f -> f.checked() == Tri.NO)) {
      return "unchecked";
    }
    return footers.stream().anyMatch(f -> f.checked() == Tri.YES && f.outOfBounds().is(0)) ? "right" : Fact.UNKNOWN;
  }

  Tri finished() {
    return footers.isEmpty() ? Tri.UNKNOWN : Tri.of(footers.stream().allMatch(f -> f.finished() == Tri.YES));
  }

  /** Settings of the command line and those NCCL says it took; a value NCCL prints wins. */
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    commands.forEach(c -> settings.putAll(c.settings()));
    for (NcclMessage message : messages) {
      if (message.id().equals("env-str") || message.id().equals("env-int")) {
        settings.put(message.field("name"), message.field("value"));
      }
    }
    return settings;
  }

  String network() {
    Set<String> networks = new TreeSet<>();
    messages.stream().filter(m -> m.id().equals("using-network")).forEach(m -> networks.add(m.field("net")));
    return networks.size() == 1 ? networks.iterator().next() : Fact.UNKNOWN;
  }

  /** Whether every network channel that the log shows uses GPUDirect RDMA; a bare send beside it can be normal, so receives count first. */
  Tri gdr() {
    List<NcclMessage> channels = messages.stream().filter(m -> m.id().equals("via-net") && m.field("dir").equals("receive")).toList();
    if (channels.isEmpty()) {
      channels = messages.stream().filter(m -> m.id().equals("via-net")).toList();
    }
    return channels.isEmpty() ? Tri.UNKNOWN : Tri.of(channels.stream().noneMatch(m -> m.field("gdr").equals(Fact.UNKNOWN)));
  }
}
