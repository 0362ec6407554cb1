package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Host.LoadedLibrary;
import gdrproof.facts.Nccl.NcclVersion;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `/proc/PID/maps`, whole or only its paths, and `ldd`: the libraries of NCCL, its plugins, verbs and CUDA that a running process has loaded, or a program would load. */
final class LoadedLibraries implements Collector {
  private static final Pattern OF_PROCESS = Pattern.compile("/proc/(?<pid>\\d+)/(?:maps|smaps|map_files)\\b");
  /** `ldd`: what the loader would take here and now, of no running process. */
  private static final Pattern LDD = Pattern.compile("\\b(?:ldd|readelf|objdump|patchelf)\\b");
  private static final Pattern RESOLVED = Pattern.compile("^\\s*(?<name>lib(?:nccl|ibverbs|mlx5|efa|rdmacm|fabric|cuda|cudart|mpi|nvidia-ml)[\\w-]*)\\.so(?:\\.(?<version>\\d[\\d.]*))? => (?<path>/\\S+) \\(0x[0-9a-f]+\\)$");
  /** `readelf -d`, `objdump -p`: what a program was linked with, found or not. */
  private static final Pattern NEEDED = Pattern.compile("\\bNEEDED\\b.*?\\b(?<name>libmpi\\w*)\\.so(?:\\.(?<version>\\d[\\d.]*))?\\]?\\s*$");
  /** A count of the lines that name a library, of those that a program is linked with. */
  private static final Pattern COUNTED = Pattern.compile("\\b(?:ldd|readelf|objdump)\\b[^|]*?(?<program>[^\\s|]+)\\s*\\|\\s*grep\\s+(?:-\\w*c\\w*|--count)\\s+(?:-\\w+\\s+)*[\"']?(?<library>(?:lib)?\\w+)");
  private static final Pattern LINE = Pattern.compile("^(?:[0-9a-f]+-[0-9a-f]+ [rwxsp-]{4} \\S+ \\S+ \\d+ +)?(?<path>/\\S*/(?<name>lib(?:nccl|rccl|nccl-net|nccl-tuner|nccl-profiler|ibverbs|mlx5|efa|rdmacm|fabric|"
      + "cuda|cudart|gdrapi|ucp|uct|mpi|torch_cuda|sharp|nvidia-ml)[\\w-]*)\\.so(?:\\.(?<version>\\d[\\d.]*\\d|\\d))?)(?: \\(deleted\\))?$");

  @Override
  public String tool() {
    return "cat /proc/PID/maps";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher process = OF_PROCESS.matcher(section.command());
    if (!process.find()) {
      if (LDD.matcher(section.command()).find()) {
        resolved(section, sink);
      }
      return;
    }
    String owner = section.node() + ":" + process.group("pid");
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher line = LINE.matcher(section.lines().get(i).strip());
      if (!line.matches()) {
        continue;
      }
      sink.understood(section, i);
      if (!seen.add(line.group("path"))) {
        continue;
      }
      String version = line.group("version") == null ? Fact.UNKNOWN : line.group("version");
      sink.fact(new LoadedLibrary(section.node(), owner, line.group("name"), version, line.group("path")), section.at(i));
      // Two numbers and more are a release; `.2` alone is the interface.
      if (line.group("name").equals("libnccl") && version.matches("\\d+\\.\\d+\\.\\d+")) {
        sink.fact(new NcclVersion(section.node(), Fact.UNKNOWN, owner, version, Fact.UNKNOWN), section.at(i));
      }
    }
  }

  private static void resolved(Section section, Sink sink) {
    Matcher counted = COUNTED.matcher(section.command());
    if (counted.find() && !section.lines().isEmpty() && section.lines().get(0).strip().matches("\\d+")) {
      String program = counted.group("program");
      sink.fact(new HostMessage(section.node(), "library-count",
          Map.of("program", program.substring(program.lastIndexOf('/') + 1), "library", counted.group("library").replaceFirst("^(?:lib)?", "lib"), "count", section.lines().get(0).strip())), section.at(0));
      return;
    }
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher line = RESOLVED.matcher(section.lines().get(i).stripTrailing());
      Matcher needed = NEEDED.matcher(section.lines().get(i).stripTrailing());
      if (needed.find()) {
        sink.fact(new LoadedLibrary(section.node(), Fact.UNKNOWN, needed.group("name"), needed.group("version") == null ? Fact.UNKNOWN : needed.group("version"), Fact.UNKNOWN), section.at(i));
      } else if (line.matches()) {
        sink.fact(new LoadedLibrary(section.node(), Fact.UNKNOWN, line.group("name"), line.group("version") == null ? Fact.UNKNOWN : line.group("version"), line.group("path")), section.at(i));
      }
    }
  }
}
