package gdrproof.facts;

import java.util.Map;
import java.util.TreeMap;

/** What starts the ranks: MPI, Slurm, torchrun, and the framework's own messages. */
public sealed interface Launch extends Fact, RunFact {
  /** Ranks that a launcher was asked to start on a host. */
  record Slots(String node, String run, Num ranks) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new Slots(node, other, ranks);
    }
  }

  /**
   * A launch begins at this place: the head of an nccl-tests report, or a prompt with a launch command. It separates the runs of one file.
   *
   * @param file path inside the bundle
   * @param line first line, 1-based
   * @param program benchmark or launcher, or unknown
   */
  record RunStart(String node, String run, String file, Num line, String program) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RunStart(node, other, file, line, program);
    }
  }

  /**
   * A rank's place as the head of an nccl-tests report prints it.
   *
   * @param process `host:pid`, unknown in releases that print no pid
   * @param group communicator of a split run
   * @param device CUDA device index inside the process
   * @param busId PCI address as printed: `0000:1b:00`, or `0x1b` in old releases
   */
  record RankPlacement(String node, String run, String process, Num rank, Num group, Num device, String busId, String model) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RankPlacement(node, other, process, rank, group, device, busId, model);
    }
  }

  /**
   * Rank that a launcher's tag gives to a process's lines.
   *
   * @param source `mpirun`, `srun`, `torchrun`, `hydra`
   */
  record RankTag(String node, String run, String process, Num rank, String source) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RankTag(node, other, process, rank, source);
    }
  }

  /**
   * A message of a launcher, ssh, a scheduler or a framework.
   *
   * @param id name in `policies/launcher-messages.yaml`
   * @param level failure, warning or info
   * @param fields named groups of the pattern, and what stands in the box below it by lower-case key without blanks (`localhost`, `exitcode`)
   */
  record LaunchMessage(String node, String run, String id, String level, Map<String, String> fields) implements Launch {
    public LaunchMessage {
      fields = java.util.Collections.unmodifiableMap(new TreeMap<>(fields));
    }

    /** A field's text, or unknown. */
    public String field(String name) {
      return fields.getOrDefault(name, UNKNOWN);
    }

    public Num number(String name) {
      return Num.parse(fields.get(name));
    }

    @Override
    public Fact inRun(String other) {
      return new LaunchMessage(node, other, id, level, fields);
    }
  }

  /** Release of an MPI: `Open MPI`, `MPICH`, `Intel MPI`. */
  record MpiVersion(String node, String run, String implementation, String version) implements Launch {
    /** Major release, unknown where the version is no number. */
    public Num major() {
      return Num.parse(version.split("\\.")[0]);
    }

    @Override
    public Fact inRun(String other) {
      return new MpiVersion(node, other, implementation, version);
    }
  }

  /** Different ranks seen in the tags of a launcher's output. */
  record TaggedOutput(String node, String run, String source, Num ranks) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new TaggedOutput(node, other, source, ranks);
    }
  }

  /**
   * A Slurm job as its environment tells it.
   *
   * @param nodeList compressed host list as printed
   * @param hosts the list expanded, comma-separated, or unknown
   * @param tasksPerNode as printed: `8(x2)`
   * @param procId task the environment belongs to
   */
  record SlurmJob(String node, String run, String job, String nodeList, String hosts, Num nodes, Num tasks, String tasksPerNode, Num gpusPerNode, Num procId,
      Num localId) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new SlurmJob(node, other, job, nodeList, hosts, nodes, tasks, tasksPerNode, gpusPerNode, procId, localId);
    }
  }

  /** CPUs of a rank from `mpirun --report-bindings`. */
  record RankBinding(String node, String run, Num rank, String cpus) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RankBinding(node, other, rank, cpus);
    }
  }

  /**
   * Where the CPUs of a rank lie beside those of its GPU (derived from the log of NCCL, or from bindings and the affinity of the GPUs).
   *
   * @param cpus CPUs the rank may use, gpuCpus those of the GPU's own NUMA node, as ranges
   * @param place `near` (all of the rank's CPUs are the GPU's), `far` (none), `partly`
   */
  record RankCpus(String node, String run, String process, Num rank, String gpu, String cpus, String gpuCpus, String place) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RankCpus(node, other, process, rank, gpu, cpus, gpuCpus, place);
    }
  }

  /**
   * Ranks of one node that are bound to the very same CPUs, although the node has others.
   *
   * @param ranks how many, cores how many CPUs they share
   */
  record SharedCpus(String node, String run, String cpus, Num ranks, Num cores) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new SharedCpus(node, other, cpus, ranks, cores);
    }

    /** CPUs for each rank. */
    public Num each() {
      return cores.over(ranks);
    }
  }
}
