package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.DeviceNode;
import gdrproof.facts.Host.PathState;
import gdrproof.facts.Host.ShmSegments;
import gdrproof.facts.Host.SysEntry;
import gdrproof.facts.Host.VerbsProvider;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ls` of /dev/infiniband, /dev/nvidia*, /dev/shm and the RDMA classes of /sys, and what `ls` and `cat` could not reach. */
final class Listings implements Collector {
  private static final Pattern DEVICE = Pattern.compile(
      "^(?<mode>[bc][rwxsStT-]{9})[.+@]?\\s+\\d+\\s+\\S+\\s+\\S+\\s+\\d+,\\s*\\d+\\s+(?:\\S+\\s+){2,3}(?<name>[\\w./-]+)$");
  private static final Pattern FILE = Pattern.compile(
      "^-[rwxsStT-]{9}[.+@]?\\s+\\d+\\s+\\S+\\s+\\S+\\s+(?<size>\\d+)\\s+(?<time>\\S+\\s+\\S+\\s+\\S+|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d)\\s+(?<name>\\S+)$");
  private static final Pattern HEADING = Pattern.compile("^(?<folder>/(?:dev|sys)[\\w./-]*):$");
  private static final Pattern ERROR = Pattern.compile(
      "(?:(?:ls|cat|stat|find|df|readlink|grep|head|bash|sh):(?: \\d+:)? (?:cannot (?:access|open directory|open|statx?) )?|could not open )['\"‘]?(?<path>/(?:dev|sys|proc)[^'\"’:\\s]*|/[^'\"’:\\s]*/lib[a-z0-9_]+(?:-rdmav\\d*)?[*]?[^'\"’:\\s/]*)['\"’]?: (?<error>No such file or directory|Permission denied|Operation not permitted|No such device)");
  private static final Pattern LS = Pattern.compile("(?:^|[;&|]\\s*|\\s)ls\\b(?:\\s+-\\S+)*\\s+(?<folder>/(?:dev|sys)\\S*)");
  private static final Pattern VERBS_NODE = Pattern.compile("(?:uverbs|umad|issm)\\d+|rdma_cm|ucm\\d+");
  private static final Pattern GPU_NODE = Pattern.compile("nvidia(?:\\d+|ctl|-uvm|-uvm-tools|-modeset|-nvswitch\\w+|-nvlink|-fs\\d*|-imex\\S*)|gdrdrv");
  private static final Pattern PROVIDER = Pattern.compile("(?<folder>/\\S*/)?lib(?<name>[A-Za-z0-9_]+)-rdmav(?<abi>\\d+)\\.so\\S*");
  /** A whole folder of providers: no pattern behind it. */
  private static final Pattern PROVIDER_FOLDER = Pattern.compile("\\bls\\b(?:\\s+-\\S+)*\\s+(?:[^;&|]*\\s)?(?<folder>/[^\\s;&|'\"*]*/libibverbs)/?(?=[\\s;&|'\"]|$)");
  private static final String PROVIDER_KEY = "verbs.provider.";
  /** Providers of the devices that carry GPU traffic, for whose devices the policy has names. */
  private static final List<String> PROVIDERS = Policies.settings().stream().map(Setting::key).filter(k -> k.startsWith(PROVIDER_KEY)).map(k -> k.substring(PROVIDER_KEY.length())).sorted().toList();
  private static final Pattern SEVERAL = Pattern.compile("\\bls\\b.*\\bls\\b");
  private static final Pattern RDMA_NAME = Pattern.compile("(?:mlx[45]_|bnxt_re|irdma|efa_|hns_|rdmap|rocep|roceo|ibp|ibs|iwp|rxe|siw|mana_)\\w*\\d");
  private static final Pattern ENTRY = Pattern.compile("^[dlcbps-][rwxsStT-]{9}.*");
  private static final Pattern ANY_LS = Pattern.compile("(?:^|[;&|(]\\s*|\\s|['\"])(?:ls|find)\\b");
  private static final Pattern SYS_FOLDER = Pattern.compile("/sys(?:/(?:class|bus|devices)(?:/pci(?:_bus)?(?:/devices)?)?)?");
  private static final String SYS_CLASS = "/sys/class/infiniband";
  private static final Pattern NAME = Pattern.compile("^[\\w.:-]+$");
  private static final Pattern NCCL_SEGMENT = Pattern.compile("^nccl-\\S+$");

  @Override
  public String tool() {
    return "ls -l /dev/infiniband";
  }

  @Override
  public List<String> hints() {
    return List.of("crw", "cr-", "c-w", "c--", "brw", "br-", "b-w", "b--", "-rw", "-r-", "--w", "---", "/dev", "/sys", "/proc", "-rdmav");
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher asked = LS.matcher(section.command().equals(Fact.UNKNOWN) ? "" : section.command());
    String folder = asked.find() ? asked.group("folder").replaceAll("[/*;'\"]+$", "") : "";
    String scope = Views.scope(section);
    boolean several = SEVERAL.matcher(section.command()).find();
    Shm shm = new Shm();
    int verbs = -1;
    int none = -1;
    int entries = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher m;
      if ((m = HEADING.matcher(line)).matches()) {
        folder = m.group("folder").replaceAll("/$", "");
        sink.understood(section, i);
      } else if ((m = ERROR.matcher(line)).find()) {
        missing(section, sink, i, scope, m);
      } else if ((m = DEVICE.matcher(line)).matches()) {
        String path = path(m.group("name"), folder);
        sink.fact(new DeviceNode(section.node(), scope, path, m.group("mode")), section.at(i));
        verbs = path.startsWith("/dev/infiniband/") ? i : verbs;
      } else if ((m = FILE.matcher(line)).matches() && (folder.equals("/dev/shm") || NCCL_SEGMENT.matcher(m.group("name")).matches())) {
        shm.add(m, i);
        sink.understood(section, i);
      } else if (SYS_FOLDER.matcher(folder).matches() && line.equals("total 0") && !(i + 1 < section.lines().size() && ENTRY.matcher(section.lines().get(i + 1).strip()).matches())) {
        sink.fact(new PathState(section.node(), scope, folder, "empty"), section.at(i));
      } else if (folder.equals(SYS_CLASS) && line.equals("total 0")) {
        none = i;
        sink.understood(section, i);
      } else if (several && !line.isEmpty()) {
        verbs = anyOf(section, sink, i, scope, line) ? i : verbs;
      } else if (shortListing(folder) && !line.isEmpty()) {
        entries += folder.equals(SYS_CLASS) ? 1 : 0;
        verbs = names(section, sink, i, scope, folder, line) ? i : verbs;
      }
    }
    if (none >= 0 && entries == 0 && !Views.filtered(section)) {
      // `ls -l` of the folder alone: the kernel has no RDMA device, or no driver that made one.
      sink.fact(new RdmaToolError(section.node(), "ls " + SYS_CLASS, "none-in-sysfs"), section.at(none));
    }
    if (verbs >= 0 && !Views.filtered(section)) {
      sink.looked(section, Kind.RDMA_DEVICE_NODES, verbs);
    }
    if (SYS_FOLDER.matcher(folder).matches() && section.command().strip().matches("ls(?:\\s+-\\S+)*\\s+\\S+") && section.lines().stream().allMatch(String::isBlank)) {
      sink.fact(new PathState(section.node(), scope, folder, "empty"), Views.commandLine(section));
    }
    if (ANY_LS.matcher(section.command()).find()) {
      providers(section, sink, scope);
    }
    shm.put(section, sink, scope);
  }

  /** Bare names where one command lists several folders: what they are tells which folder they are of. */
  private static boolean anyOf(Section section, Sink sink, int index, String scope, String line) {
    List<String> names = List.of(line.split("\\s+"));
    if (section.command().contains("/dev/infiniband") && names.stream().allMatch(n -> VERBS_NODE.matcher(n).matches() || n.equals("by-ibdev") || n.equals("by-path"))) {
      names.stream().filter(n -> VERBS_NODE.matcher(n).matches())
          .forEach(n -> sink.fact(new DeviceNode(section.node(), scope, "/dev/infiniband/" + n, Fact.UNKNOWN), section.at(index)));
      return true;
    }
    if (section.command().contains(SYS_CLASS) && names.stream().allMatch(n -> RDMA_NAME.matcher(n).matches())) {
      names.forEach(n -> sink.fact(new SysEntry(section.node(), scope, SYS_CLASS + "/" + n), section.at(index)));
    } else if (names.stream().allMatch(n -> n.matches("\\w+\\.driver"))) {
      sink.understood(section, index);
    }
    return false;
  }

  /** Provider libraries of libibverbs in any listing, and those that the listing of their whole folder passes over. */
  private static void providers(Section section, Sink sink, String scope) {
    TreeSet<String> listed = new TreeSet<>();
    int last = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher m = PROVIDER.matcher(section.lines().get(i));
      // What could not be reached is no provider.
      while (!section.lines().get(i).contains(": cannot ") && !section.lines().get(i).contains("No such file") && m.find()) {
        String folder = m.group("folder") == null ? Fact.UNKNOWN : m.group("folder").replaceAll("/$", "");
        sink.fact(new VerbsProvider(section.node(), scope, m.group("name"), m.group("abi"), folder), section.at(i));
        listed.add(m.group("name"));
        last = i;
      }
    }
    Matcher whole = PROVIDER_FOLDER.matcher(section.command());
    if (!listed.isEmpty() && !Views.filtered(section) && whole.find()) {
      for (String name : PROVIDERS) {
        // The list is sorted: what would stand before its last name is not there, even if the end was cut.
        if (!listed.contains(name) && name.compareTo(listed.last()) < 0) {
          sink.fact(new PathState(section.node(), scope, whole.group("folder") + "/lib" + name, "missing"), section.at(last));
        }
      }
    }
  }

  private static boolean shortListing(String folder) {
    return folder.equals("/dev/infiniband") || folder.startsWith("/sys/class/infiniband") || folder.equals("/sys/class/net");
  }

  /** Bare names of `ls FOLDER`; a line with anything else in it is no listing. */
  private static boolean names(Section section, Sink sink, int index, String scope, String folder, String line) {
    String[] names = line.split("\\s+");
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        return false;
      }
    }
    if (names[0].equals("total") && names.length == 2) {
      sink.understood(section, index);
      return false;
    }
    boolean verbs = false;
    for (String name : names) {
      if (folder.equals("/dev/infiniband") && VERBS_NODE.matcher(name).matches()) {
        sink.fact(new DeviceNode(section.node(), scope, folder + "/" + name, Fact.UNKNOWN), section.at(index));
        verbs = true;
      } else if (folder.startsWith("/sys/")) {
        sink.fact(new SysEntry(section.node(), scope, folder + "/" + name), section.at(index));
      }
    }
    return verbs;
  }

  private static void missing(Section section, Sink sink, int index, String scope, Matcher m) {
    String error = m.group("error");
    String path = m.group("path").replaceAll("[/*]+$", "");
    String state = error.startsWith("No such") ? "missing" : "denied";
    sink.fact(new PathState(section.node(), scope, path, state), section.at(index));
    if (state.equals("missing") && path.equals("/dev/infiniband")) {
      sink.looked(section, Kind.RDMA_DEVICE_NODES, index);
    }
    if (state.equals("missing") && path.equals("/sys/kernel/mm/memory_peers")) {
      sink.looked(section, Kind.MEMORY_PEERS, index);
    }
  }

  private static String path(String name, String folder) {
    if (name.startsWith("/")) {
      return name;
    }
    if (VERBS_NODE.matcher(name).matches()) {
      return "/dev/infiniband/" + name;
    }
    if (GPU_NODE.matcher(name).matches()) {
      return "/dev/" + name;
    }
    return (folder.isEmpty() ? "/dev" : folder) + "/" + name;
  }

  /** Counts segments of NCCL, so that a folder of thousands of files stays one fact. */
  private static final class Shm {
    private final Set<String> times = new TreeSet<>();
    private long bytes;
    private int files;
    private int first = -1;
    private int last;

    void add(Matcher file, int index) {
      if (!NCCL_SEGMENT.matcher(file.group("name")).matches()) {
        return;
      }
      files++;
      bytes += file.group("size").length() > 18 ? 0 : Long.parseLong(file.group("size"));
      times.add(file.group("time").replaceAll("\\s+", " "));
      first = first < 0 ? index : first;
      last = index;
    }

    void put(Section section, Sink sink, String scope) {
      if (files > 0) {
        sink.fact(new ShmSegments(section.node(), scope, Num.of(files), Num.of(bytes), Num.of(times.size()), Tri.of(!Views.filtered(section))),
            section.at(first, last));
      }
    }
  }
}
