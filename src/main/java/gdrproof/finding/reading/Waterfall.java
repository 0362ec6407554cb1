package gdrproof.finding.reading;

import gdrproof.facts.Fact;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.reading.Reading.Part;
import gdrproof.finding.reading.Reading.Step;
import gdrproof.policy.GpuLinks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * From the line rate of one run's hardware down to what it measured. All figures are GB/s of busbw: for a ring, what a node's network must
 * carry is the busbw itself; for alltoall each rank sends to remote ranks only what its share of the ports carries.
 */
final class Waterfall {
  private static final Set<String> RING = Set.of("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce");
  private static final Set<String> HIERARCHICAL = Set.of("all_reduce", "all_gather", "reduce_scatter");
  private static final double BITS = 8;
  private static final String MEASURED = "measured";

  private final RunSummary run;
  private final Hardware hardware;
  private final Overheads overheads;
  private final String role;
  private final Num overhead;
  private final List<Answer> causes;
  private final List<Part> parts = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private double left;
  private Num ceiling = Num.UNKNOWN;
  private boolean reachable = true;
  private String limiting = Fact.UNKNOWN;

  Waterfall(RunSummary run, Hardware hardware, Overheads overheads, String role, Num overhead, List<Answer> causes) {
    this.run = run;
    this.hardware = hardware;
    this.overheads = overheads;
    this.role = role;
    this.overhead = overhead;
    this.causes = causes;
    nvlink();
    if (run.multiNode()) {
      network();
    } else if (run.oneNode()) {
      local();
    } else {
      notes.add("how many nodes took part is not in the evidence, so no ceiling is computed");
    }
  }

  List<Part> parts() {
    return List.copyOf(parts);
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  /** What the last step before the measured one leaves; unknown where no step is known or nothing comes near it. */
  Num expected() {
    return ceiling;
  }

  /** The part that allows least, or unknown where none is known. */
  String limiting() {
    return limiting.equals(Fact.UNKNOWN) ? parts.stream().min(Comparator.comparing(Part::gBps)).map(Part::name).orElse(Fact.UNKNOWN) : limiting;
  }

  private void nvlink() {
    // On one node alltoall's busbw is what each GPU sends over its links, like that of a ring.
    if (RING.contains(run.collective()) || run.oneNode() && run.collective().equals("alltoall")) {
      GpuLinks.of(run.gpu(), run.perNode()).ifPresent(model -> parts.add(new Part("NVLink", model.gBps(), model.how(run.gpu()))));
    }
  }

  private void local() {
    Part nvlink = parts.stream().findFirst().orElse(null);
    if (nvlink == null) {
      notes.add("the links between these GPUs are not in the evidence or not in the policy, so no ceiling is computed");
      return;
    }
    start("line rate", nvlink.gBps().value(), nvlink.how());
    double most = left * 2 * (run.ranks().value() - 1) / run.ranks().value();
    if (run.collective().equals("all_reduce") && run.plateauGBps().above(left) && run.plateauGBps().below(most)) {
      parts.add(new Part("NVLink, in-switch reduction", Num.of(most).rounded(), "each GPU sends and receives the data once, as NVLS does"));
      parts.remove(nvlink);
      left = most;
      steps.add(new Step("algorithm", Num.of(left).rounded(), Num.of(0), "", "reduction in the switch instead of a ring"));
      notes.add("above what a ring could carry over these links: the switch reduces the data (NVLS); its ceiling is no target, since copies inside the GPU limit first");
      reachable = false;
    } else {
      Num share = GpuLinks.expected(run.collective(), run.ranks());
      if (share.known()) {
        step("copies in the GPU", left * share.value(), "what healthy nodes reach of the links (policies/gpu-links.yaml)");
      }
    }
    finish();
  }

  private void network() {
    if (!RING.contains(run.collective()) && !run.collective().equals("alltoall")) {
      notes.add("no model for " + run.collective() + " over several nodes, so no ceiling is computed");
      return;
    }
    boolean all = run.collective().equals("alltoall");
    if (all && !(run.ranks().above(run.perNode()) && run.perNode().above(0))) {
      notes.add("ranks of each node are not in the evidence, so no ceiling of alltoall is computed");
      return;
    }
    double scale = all ? (run.ranks().value() - 1) / (run.ranks().value() - run.perNode().value()) / run.perNode().value() : 1;
    String node = "";
    double lowest = Double.MAX_VALUE;
    for (String each : hardware.nodes(run.hosts())) {
      double sum = hardware.rails(each, run.run()).values().stream().mapToDouble(p -> p.rateGbps().value()).sum();
      if (sum > 0 && sum < lowest) {
        node = each;
        lowest = sum;
      }
    }
    if (node.isEmpty()) {
      notes.add("the rates of the ports are not in the evidence, so no ceiling is computed");
      return;
    }
    rails(node, lowest / BITS, scale);
  }

  private void rails(String node, double line, double scale) {
    Map<String, RdmaPort> rails = hardware.rails(node, run.run());
    int count = rails.size();
    Set<String> each = rails.values().stream().map(p -> p.rateGbps().toString()).collect(Collectors.toCollection(TreeSet::new));
    start("line rate", line * scale, count + (count == 1 ? " port of " : " ports of ") + String.join(" or ", each) + " Gb/s" + (scale == 1 ? " on each node" : " on each node, as busbw of alltoall"));
    if (run.network().equals("Socket")) {
      limiting = "TCP sockets";
      step("transport", run.plateauGBps().value(), "NCCL uses sockets, so the rails carry nothing of this run");
      return;
    }
    Num used = run.hosts().stream().map(h -> hardware.used(h, run.run())).filter(Num::known).min(Comparator.naturalOrder()).orElse(hardware.used(node, run.run()));
    double share = used.above(0) && used.below(count) ? used.value() / count : 1;
    if (used.known()) {
      step("rails used", left * share, used + " of " + count + " by NCCL's own log");
    } else {
      notes.add("which rails the run used is not in the evidence; all " + count + " are counted");
    }
    boolean ethernet = rails.values().stream().noneMatch(p -> p.linkLayer().startsWith("I"));
    Num mtu = hardware.mtu(node, rails.keySet());
    double payload = overheads.network(ethernet, mtu);
    step("payload", left * payload, "headers of packets of " + (mtu.known() ? mtu.toString() : Num.of(overheads.assumedMtu(ethernet)) + " (not in the evidence)") + " bytes");
    parts.add(new Part("network", Num.of(left).rounded(), "ports in use, without headers"));
    pcie(node, rails, share, payload, scale);
    placement(node, scale);
    parts.stream().filter(p -> p.name().equals("NVLink") && p.gBps().below(left)).findFirst().ifPresent(p -> step("NVLink", p.gBps().value(), p.how()));
    protocol();
    hierarchy();
    finish();
  }

  private void pcie(String node, Map<String, RdmaPort> rails, double share, double payload, double scale) {
    double sum = 0;
    double link = 0;
    for (Map.Entry<String, RdmaPort> rail : rails.entrySet()) {
      Num pcie = hardware.pcie(node, rail.getKey(), overheads);
      if (!pcie.known()) {
        notes.add("the PCIe links of the HCAs are not all in the evidence");
        return;
      }
      sum += Math.min(pcie.value(), rail.getValue().rateGbps().value() / BITS * payload);
      link += pcie.value();
    }
    parts.add(new Part("PCIe of the HCAs", Num.of(link * share * scale).rounded(), "payload of " + rails.size() + " links in one direction" + (share < 1 ? ", those in use" : "")));
    step("PCIe", sum * share * scale, "what the links of the HCAs carry of it");
  }

  private void placement(String node, double scale) {
    Num gpu = hardware.gpuPcie(node, overheads);
    if (gpu.known() && run.perNode().above(0)) {
      double most = gpu.value() * run.perNode().value() * scale;
      parts.add(new Part("PCIe of the GPUs", Num.of(most).rounded(), run.perNode() + (run.perNode().is(1) ? " GPU" : " GPUs") + " a node, " + gpu.rounded() + " GB/s each"));
      step("placement", Math.min(left, most), "GPUs that take part on each node");
    }
  }

  private void protocol() {
    Num share = overheads.protocol(run.setting("NCCL_PROTO"));
    if (share.known()) {
      step("protocol", left * share.value(), "NCCL_PROTO=" + run.setting("NCCL_PROTO"));
    }
  }

  /** Trees and in-switch reduction send less over the network than a ring; a figure above the ring's ceiling shows that one was used. */
  private void hierarchy() {
    if (!HIERARCHICAL.contains(run.collective()) || !run.plateauGBps().above(left)) {
      return;
    }
    double n = run.ranks().value();
    double m = run.nodes().value();
    double most = left * ((n - 1) / n) / ((m - 1) / m);
    parts.add(new Part("network, hierarchical", Num.of(most).rounded(), "each node sends its share once, as trees and NVLS do"));
    notes.add("above what a ring could carry (" + Num.of(left).rounded() + " GB/s): a hierarchical algorithm sends less over the network; its ceiling is " + Num.of(most).rounded() + " GB/s");
    parts.removeIf(p -> p.name().equals("network"));
    if (run.plateauGBps().above(most * (1 + overheads.noise()))) {
      notes.add("the figure is above every ceiling: rates, ranks or nodes in the evidence cannot be those of this run");
    }
    // A gain, not a loss: what is left grows, and the step says why.
    left = Math.max(left, Math.min(most, parts.stream().filter(p -> p.name().equals("NVLink")).mapToDouble(p -> p.gBps().value()).findFirst().orElse(most)));
    steps.add(new Step("algorithm", Num.of(left).rounded(), Num.of(0), "", "hierarchical instead of a ring"));
  }

  private void start(String name, double gBps, String how) {
    left = gBps;
    steps.add(new Step(name, Num.of(gBps).rounded(), Num.of(0), "", how));
  }

  private void step(String name, double after, String how) {
    double loss = Math.max(0, left - after);
    left = Math.min(left, after);
    steps.add(new Step(name, Num.of(left).rounded(), Num.of(loss).rounded(), tie(name, loss), how));
  }

  private void finish() {
    if (overhead.known()) {
      step("overhead", left * (1 - Math.min(1, overhead.value())), "time that an operation takes whatever its size, at the largest message");
    }
    ceiling = reachable ? Num.of(left) : Num.UNKNOWN;
    double loss = Math.max(0, left - run.plateauGBps().value());
    steps.add(new Step(MEASURED, run.plateauGBps(), Num.of(loss).rounded(), reachable ? tie(MEASURED, loss) : "inherent", "plateau of large messages"));
  }

  private String tie(String step, double loss) {
    double first = steps.isEmpty() ? loss : steps.get(0).gBps().value();
    if (loss <= first * overheads.noise()) {
      return Num.of(loss).rounded().above(0) && !step.equals(MEASURED) ? "inherent" : "";
    }
    String control = switch (role) {
      case "socket-only" -> step.equals("transport") ? "control: sockets only, on purpose" : "";
      case "gdr-off" -> step.equals(MEASURED) ? "control: GPUDirect RDMA switched off, on purpose" : "";
      case "one-rail" -> step.equals("rails used") ? "control: one rail alone, on purpose" : "";
      case "one-gpu-per-node" -> step.equals("rails used") || step.equals("placement") ? "one GPU a node, on purpose" : "";
      default -> "";
    };
    if (!control.isEmpty()) {
      return control;
    }
    if (step.equals("rails used") && run.perNode().is(1)) {
      return "placement: one rank on each node";
    }
    for (String name : overheads.settings(step)) {
      if (!run.setting(name).equals(Fact.UNKNOWN)) {
        return "setting " + name + "=" + run.setting(name);
      }
    }
    List<String> faults = overheads.faults(step);
    int number = 0;
    for (Answer cause : causes) {
      number++;
      boolean ours = cause.run().equals(run.run()) || cause.run().equals(Fact.UNKNOWN) || cause.run().isEmpty();
      boolean slows = step.equals(MEASURED) || step.equals("transport") ? !cause.explains().isEmpty() : faults.contains(cause.fault());
      if (ours && slows && !cause.fault().equals("bandwidth-expectation-misread")) {
        return "cause " + number + ": " + cause.fault();
      }
    }
    return step.equals("overhead") || step.equals("protocol") || step.equals("NVLink") || step.equals("copies in the GPU") ? "inherent" : "unexplained";
  }
}
