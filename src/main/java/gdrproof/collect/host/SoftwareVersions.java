package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Tri;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions of the software stack: `uname`, os-release, the NVIDIA driver's own lines, `nvcc --version`, `mpirun --version`,
 * `ofed_info -s`, `ucx_info -v`, package lists, and plain `name version` lists.
 */
final class SoftwareVersions implements Collector {
  private static final Pattern NVRM = Pattern.compile(
      "NVRM(?: version)?:\\s+(?:loading )?NVIDIA UNIX (?<open>Open )?(?:\\w+ )?Kernel Module(?: for \\S+)?\\s+(?<version>\\d+\\.\\d+(?:\\.\\d+)?)");
  private static final Pattern UNAME_A = Pattern.compile("^Linux (?<host>\\S+) (?<release>\\d+\\.\\d+\\S*) #\\S+ .*\\b(?:x86_64|aarch64|ppc64le)\\b");
  private static final Pattern UNAME_R = Pattern.compile("^\\d+\\.\\d+\\.\\d+\\S*$");
  private static final Pattern UNAME = Pattern.compile("\\buname\\b");
  private static final Pattern PROC_VERSION = Pattern.compile("Linux version (?<release>\\d+\\.\\d+\\S*) \\(");
  private static final Pattern NVCC = Pattern.compile("Cuda compilation tools, release [\\d.]+, V(?<version>[\\d.]+)");
  private static final Pattern MPI = Pattern.compile("(?:mpirun|mpiexec|prterun) \\((?<kind>Open MPI|PRRTE|Open PMIx)\\) (?<version>\\d\\S*)");
  private static final Pattern HYDRA = Pattern.compile("^\\s*Version:\\s+(?<version>\\d+\\.\\d+\\S*)\\s*$");
  private static final Pattern OFED = Pattern.compile("^(?<kind>MLNX_OFED_LINUX|OFED-internal|MLNX_EN)-(?<version>\\d+\\.\\d+-[\\w.]+?)(?: \\([^)]*\\))?:?\\s*$");
  private static final Pattern NO_OFED = Pattern.compile("ofed_info: (?:command )?not found|command not found: ofed_info");
  /** `ucx_info -v`: two forms, by release. */
  private static final Pattern UCX = Pattern.compile("^# (?:UCT version=|Library version: )(?<version>\\d+\\.\\d+\\.\\d+)\\b.*");
  private static final Pattern OS = Pattern.compile("^PRETTY_NAME=\"?(?<name>[^\"]+)\"?$");
  private static final Pattern PACKAGE = Pattern.compile(
      "^(?:ii\\s+)?(?<name>rdma-core|libibverbs1?|ibverbs-providers|libmlx5-1|libnccl2|nvidia-peer-memory\\S*|gdrcopy\\S*|libfabric\\S*|ucx|nvidia-fabricmanager\\S*|nvidia-driver-\\S+|openmpi\\S*|perftest)(?::\\w+)?[\\s-]+(?<version>\\d[\\w.:+~-]*)");
  private static final Pattern LISTED = Pattern.compile(
      "^(?:[-*#]\\s*)?(?<name>nccl|cuda(?: toolkit| runtime| driver)?|nvidia driver|driver|kernel|ofed|mlnx_ofed|doca(?:[- ]ofed)?|rdma-core|libibverbs|open ?mpi|mpi|ucx|libfabric|fi_info|aws-ofi-nccl|efa(?: installer)?|perftest|gdrcopy|pytorch|torch|os|firmware|fw)(?: version| release)?\\s*(?:[:=]\\s*|\\s)v?(?<version>\\d[\\w.+~-]*)\\b.*$",
      Pattern.CASE_INSENSITIVE);
  private static final Pattern VERSION_FILE = Pattern.compile("version|inventory|software|stack|uname|kernel");
  private static final Pattern SCOPE = Pattern.compile("^#\\s*(?<scope>.{1,60}?)\\s*:?$");
  private static final Map<String, String> NAMES = Map.ofEntries(Map.entry("driver", "nvidia-driver"), Map.entry("nvidia driver", "nvidia-driver"),
      Map.entry("cuda toolkit", "cuda"), Map.entry("cuda runtime", "cuda"), Map.entry("cuda driver", "cuda-driver"), Map.entry("mlnx_ofed", "ofed"),
      Map.entry("doca", "ofed"), Map.entry("doca ofed", "ofed"), Map.entry("openmpi", "mpi"), Map.entry("open mpi", "mpi"),
      Map.entry("fi_info", "libfabric"), Map.entry("fw", "firmware"), Map.entry("libnccl2", "nccl"), Map.entry("torch", "pytorch"));

  @Override
  public String tool() {
    return "uname -r";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String scope = Views.scope(section);
    boolean uname = Views.command(section, UNAME);
    boolean mpi = section.command().contains("mpi");
    boolean listed = VERSION_FILE.matcher(section.name()).find() || Views.command(section, VERSION_FILE);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher m;
      if ((m = NVRM.matcher(line)).find()) {
        sink.fact(new NvidiaDriver(section.node(), m.group("version"), Tri.of(m.group("open") != null), "loaded"), section.at(i));
        put(section, sink, i, scope, "nvidia-driver", m.group("version"));
      } else if ((m = UNAME_A.matcher(line)).find() || (m = PROC_VERSION.matcher(line)).find()) {
        put(section, sink, i, scope, "kernel", m.group("release"));
      } else if (uname && UNAME_R.matcher(line).matches()) {
        put(section, sink, i, scope, "kernel", line);
      } else if ((m = NVCC.matcher(line)).find()) {
        put(section, sink, i, scope, "cuda", m.group("version"));
      } else if ((m = MPI.matcher(line)).find() || mpi && (m = HYDRA.matcher(line)).matches()) {
        put(section, sink, i, scope, "mpi", m.group("version"));
      } else if ((m = OFED.matcher(line)).matches()) {
        put(section, sink, i, scope, m.group("kind").equals("OFED-internal") ? "doca-ofed" : "mlnx-ofed", m.group("version"));
        put(section, sink, i, scope, "ofed", m.group("version"));
      } else if ((m = UCX.matcher(line)).matches() && (line.startsWith("# UCT") || section.command().contains("ucx") || section.lines().stream().anyMatch(l -> l.contains("libuc")))) {
        put(section, sink, i, scope, "ucx", m.group("version"));
      } else if (NO_OFED.matcher(line).find()) {
        put(section, sink, i, scope, "ofed", "inbox");
      } else if ((m = OS.matcher(line)).matches()) {
        put(section, sink, i, scope, "os", m.group("name"));
      } else if ((m = PACKAGE.matcher(line)).find()) {
        put(section, sink, i, scope, m.group("name"), m.group("version"));
      } else if (listed) {
        if ((m = SCOPE.matcher(line)).matches()) {
          scope = m.group("scope");
          sink.understood(section, i);
        } else if ((m = LISTED.matcher(line)).matches()) {
          put(section, sink, i, scope, m.group("name"), m.group("version"));
        }
      }
    }
  }

  private static void put(Section section, Sink sink, int index, String scope, String name, String version) {
    String component = name.toLowerCase(Locale.ROOT).replaceFirst("[:=]+$", "");
    sink.fact(new SoftwareVersion(section.node(), scope.isEmpty() ? Fact.UNKNOWN : scope, NAMES.getOrDefault(component, component), version), section.at(index));
  }

}
