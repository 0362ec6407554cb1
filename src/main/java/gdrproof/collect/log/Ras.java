package gdrproof.collect.log;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.Laggard;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Nccl.RankProgress;
import gdrproof.facts.Num;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers of NCCL's RAS service as text (`ncclras`, 2.24 and later): operation counts that differ, and who is behind. */
final class Ras implements Collector {
  private static final Pattern VERSION = Pattern.compile("^NCCL version (?<version>\\S+) compiled with CUDA (?<cuda>\\S+)$");
  private static final Pattern MOST = Pattern.compile("^ *(?<n>\\d+) ranks have launched up to operation (?<operation>\\d+)$");
  private static final Pattern RANK = Pattern.compile(
      "^ *Rank (?<rank>\\d+) has launched up to operation (?<operation>\\d+) -- GPU .+ managed by process (?<pid>\\d+) on node (?<node>\\S+)$");
  private static final Pattern COMM = Pattern.compile("^ *Communicator ranks have different (?<operation>\\w+) operation counts$");

  @Override
  public String tool() {
    return "ncclras";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Num highest = Num.UNKNOWN;
    String operation = Fact.UNKNOWN;
    Map<String, Integer> sightings = new HashMap<>();
    Map<String, Object[]> behind = new LinkedHashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher version = VERSION.matcher(line);
      Matcher comm = COMM.matcher(line);
      Matcher most = MOST.matcher(line);
      Matcher rank = RANK.matcher(line);
      if (version.matches()) {
        sink.fact(new NcclVersion(section.node(), Fact.UNKNOWN, Fact.UNKNOWN, version.group("version"), version.group("cuda")), section.at(i));
      } else if (comm.matches()) {
        highest = Num.UNKNOWN;
        operation = comm.group("operation");
        sink.understood(section, i);
      } else if (most.matches()) {
        Num value = Num.parse(most.group("operation"));
        highest = highest.above(value) ? highest : value;
        sink.understood(section, i);
      } else if (rank.matches()) {
        String node = Sections.shortName(rank.group("node"));
        String process = node + ":" + rank.group("pid");
        Num done = Num.parse(rank.group("operation"));
        sink.fact(new RankProgress(node, Fact.UNKNOWN, process, Num.parse(rank.group("rank")), "ras", Fact.UNKNOWN, operation, done, Num.UNKNOWN), section.at(i));
        if (done.below(highest)) {
          String key = process + " " + done + " " + highest;
          sightings.merge(key, 1, Integer::sum);
          behind.putIfAbsent(key, new Object[] {node, process, Num.parse(rank.group("rank")), done, highest, i});
        }
      }
    }
    behind.forEach((key, b) -> sink.fact(new Laggard((String) b[0], Fact.UNKNOWN, (String) b[1], (Num) b[2], "ras", (Num) b[3], (Num) b[4], Num.of(sightings.get(key))),
        section.at((int) b[5])));
  }
}
