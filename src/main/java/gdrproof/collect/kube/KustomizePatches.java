package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Evidence;
import gdrproof.facts.Kube.ManifestFlaw;
import gdrproof.facts.Num;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that a kustomization of the same call applies as patches. They are parts of objects: what they lack stands in the object, so nothing can be said of
 * what is missing. Patches of the operator's objects are judged as such, field by field.
 */
final class KustomizePatches {
  private static final List<String> LISTS = List.of("patches", "patchesJson6902", "patchesStrategicMerge");

  private KustomizePatches() {}

  /** The files, with those that are patches turned into such, which are not judged. */
  static List<LintFile> told(List<LintFile> files) {
    Map<String, String> patches = new HashMap<>();
    for (LintFile file : files) {
      for (Document document : file.documents()) {
        if (kustomization(file.name(), document.root())) {
          LISTS.forEach(list -> document.root().at(list).items().forEach(entry -> patches.put(beside(file.name(), entry.at("path").text(entry.text())), file.name())));
        }
      }
    }
    patches.remove("");
    if (patches.isEmpty()) {
      return files;
    }
    return files.stream().map(file -> patches.containsKey(file.name()) ? patch(file, patches.get(file.name())) : file).toList();
  }

  private static boolean kustomization(String file, Value root) {
    return root.at("apiVersion").text().startsWith("kustomize.config.k8s.io/") || isNamed(file) && !root.at("kind").exists();
  }

  /** Whether a file bears one of the names that kustomize looks for; such a file may leave its kind out. */
  static boolean isNamed(String file) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    return List.of("kustomization.yaml", "kustomization.yml", "Kustomization").contains(name);
  }

  /** A path as seen from a file's folder, "" for a patch written in place. */
  private static String beside(String file, String path) {
    if (path.isEmpty() || path.indexOf('\n') >= 0 || path.indexOf(':') >= 0) {
      return "";
    }
    return Path.of(file).resolveSibling(path).normalize().toString().replace('\\', '/');
  }

  private static LintFile patch(LintFile file, String by) {
    List<Stated> facts = new ArrayList<>(file.facts());
    if (!file.operator() && !file.documents().isEmpty()) {
      int line = file.documents().get(0).line();
      facts.add(new Stated(new ManifestFlaw(file.name(), Num.of(0), "patch", "", by), Evidence.of(file.name(), line, "").at(1, "")));
    }
    return new LintFile(file.name(), file.documents(), facts, file.judged(), file.operator(), true);
  }
}
