package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.bundle.Yaml.FlawKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What documents should say once repairs are made: every scalar with its path, aliases and merge keys expanded. An edit of an anchored text changes more than the one place
 * it was meant for, and the end of an anchor breaks the aliases that name it; both show when the repaired text is read and compared.
 */
final class RepairedContent {
  private final Set<Value> gone = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Value, String> texts = new IdentityHashMap<>();
  private final Map<Value, String> mounts = new IdentityHashMap<>();
  private final Map<Value, String> volumes = new IdentityHashMap<>();

  /** A scalar becomes this text. */
  boolean text(Value scalar, String text) {
    texts.put(scalar, text);
    return true;
  }

  void without(Value value) {
    gone.add(value);
  }

  /** A container mounts a volume at /dev/shm, before its other mounts. */
  void mount(Value container, String name) {
    mounts.put(container, name);
  }

  /** A pod gets a volume in memory, before its other volumes. */
  void volume(Value pod, String name) {
    volumes.put(pod, name);
  }

  /** Whether repaired documents say what the originals with these changes say, and read as well. */
  boolean same(List<Document> before, List<Document> after) {
    return flaws(after).equals(flaws(before)) && said(before, this).equals(said(after, new RepairedContent()));
  }

  private static List<FlawKind> flaws(List<Document> documents) {
    return documents.stream().flatMap(d -> d.flaws().stream()).map(Flaw::kind).toList();
  }

  private static List<String> said(List<Document> documents, RepairedContent change) {
    List<String> said = new ArrayList<>();
    documents.forEach(d -> change.say(d.root(), "document " + d.index(), said));
    Collections.sort(said);
    return said;
  }

  private void say(Value value, String path, List<String> said) {
    if (value.isMap()) {
      map(value, path, said);
    } else if (value.isList()) {
      list(value, path, said);
    } else if (value instanceof Value.Scalar scalar) {
      String text = texts.get(value);
      said.add(path + " " + (text == null ? scalar.type() + " " + scalar.text() : Value.Type.TEXT + " " + text));
    }
  }

  private void map(Value map, String path, List<String> said) {
    if (map.entries().isEmpty()) {
      said.add(path + " {}");
    }
    map.entries().forEach((key, value) -> {
      if (!gone.contains(value)) {
        say(value, path + "/" + key, said);
      }
    });
    if (mounts.containsKey(map) && !map.at("volumeMounts").exists()) {
      mount(mounts.get(map), path + "/volumeMounts/0", said);
    }
    if (volumes.containsKey(map) && !map.at("volumes").exists()) {
      volume(volumes.get(map), path + "/volumes/0", said);
    }
  }

  private void list(Value list, String path, List<String> said) {
    int index = 0;
    if (list.key().equals("volumeMounts") && mounts.containsKey(list.parent())) {
      mount(mounts.get(list.parent()), path + "/" + index++, said);
    }
    if (list.key().equals("volumes") && volumes.containsKey(list.parent())) {
      volume(volumes.get(list.parent()), path + "/" + index++, said);
    }
    for (Value item : list.items()) {
      if (!gone.contains(item)) {
        say(item, path + "/" + index++, said);
      }
    }
    if (index == 0) {
      // A block list that lost all its items is a key without a value.
      said.add(path + (list.items().isEmpty() ? " []" : " " + Value.Type.NULL + " "));
    }
  }

  private static void mount(String name, String path, List<String> said) {
    said.add(path + "/name " + Value.Type.TEXT + " " + name);
    said.add(path + "/mountPath " + Value.Type.TEXT + " " + Repairs.SHM_PATH);
  }

  private static void volume(String name, String path, List<String> said) {
    said.add(path + "/name " + Value.Type.TEXT + " " + name);
    said.add(path + "/emptyDir/medium " + Value.Type.TEXT + " " + Repairs.MEDIUM);
  }
}
