package gdrproof.collect.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What applying files would make of the objects of a cluster. `kubectl apply` removes only what an earlier apply wrote: a field that the server or a controller
 * filled in, and that no file ever held, stays. Where the object does not remember its last apply, what the file leaves out counts as removed, except labels and
 * annotations, which others write.
 */
final class Applied {
  private static final String LAST = "kubectl.kubernetes.io/last-applied-configuration";

  private Applied() {}

  /** The documents of the cluster with those of the files laid over them. */
  static List<OperatorDoc> over(List<OperatorDoc> live, List<OperatorDoc> files) {
    List<OperatorDoc> kept = new ArrayList<>(live);
    List<OperatorDoc> result = new ArrayList<>();
    for (OperatorDoc file : files) {
      OperatorDoc there = match(live, file);
      if (there == null) {
        result.add(file);
        continue;
      }
      kept.remove(there);
      Part last = there.root().get("metadata", "annotations", LAST).json();
      Part root = merge(there.root(), file.root(), last, last.exists(), file.partial(), "");
      result.add(new OperatorDoc(there.id(), file.kind(), file.apiVersion(), there.namespace(), file.name(), root, file.file(), false, file.version()));
    }
    kept.addAll(result);
    return kept;
  }

  /** The object of that name; a file without a namespace means the one there is, if there is one. */
  private static OperatorDoc match(List<OperatorDoc> live, OperatorDoc file) {
    List<OperatorDoc> named = live.stream().filter(d -> d.kind().equals(file.kind()) && d.name().equals(file.name())
        && (file.namespace().isEmpty() || d.namespace().equals(file.namespace()))).toList();
    return named.size() == 1 ? named.get(0) : null;
  }

  private static Part merge(Part live, Part file, Part last, boolean remembers, boolean patch, String path) {
    if (!live.isMap() || !file.isMap()) {
      return file;
    }
    Part merged = file.shell();
    file.fields().forEach((key, part) -> merged.put(key, merge(live.get(key), part, last.get(key), remembers, patch, Part.join(path, key))));
    for (Map.Entry<String, Part> field : live.fields().entrySet()) {
      boolean written = remembers ? last.get(field.getKey()).exists() : !path.startsWith("metadata") && !path.isEmpty();
      if (!file.fields().containsKey(field.getKey()) && (patch || !written)) {
        merged.put(field.getKey(), field.getValue());
      }
    }
    return merged;
  }
}
