package gdrproof.probe;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A node of the Slurm allocation that this process belongs to: `srun` starts the commands there, beside the job's own step. */
public final class SrunTarget implements Target {
  private final String node;
  private final LocalTarget local = new LocalTarget();

  public SrunTarget(String node) {
    this.node = node;
  }

  /**
   * Nodes of the allocation around this process, empty without one.
   *
   * @param nodelist `SLURM_JOB_NODELIST`: `gpu[01-04,7],head`
   */
  public static List<String> nodes(String nodelist) {
    return nodelist == null || nodelist.isBlank() ? List.of() : gdrproof.bundle.HostList.expand(nodelist);
  }

  @Override
  public String node() {
    int dot = node.indexOf('.');
    return dot > 0 ? node.substring(0, dot) : node;
  }

  @Override
  public Boundary boundary() {
    return Boundary.HOST;
  }

  @Override
  public String describe() {
    return "srun on " + node;
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    List<String> words = new ArrayList<>(List.of("exec", "srun", "--overlap", "--quiet", "--nodes=1", "--ntasks=1", "--input=none", "--nodelist=" + node));
    String shell = String.join(" ", words) + " /bin/sh -c " + Leash.quote(command.shell());
    return local.start(new Command(shell, command.timeout(), command.maxBytes()), out);
  }

  @Override
  public void close() {
    local.close();
  }

  /** Whether `srun` is there. */
  public static boolean available() {
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "" : path).split(":")) {
      if (!folder.isEmpty() && java.nio.file.Files.isExecutable(Path.of(folder, "srun"))) {
        return true;
      }
    }
    return false;
  }
}
