package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Objects in a bundle: `kubectl get ... -o yaml` or `-o json`, and manifests of the job that ran. */
final class ManifestCollector implements Collector {
  private static final Pattern EVERYWHERE = Pattern.compile("(?:^| )(?:-A|--all-namespaces)(?: |$)");

  @Override
  public String tool() {
    return "kubectl get -o yaml";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (!looksLike(section.lines())) {
      return;
    }
    List<Document> documents = new ArrayList<>();
    for (Document document : Yaml.read(section)) {
      if (document.root().at("kind").text().isEmpty() || document.root().at("apiVersion").text().isEmpty()) {
        document.flaws().stream().limit(1).forEach(flaw -> sink.unread(section, Math.max(0, flaw.line() - section.firstLine()), "YAML: " + flaw.message()));
      } else {
        documents.add(document);
      }
    }
    Manifests.read(documents, "", (fact, evidence) -> sink.fact(fact, evidence.from(section.node(), section.command(), section.time())));
    for (Document document : documents) {
      String list = document.root().at("kind").text();
      if (list.endsWith("List") && document.root().at("items").isList()) {
        Set<String> kinds = new TreeSet<>();
        Set<String> spaces = new TreeSet<>();
        document.root().at("items").items().forEach(item -> {
          kinds.add(item.at("kind").text());
          spaces.add(item.at("metadata", "namespace").text());
        });
        // What stands in one namespace may be all that was asked for.
        boolean everywhere = spaces.size() > 1 || EVERYWHERE.matcher(section.command()).find();
        kinds.removeIf(kind -> ClusterKinds.oneNamespace(kind) && !everywhere);
        // A list that names its kind is complete even when it is empty.
        kinds.add(list.substring(0, list.length() - "List".length()));
        kinds.stream().map(ClusterKinds::looked).filter(kind -> !kind.isEmpty()).forEach(kind -> sink.looked(section, kind, document.line() - section.firstLine()));
      }
    }
  }

  private static boolean looksLike(List<String> lines) {
    boolean version = false;
    boolean kind = false;
    for (String line : lines) {
      String text = line.strip();
      version |= text.startsWith("apiVersion:") || text.startsWith("\"apiVersion\":") || text.startsWith("- apiVersion:");
      kind |= text.startsWith("kind:") || text.startsWith("\"kind\":");
      if (version && kind) {
        return true;
      }
    }
    return false;
  }
}
