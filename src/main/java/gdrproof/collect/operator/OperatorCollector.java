package gdrproof.collect.operator;

import gdrproof.bundle.Section;
import gdrproof.bundle.Words;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.Sink;
import gdrproof.facts.Ledger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Gathers what belongs to the operator's configuration from all sections of a bundle and reads it as one set: its checks
 * are about references between files. Nothing is parsed unless a file speaks of the operator.
 */
public final class OperatorCollector {
  private static final Sought OWN = Sought.of("mellanox.com/", "sriovnetwork.openshift.io", "nv-ipam.nvidia.com", "configuration.net.nvidia.com", "spectrumx.nvidia.com",
      "maintenance.nvidia.com", "network-operator", "ofedDriver", "rdmaSharedDevicePlugin", "sriovDevicePlugin", "sriovNetworkOperator", "nvIpam:", "secondaryNetwork:",
      "deployNodeFeatureRules", "nvPeerDriver", "upgradeCRDs", "k8s.cni.cncf.io/v1", "configList", "resourceList", "docaTelemetryService");
  private static final Sought ASKED = Sought.of("nvidia.com/", "rdma/", "NCCL_");
  private static final Sought BESIDE = Sought.of("nvidia.com/", "rdma/", "NodeFeatureRule", "PodDisruptionBudget", "dcgmExporter", "devicePlugin:", "toolkit:", "migManager:", "useHostMofed", "kubernetes.io/",
      "containers:", "kind: Kustomization", "patches:");

  /**
   * Words of which one is sought in every line of every file.
   *
   * @param any finds lines worth a closer look, in one pass
   */
  private record Sought(List<String> words, Words any) {
    static Sought of(String... words) {
      return new Sought(List.of(words), new Words(List.of(words).stream().map(w -> w.toLowerCase(Locale.ROOT)).toArray(String[]::new)));
    }

    boolean in(String line) {
      return any.in(line) && words.stream().anyMatch(line::contains);
    }
  }

  /** Lines from which it pays to look with several threads. */
  private static final int MANY_LINES = 20_000;

  private static final Pattern VALUES = Pattern.compile("(?:COMPUTED|USER-SUPPLIED) VALUES:\\s*");

  private final List<Section> own = new ArrayList<>();
  private final List<Section> beside = new ArrayList<>();

  /** Looks at a section; keeps it if it may matter. */
  public synchronized void section(Section read, Sink sink) {
    Section section = values(read, sink);
    if (section.lines().isEmpty() || !likeYaml(section)) {
      return;
    }
    if (holds(section.lines(), OWN)) {
      keep(own, section);
      sink.understood(section, 0);
    } else if (holds(section.lines(), BESIDE)) {
      keep(beside, section);
    }
  }

  /** `helm get values` puts a heading above the values, which would pass for a key; `null` below it means that nothing was set. */
  private static Section values(Section section, Sink sink) {
    int first = 0;
    while (first < section.lines().size() && section.lines().get(first).isBlank()) {
      first++;
    }
    if (first == section.lines().size() || !VALUES.matcher(section.lines().get(first)).matches()) {
      return section;
    }
    for (int i = first; i < section.lines().size(); i++) {
      sink.understood(section, i);
    }
    List<String> lines = new ArrayList<>(section.lines());
    lines.set(first, "#");
    String command = section.command().contains("helm get") ? section.command() : "helm get values";
    return new Section(section.file(), section.firstLine(), lines, section.raw(), section.node(), command, section.time(), section.numbers());
  }

  /** Entries may be read by several threads. */
  private synchronized void keep(List<Section> list, Section section) {
    list.add(section);
  }

  private static boolean likeYaml(Section section) {
    String name = section.name();
    String command = section.command();
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json") || command.contains(" -o yaml") || command.contains(" -oyaml") || command.contains("helm get")
        || section.lines().stream().limit(30).anyMatch(l -> l.startsWith("apiVersion:") || l.startsWith("kind:"));
  }

  /** Whether a text speaks of the operator's objects or values. */
  public static boolean concerns(List<String> lines) {
    return holds(lines, OWN);
  }

  /** Whether a text speaks of the operator, of what it hands out, or of NCCL. */
  public static boolean beside(List<String> lines) {
    return holds(lines, OWN) || holds(lines, ASKED);
  }

  private static boolean holds(List<String> lines, Sought sought) {
    return (lines.size() < MANY_LINES ? lines.stream() : lines.parallelStream()).anyMatch(sought::in);
  }

  /** Reads what was kept. */
  public void finish(Ledger ledger) {
    if (!own.isEmpty()) {
      OperatorFacts.read(documents(), "", ledger);
    }
  }

  /** Documents of one state of a configuration, for review. */
  public List<Document> documents() {
    List<Document> documents = new ArrayList<>();
    // Entries may be read by several threads; the order of the sections must not show.
    Comparator<Section> order = Comparator.comparing(Section::file).thenComparingInt(Section::firstLine);
    own.sort(order);
    beside.sort(order);
    own.forEach(s -> documents.addAll(Yaml.read(s)));
    beside.forEach(s -> documents.addAll(Yaml.read(s)));
    return documents;
  }
}
