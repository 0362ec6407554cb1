package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.collect.env.NcclSettings;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.ContainerRun;
import gdrproof.facts.Host.DeviceNode;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Compose files (Compose Specification; also `docker compose config` and what podman-compose reads): how services that have GPUs or RDMA devices are started.
 * Other services of the file, such as those that watch the job, are none of the job's containers.
 */
final class ComposeFiles implements Collector {
  private static final Pattern GPU = Pattern.compile("(?i)/dev/(?:nvidia|infiniband)\\S*|nvidia\\.com/gpu\\S*");
  private static final Pattern VERBS = Pattern.compile("/dev/infiniband/uverbs\\d+");
  private static final Pattern VARIABLE = Pattern.compile(".*\\$\\{?\\w.*");

  @Override
  public String tool() {
    return "docker compose config";
  }

  @Override
  public List<String> hints() {
    return List.of("services");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean compose = section.lines().stream().anyMatch(l -> l.startsWith("services:")) && section.lines().stream().noneMatch(l -> l.startsWith("apiVersion:"));
    if (!compose) {
      return;
    }
    for (Document document : Yaml.read(section)) {
      document.flaws().stream().limit(1).forEach(flaw -> sink.unread(section, Math.max(0, flaw.line() - section.firstLine()), "compose file: " + flaw.message()));
      document.root().at("services").entries().forEach((name, service) -> {
        if (service.isMap() && hasGpu(service)) {
          service(section, document, name, service, sink);
        }
      });
    }
  }

  /** Any of the ways to give GPUs or RDMA devices to a service. */
  private static boolean hasGpu(Value service) {
    boolean reserved = service.at("deploy", "resources", "reservations", "devices").items().stream()
        .anyMatch(d -> d.at("driver").text().equals("nvidia") || d.at("capabilities").items().stream().anyMatch(c -> c.text().equals("gpu")));
    boolean nodes = devices(service).stream().anyMatch(d -> GPU.matcher(d).matches());
    return reserved || nodes || service.at("gpus").exists() || service.at("runtime").text().equals("nvidia")
        || environment(service).stream().anyMatch(e -> e[0].equals("NVIDIA_VISIBLE_DEVICES") && !e[1].matches("|none|void") || e[0].startsWith("NCCL_"));
  }

  private static void service(Section section, Document document, String name, Value service, Sink sink) {
    Evidence at = document.atKey(service).from(section.node(), section.command(), section.time());
    boolean privileged = service.at("privileged").isTrue();
    // What another file or a variable adds is not known here.
    boolean open = service.at("extends").exists() || devices(service).stream().anyMatch(d -> VARIABLE.matcher(d).matches());
    boolean infiniband = devices(service).stream().anyMatch(Containers::passes);
    boolean lock = service.at("cap_add").items().stream().anyMatch(c -> c.text().matches("(?i)(?:CAP_)?(?:IPC_LOCK|ALL)"));
    Value memlock = service.at("ulimits", "memlock");
    String limit = memlock.isMap() ? memlock.at("soft").text() : memlock.text();
    String image = service.at("image").text();
    sink.fact(new ContainerRun(section.node(), "compose", image.isEmpty() ? Fact.UNKNOWN : image, Tri.of(privileged), Tri.of(service.at("ipc").text().equals("host")),
        Views.size(service.at("shm_size").text().replaceFirst("(?i)(?<=\\d)b$", ""), 1), Views.limit(limit, 1),
        privileged || infiniband ? Tri.YES : open ? Tri.UNKNOWN : Tri.NO, privileged || lock ? Tri.YES : open ? Tri.UNKNOWN : Tri.NO,
        Tri.of(service.at("network_mode").text().equals("host"))), at);
    if (!privileged && !open && devices(service).stream().noneMatch(d -> Containers.passes(d) && !VERBS.matcher(d).find())) {
      for (String device : devices(service)) {
        if (VERBS.matcher(device).lookingAt()) {
          sink.fact(new DeviceNode(section.node(), "container", device.replaceFirst(":.*", ""), Fact.UNKNOWN), at);
        }
      }
    }
    for (String[] variable : environment(service)) {
      if (NcclSettings.concerns(variable[0])) {
        EnvValue env = new EnvValue(section.node(), "container", "compose/" + name, variable[0], variable[1]);
        sink.fact(env, document.at(service.at("environment")).from(section.node(), section.command(), section.time()));
      }
    }
  }

  /** Devices and volumes, in both of their forms. */
  private static List<String> devices(Value service) {
    List<String> all = new ArrayList<>();
    for (String list : List.of("devices", "volumes")) {
      for (Value each : service.at(list).items()) {
        all.add(each.isMap() ? each.at("source").text() : each.text());
      }
    }
    return all;
  }

  /** Names and values, from a list of assignments or a map. */
  private static List<String[]> environment(Value service) {
    List<String[]> all = new ArrayList<>();
    Value environment = service.at("environment");
    environment.entries().forEach((name, value) -> all.add(new String[] {name, value.text()}));
    environment.items().forEach(i -> {
      int equals = i.text().indexOf('=');
      if (equals > 0) {
        all.add(new String[] {i.text().substring(0, equals), i.text().substring(equals + 1)});
      }
    });
    // A variable of the shell that starts it is not known here.
    all.removeIf(e -> VARIABLE.matcher(e[1]).matches());
    return all;
  }
}
