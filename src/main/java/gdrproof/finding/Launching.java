package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.finding.Diagnosis.Step;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Command lines that start a test over ranks, by the templates of `policies/launchers.yaml`: which nodes, how many ranks on each, which GPU, which settings. */
final class Launching {
  private static final int TCP_PORT = 29517;

  private final Hardware hardware;
  private final String launcher;
  private final Map<String, Object> templates = Policies.read("launchers.yaml");

  /** @param launcher `mpirun`, `srun`, `torchrun`; unknown for what the evidence shows */
  Launching(Hardware hardware, String launcher) {
    this.hardware = hardware;
    String shown = hardware.launcher();
    String wanted = launcher.equals(Fact.UNKNOWN) ? shown : launcher;
    this.launcher = templates.containsKey(wanted) ? wanted : "mpirun";
  }

  /** Steps of a test with a shape; none where the facts name too few nodes for it. */
  List<Step> steps(Map<String, Object> entry, Set<String> suspects, Collection<Subject> gpus, List<String> exactly) {
    List<String> all = hardware.hosts().stream().filter(h -> !AskCommands.safe(h).equals(Fact.UNKNOWN)).toList();
    String shape = String.valueOf(entry.get("shape"));
    List<String> hosts = exactly.isEmpty() ? hosts(shape, all, suspects) : exactly;
    if (hosts.isEmpty() || entry.containsKey("launchers") && !Policies.texts(entry.get("launchers")).contains(launcher)) {
      return List.of();
    }
    int most = hardware.gpusPerNode(hosts);
    int perNode = switch (shape) {
      case "one-gpu", "one-per-node", "pair", "hosts" -> 1;
      case "two-per-node" -> Math.min(2, Math.max(1, most));
      default -> most;
    };
    if (perNode < 1) {
      return List.of();
    }
    List<Step> steps = new ArrayList<>();
    Map<String, String> env = new LinkedHashMap<>();
    Policies.map(entry.get("env")).forEach((name, value) -> env.put(name, String.valueOf(value)));
    if (perNode == 1 && !shape.equals("hosts")) {
      env.put("CUDA_VISIBLE_DEVICES", gpu(hosts, gpus));
    }
    List<String> rails = Boolean.TRUE.equals(entry.get("rails")) ? rails(hosts) : List.of("");
    for (String rail : rails) {
      Map<String, String> settings = new LinkedHashMap<>(env);
      if (!rail.isEmpty()) {
        settings.put("NCCL_IB_HCA", "=" + rail);
      }
      steps.addAll(launch(hosts, perNode, settings, entry, steps.isEmpty() ? 0 : steps.get(steps.size() - 1).unit() + 1));
    }
    return steps;
  }

  private List<String> hosts(String shape, List<String> all, Set<String> suspects) {
    List<String> first = new ArrayList<>(all.stream().filter(suspects::contains).toList());
    all.stream().filter(h -> !suspects.contains(h)).forEach(first::add);
    return switch (shape) {
      case "one-gpu", "one-node" -> first.stream().limit(1).toList();
      // A suspect beside a node that is not, where there is one.
      case "pair", "one-per-node", "two-per-node", "all" -> first.size() < 2 ? List.of() : two(first, suspects);
      default -> all;
    };
  }

  private static List<String> two(List<String> first, Set<String> suspects) {
    String other = first.stream().skip(1).filter(h -> !suspects.contains(h)).findFirst().orElse(first.get(1));
    return List.of(first.get(0), other);
  }

  /** The GPU in question, else the one nearest the first HCA in use, else the first that the facts name; else the slot. */
  private String gpu(List<String> hosts, Collection<Subject> gpus) {
    for (Subject subject : gpus) {
      String index = hardware.of(subject.node()).gpuIndex(hardware.of(subject.node()).gpu(subject.name()));
      if (!index.equals(Fact.UNKNOWN)) {
        return index;
      }
    }
    Hardware.Node node = hardware.of(hosts.get(0));
    String near = node.hcas().isEmpty() ? Fact.UNKNOWN : node.gpuNear(node.hcas().get(0), false);
    String chosen = near.equals(Fact.UNKNOWN) ? node.gpuNames().stream().findFirst().orElse(Fact.UNKNOWN) : near;
    String index = node.gpuIndex(chosen);
    return index.equals(Fact.UNKNOWN) ? "{gpu_index}" : index;
  }

  private List<String> rails(List<String> hosts) {
    Hardware.Node node = hardware.of(hosts.get(0));
    List<String> rails = node.hcas().stream().filter(h -> !AskCommands.safe(h).equals(Fact.UNKNOWN)).map(h -> h + ":" + (node.port(h).equals(Fact.UNKNOWN) ? "1" : node.port(h))).toList();
    return rails.isEmpty() ? List.of("{hca}:1") : rails;
  }

  private List<Step> launch(List<String> hosts, int perNode, Map<String, String> env, Map<String, Object> entry, int unit) {
    String program = entry.getOrDefault("program", "all_reduce_perf") + (entry.containsKey("args") ? " " + entry.get("args") : "");
    if (hosts.size() == 1 && !entry.containsKey("launched")) {
      // One process drives all GPUs of a node: no launcher can be at fault.
      return List.of(new Step(hosts.get(0), Step.RUN, unit, assignments(env) + program.replace(" -g 1", " -g " + perNode)));
    }
    Map<String, Object> template = Policies.map(templates.get(launcher));
    StringBuilder settings = new StringBuilder();
    env.forEach((name, value) -> settings.append(String.valueOf(template.get("env")).replace("{name}", name).replace("{value}", value)));
    List<String> slots = hosts.stream().map(h -> String.valueOf(template.get("slot")).replace("{node}", h).replace("{per_node}", String.valueOf(perNode))).toList();
    boolean members = Boolean.TRUE.equals(template.get("members"));
    String code = String.valueOf(template.getOrDefault("program", program));
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < (members ? hosts.size() : 1); i++) {
      String line = String.valueOf(template.get("launch")).replace("{program}", entry.containsKey("launched") ? String.valueOf(entry.get("launched")) : code).replace("{ranks}", String.valueOf(hosts.size() * perNode)).replace("{per_node}", String.valueOf(perNode))
          .replace("{node_count}", String.valueOf(hosts.size())).replace("{slots}", String.join(",", slots)).replace("{head}", hosts.get(0)).replace("{node_rank}", String.valueOf(i))
          .replace("{tcp}", String.valueOf(TCP_PORT + unit % 400)).replace("{env}", settings);
      steps.add(new Step(hosts.get(i), members ? Step.MEMBER : Step.RUN, unit, line));
    }
    return steps;
  }

  private static String assignments(Map<String, String> env) {
    StringBuilder text = new StringBuilder();
    env.forEach((name, value) -> text.append(name).append('=').append(value).append(' '));
    return text.toString();
  }
}
