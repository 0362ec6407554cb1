package gdrproof.collect.launch;

import gdrproof.bundle.HostList;
import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Launch.RankBinding;
import gdrproof.facts.Launch.SlurmJob;
import gdrproof.facts.Launch.TaggedOutput;
import gdrproof.facts.Num;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's environment, limits printed per host by a step, `--report-bindings`, and the ranks of tagged output. */
final class Slurm implements Collector {
  private static final Pattern VARIABLE = Pattern.compile(
      "^(?:(?:export |(?:declare|typeset) -[A-Za-z]*x[A-Za-z]* )?(?<name>SLURM_\\w+)=|setenv (?<set>SLURM_\\w+) )(?<value>.*)$");
  private static final Pattern HOST_LIMIT = Pattern.compile("^(?<host>[A-Za-z][A-Za-z0-9._-]*)(?:: |(?<=\\d)[ \\t]+)(?<kib>unlimited|\\d+)$");
  private static final Pattern TAG = Pattern.compile("^\\[(?:[^\\]@]+@)?\\d+,(?<rank>\\d+)\\]<\\w+>:");
  private static final Pattern BINDING = Pattern.compile("^\\[(?<host>[^:\\]]+):\\d+\\] (?:MCW r|R)ank (?<rank>\\d+)(?: is)? bound to (?<cpus>.+)$");
  private static final Pattern SLURM_BINDING = Pattern.compile(
      "^(?:slurmstepd: )?cpu-bind(?:=|-)\\S* - (?<host>[^,\\s]+), task +(?<rank>\\d+) +\\d+ \\[\\d+\\]: mask (?<cpus>0x[0-9A-Fa-f]+)(?: set)?$");
  private static final double KIB = 1024;
  /** The largest machines have some ten thousand nodes. */
  private static final int MOST_HOSTS = 100_000;
  private static final int LONGEST_LIST = 1 << 20;

  @Override
  public String tool() {
    return "srun";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, String> variables = new HashMap<>();
    TreeSet<Integer> ranks = new TreeSet<>();
    int first = -1;
    int firstTag = -1;
    boolean limits = section.name().contains("memlock") || section.name().contains("ulimit") || section.command().contains("ulimit -l");
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher variable = VARIABLE.matcher(line);
      Matcher tag = TAG.matcher(line);
      Matcher binding = BINDING.matcher(line);
      Matcher slurm = SLURM_BINDING.matcher(line);
      Matcher limit = HOST_LIMIT.matcher(line);
      if (variable.matches()) {
        variables.putIfAbsent(variable.group("name") == null ? variable.group("set") : variable.group("name"), variable.group("value").replaceAll("[\"']", "").strip());
        first = first < 0 ? i : first;
      } else if (tag.find()) {
        ranks.add(Integer.parseInt(tag.group("rank").length() > 8 ? "0" : tag.group("rank")));
        firstTag = firstTag < 0 ? i : firstTag;
      } else if (binding.matches()) {
        sink.fact(new RankBinding(binding.group("host"), Fact.UNKNOWN, Num.parse(binding.group("rank")), binding.group("cpus")), section.at(i));
      } else if (line.contains("cpu-bind") && slurm.matches()) {
        sink.fact(new RankBinding(slurm.group("host"), Fact.UNKNOWN, Num.parse(slurm.group("rank")), slurm.group("cpus")), section.at(i));
      } else if (limits && limit.matches()) {
        Num bytes = limit.group("kib").equals("unlimited") ? Num.of(Double.POSITIVE_INFINITY) : Num.of(Double.parseDouble(limit.group("kib")) * KIB);
        sink.fact(new Limit(limit.group("host"), "process", "memlock", bytes), section.at(i));
      }
    }
    if (!ranks.isEmpty()) {
      sink.fact(new TaggedOutput(section.node(), Fact.UNKNOWN, "mpirun", Num.of(ranks.size())), section.at(firstTag));
    }
    String nodeList = variables.getOrDefault("SLURM_JOB_NODELIST", variables.getOrDefault("SLURM_NODELIST", Fact.UNKNOWN));
    if (first >= 0 && (!nodeList.equals(Fact.UNKNOWN) || variables.containsKey("SLURM_NTASKS"))) {
      List<String> hosts = hosts(nodeList);
      sink.fact(new SlurmJob(section.node(), Fact.UNKNOWN, variables.getOrDefault("SLURM_JOB_ID", Fact.UNKNOWN), nodeList, hosts.isEmpty() ? Fact.UNKNOWN : String.join(",", hosts),
          number(variables, "SLURM_NNODES", "SLURM_JOB_NUM_NODES"), number(variables, "SLURM_NTASKS", "SLURM_NPROCS"),
          variables.getOrDefault("SLURM_TASKS_PER_NODE", variables.getOrDefault("SLURM_NTASKS_PER_NODE", Fact.UNKNOWN)),
          number(variables, "SLURM_GPUS_PER_NODE", "SLURM_GPUS_ON_NODE"), number(variables, "SLURM_PROCID", "PMI_RANK"), number(variables, "SLURM_LOCALID", "")),
          section.at(first));
    }
  }

  private static Num number(Map<String, String> variables, String name, String other) {
    Num value = Num.parse(variables.get(name));
    return value.known() ? value : Num.parse(variables.get(other));
  }

  /** Expands `gpu-n[001-003,010],login1` and several groups (`r[1-2]n[01-16]`), keeping padding; empty when the list is not understood. */
  static List<String> hosts(String list) {
    return list.equals(Fact.UNKNOWN) || list.length() > LONGEST_LIST ? List.of() : HostList.expand(list, MOST_HOSTS);
  }
}
