package gdrproof.collect.launch;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Launch.RunStart;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where runs begin and which process each rank is: prompts with launch commands, heads and device tables of nccl-tests 1.0 to 2.19. */
final class RunHeaders implements Collector {
  private static final Pattern HEAD = Pattern.compile(
      "# (?:nccl-tests version \\S+ .*|Collective test starting: (?<program>\\S+)\\s*|nThread \\d+ nGpus \\d+ .*|nThread \\d+ .*minBytes .*)");
  private static final Pattern RANK = Pattern.compile(
      "#\\s+Rank\\s+(?<rank>\\d+)(?:\\s+Group\\s+(?<group>\\d+))?(?:\\s+Pid\\s+(?<pid>\\d+))?\\s+on\\s+(?<host>\\S+)\\s+device\\s+(?<device>\\d+)\\s+\\[(?<pci>[0-9a-fA-Fx:.]+)\\]\\s*(?<gpu>.*)$");
  private static final Pattern COMMAND = Pattern.compile("\\b(?<program>mpirun|mpiexec(?:\\.\\w+)?|prterun|srun|torchrun|horovodrun|deepspeed|\\w+_perf(?:_mpi)?)\\b");
  /** Lines of one head stand this close together. */
  private static final int HEAD_LINES = 4;

  @Override
  public String tool() {
    return "nccl-tests";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int lastHead = Integer.MIN_VALUE / 2;
    boolean commanded = false;
    Matcher command = COMMAND.matcher(section.command());
    if (!section.command().equals(Fact.UNKNOWN) && command.find() && !section.command().contains("--version") && !section.lines().isEmpty()) {
      sink.fact(new RunStart(section.node(), Fact.UNKNOWN, section.file(), Num.of(section.line(0)), command.group("program")), section.at(0));
      commanded = true;
    }
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      int hash = line.indexOf("# ");
      if (hash < 0) {
        continue;
      }
      Matcher head = HEAD.matcher(line.substring(hash).strip());
      if (head.matches()) {
        if (i - lastHead > HEAD_LINES && !(commanded && lastHead < 0)) {
          String program = head.group("program") == null ? Fact.UNKNOWN : head.group("program");
          sink.fact(new RunStart(section.node(), Fact.UNKNOWN, section.file(), Num.of(section.line(i)), program), section.at(i));
        }
        lastHead = i;
        continue;
      }
      int rank = line.indexOf("#  ");
      Matcher place = RANK.matcher(rank < 0 ? "" : line.substring(rank));
      if (place.find()) {
        String host = Sections.shortName(place.group("host"));
        String process = place.group("pid") == null ? Fact.UNKNOWN : host + ":" + place.group("pid");
        sink.fact(new RankPlacement(host, Fact.UNKNOWN, process, Num.parse(place.group("rank")), Num.parse(place.group("group")), Num.parse(place.group("device")),
            place.group("pci"), place.group("gpu").strip()), section.at(i));
      }
    }
  }
}
