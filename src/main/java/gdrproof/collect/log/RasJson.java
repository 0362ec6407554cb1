package gdrproof.collect.log;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.Laggard;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Nccl.RankProgress;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers of NCCL's RAS service as JSON (`ncclras -f json`, 2.28.7 and later): operation counts of every rank, and who is behind. */
final class RasJson implements Collector {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private record Rank(String node, String process, Num rank, Num count) {}

  @Override
  public String tool() {
    return "ncclras -f json";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<String> lines = section.lines();
    int mark = index(lines, "\"communicators_count\"", 0);
    if (mark < 0) {
      return;
    }
    int from = mark;
    while (from > 0 && !lines.get(from).strip().startsWith("{")) {
      from--;
    }
    JsonNode root;
    try {
      // What follows the object (a prompt's answer to another query) is left alone.
      root = JSON.readerFor(JsonNode.class).readTree(String.join("\n", lines.subList(from, end(lines, from) + 1)));
    } catch (JacksonException e) {
      sink.unread(section, from, "damaged JSON of NCCL RAS");
      return;
    }
    String version = root.path("nccl_version").asString(Fact.UNKNOWN);
    if (!version.equals(Fact.UNKNOWN)) {
      sink.fact(new NcclVersion(section.node(), Fact.UNKNOWN, Fact.UNKNOWN, version, Fact.UNKNOWN), section.at(Math.max(from, index(lines, "\"nccl_version\"", from))));
    }
    for (JsonNode communicator : root.path("communicators")) {
      communicator(section, sink, communicator, from);
    }
  }

  /** Line of the brace that closes the object. */
  private static int end(List<String> lines, int from) {
    int depth = 0;
    for (int i = from; i < lines.size(); i++) {
      for (char c : lines.get(i).toCharArray()) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      }
      if (depth == 0) {
        return i;
      }
    }
    return lines.size() - 1;
  }

  private static void communicator(Section section, Sink sink, JsonNode communicator, int from) {
    Map<String, List<Rank>> byOperation = new TreeMap<>();
    for (JsonNode each : communicator.path("ranks")) {
      String node = Sections.shortName(each.path("host").asString(Fact.UNKNOWN));
      String process = node + ":" + each.path("pid").asString(Fact.UNKNOWN);
      Num number = Num.parse(each.path("rank").asString(""));
      each.path("collective_counts").properties().forEach(count -> byOperation.computeIfAbsent(count.getKey(), o -> new ArrayList<>())
          .add(new Rank(node, process, number, Num.parse(count.getValue().asString("")))));
    }
    OperationCounts counts = new OperationCounts();
    byOperation.forEach((operation, ranks) -> {
      Num highest = ranks.stream().map(Rank::count).reduce(Num.UNKNOWN, (a, b) -> a.above(b) ? a : b);
      if (ranks.stream().noneMatch(r -> r.count().below(highest))) {
        return;
      }
      for (Rank rank : ranks) {
        Evidence here = section.at(Math.max(from, index(section.lines(), "\"pid\": " + rank.process().substring(rank.process().indexOf(':') + 1) + ",", from)));
        sink.fact(new RankProgress(rank.node(), Fact.UNKNOWN, rank.process(), rank.rank(), "ras", Fact.UNKNOWN, operation, rank.count(), Num.UNKNOWN), here);
        counts.add(operation, new OperationCounts.Count(rank.node(), rank.process(), rank.rank(), rank.count(), List.of(here)));
        if (rank.count().below(highest)) {
          sink.fact(new Laggard(rank.node(), Fact.UNKNOWN, rank.process(), rank.rank(), "ras", rank.count(), highest, Num.of(1)), here);
        }
      }
    });
    counts.crossed((fact, at) -> at.forEach(e -> sink.fact(fact, e)));
  }

  private static int index(List<String> lines, String text, int from) {
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).contains(text)) {
        return i;
      }
    }
    return -1;
  }
}
