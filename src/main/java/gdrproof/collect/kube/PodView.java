package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.facts.Num;
import gdrproof.policy.ResourceNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a pod template shows before anything is concluded from it: containers, resources, commands, words. */
final class PodView {
  /** A container with its command, and what it asks for. */
  record Part(Value container, String id, String name, String kind, Launches launches, List<Ask> asks) {
    /** Whole GPUs or parts of so many; unknown where the resource counts replicas, several of which may be one GPU. */
    Num gpus() {
      double sum = 0;
      for (Ask ask : asks) {
        if (ask.family().equals(ResourceFamily.GPU)) {
          if (!ask.amount().known()) {
            return Num.UNKNOWN;
          }
          if (ask.amount().above(1) && ResourceNames.replicas(ask.resource())) {
            return Num.UNKNOWN;
          }
          sum += ask.amount().value();
        }
      }
      return Num.of(sum);
    }

    boolean asksGpu() {
      return !gpus().is(0);
    }
  }

  /** A resource asked for; `at` is its value. */
  record Ask(String resource, String family, Num amount, String text, String flaw, Value at) {}

  final PodTemplate template;
  final List<Part> parts = new ArrayList<>();
  final Set<String> families = new HashSet<>();
  final String words;

  PodView(PodTemplate template) {
    this.template = template;
    StringBuilder text = new StringBuilder();
    for (Value container : template.spec().at("initContainers").items()) {
      add(container, container.at("restartPolicy").text().equals("Always") ? "sidecar" : "init", text);
    }
    boolean several = template.containers().size() > 1;
    for (Value container : template.containers()) {
      add(container, several && sidecar(container) ? "sidecar" : "main", text);
    }
    this.words = text.toString();
  }

  private void add(Value container, String kind, StringBuilder text) {
    String name = container.at("name").text(container.key().isEmpty() ? "container" : container.key());
    Part part = new Part(container, template.id() + "/" + name, name, kind, Launches.of(container), asks(container));
    parts.add(part);
    part.asks().forEach(ask -> families.add(ask.family()));
    if (!kind.equals("init")) {
      text.append(container.at("image").text().toLowerCase(Locale.ROOT)).append('\n');
      container.at("command").items().forEach(v -> text.append(v.text().toLowerCase(Locale.ROOT)).append(' '));
      container.at("args").items().forEach(v -> text.append(v.text().toLowerCase(Locale.ROOT)).append(' '));
      text.append(container.at("source").text().toLowerCase(Locale.ROOT)).append('\n');
      container.at("env").items().forEach(v -> text.append(v.at("name").text().toLowerCase(Locale.ROOT)).append('=').append(v.at("value").text().toLowerCase(Locale.ROOT)).append('\n'));
    }
  }

  /** Helpers beside the work: meshes, log shippers, daemons of network plugins. */
  private static boolean sidecar(Value container) {
    String text = (container.at("name").text() + " " + container.at("image").text()).toLowerCase(Locale.ROOT);
    for (String mark : List.of("istio-proxy", "linkerd", "fluent", "tcpxo-daemon", "tcpx-daemon", "tcpgpudmarxd", "rxdm", "envoy", "sidecar", "exporter", "filebeat", "vector", "cloud-sql-proxy",
        "gcsfuse", "log-agent", "promtail")) {
      if (text.contains(mark)) {
        return true;
      }
    }
    return false;
  }

  /** What a map with `resources` asks for. */
  static List<Ask> asks(Value container) {
    return asksOf(container.at("resources"));
  }

  /** What a map with `limits` and `requests` asks for. */
  static List<Ask> asksOf(Value resources) {
    List<Ask> asks = new ArrayList<>();
    Value limits = resources.at("limits");
    Value requests = resources.at("requests");
    Set<String> names = new java.util.LinkedHashSet<>(limits.entries().keySet());
    names.addAll(requests.entries().keySet());
    for (String name : names) {
      Value limit = limits.at(name);
      Value request = requests.at(name);
      Value counts = limit.exists() ? limit : request;
      String text = counts.text();
      boolean open = Placeholders.inNumber(text);
      Num amount = open ? Num.UNKNOWN : Quantity.of(text);
      String flaw = "";
      if (ResourceFamily.extended(name) && !open && !Placeholders.inNumber(request.text())) {
        if (!limit.exists()) {
          flaw = "no-limit";
        } else if (request.exists() && !Quantity.of(request.text()).equals(amount)) {
          flaw = "request-differs";
        } else if (amount.known() && amount.value() != Math.rint(amount.value()) || text.contains(".")) {
          flaw = "not-integer";
        }
      }
      asks.add(new Ask(name, ResourceFamily.of(name), amount, text, flaw, counts));
    }
    return asks;
  }

  boolean says(String... marks) {
    for (String mark : marks) {
      if (words.contains(mark)) {
        return true;
      }
    }
    return false;
  }

  /** The first volume of a kind that a container mounts at a path; MISSING if none. */
  Value volumeAt(Value container, String path) {
    for (Value mount : container.at("volumeMounts").items()) {
      String at = mount.at("mountPath").text();
      if (at.equals(path) || at.equals(path + "/")) {
        return volume(mount.at("name").text());
      }
    }
    return Value.MISSING;
  }

  Value volume(String name) {
    for (Value volume : template.volumes()) {
      if (volume.at("name").text().equals(name)) {
        return volume;
      }
    }
    return Value.MISSING;
  }

  Num gpus() {
    double sum = 0;
    for (Part part : parts) {
      Num gpus = part.gpus();
      if (!gpus.known()) {
        return Num.UNKNOWN;
      }
      if (!part.kind().equals("init")) {
        sum += gpus.value();
      }
    }
    return Num.of(sum);
  }

  boolean privileged() {
    return parts.stream().filter(p -> !p.kind().equals("init")).anyMatch(p -> p.container().at("securityContext", "privileged").isTrue());
  }

  /** Whether a host path (or a folder above or below it) is among the volumes. */
  boolean hostPath(String path) {
    return template.volumes().stream().map(v -> v.at("hostPath", "path").text()).anyMatch(p -> p.equals(path) || p.equals(path + "/") || p.startsWith(path + "/"));
  }
}
