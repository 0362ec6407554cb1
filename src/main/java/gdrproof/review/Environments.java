package gdrproof.review;

import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.kube.Manifests;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.NcclSetting;
import gdrproof.facts.Kube.KubeObject;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator;
import gdrproof.facts.Operator.EnvMove;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * NCCL settings of jobs that a change alters. They are read as lint reads them: from env, envFrom and the ConfigMaps among the files, from commands and scripts,
 * `mpirun -x` and nccl.conf.
 */
final class Environments {
  /** A setting of a container: what it is set to, everywhere it is set, and the first place. */
  private record Set(String production, TreeSet<String> values, Evidence at) {
    String shown() {
      return String.join(" and ", values);
    }
  }

  /** Settings of one state, by object, then by container and variable. */
  private final Map<String, Map<String, Set>> objects = new TreeMap<>();

  private Environments(List<Document> documents) {
    Map<String, String> names = new HashMap<>(Map.of("", ""));
    Map<String, Map<String, Set>> byId = new TreeMap<>();
    Map<NcclSetting, Evidence> settings = new LinkedHashMap<>();
    List<KubeObject> found = new ArrayList<>();
    Manifests.read(documents, "", (fact, at) -> {
      if (fact instanceof KubeObject object) {
        names.put(object.id(), object.kind() + "/" + (object.namespace().equals(Fact.UNKNOWN) ? "" : object.namespace() + "/") + object.name());
        found.add(object);
      } else if (fact instanceof NcclSetting setting) {
        settings.putIfAbsent(setting, at);
      }
    });
    settings.forEach((setting, at) -> {
      String id = setting.owner();
      while (!names.containsKey(id)) {
        id = id.substring(0, Math.max(0, id.lastIndexOf('/')));
      }
      String key = (id.isEmpty() ? setting.owner() : setting.owner().substring(id.length() + 1)) + " " + setting.name();
      // A file of settings is known by its own name.
      String home = id.isEmpty() ? setting.owner() : id;
      byId.computeIfAbsent(home, i -> new TreeMap<>()).computeIfAbsent(key, k -> new Set(setting.production(), new TreeSet<>(), at)).values().add(setting.value());
    });
    // Of one object that stands in several files the last counts, as with what is laid over a cluster.
    found.forEach(object -> objects.put(names.get(object.id()), byId.getOrDefault(object.id(), Map.of())));
    byId.forEach((id, sets) -> objects.putIfAbsent(names.getOrDefault(id, id), sets));
  }

  /** Adds what differs, for objects that both states hold: one that comes or goes as a whole is no change of its settings. */
  static void write(List<Document> before, List<Document> after, Ledger ledger) {
    Map<String, Map<String, Set>> then = new Environments(before).objects;
    new Environments(after).objects.forEach((object, now) -> {
      if (then.containsKey(object)) {
        moves(object, then.get(object), now, ledger);
      }
    });
  }

  private static void moves(String object, Map<String, Set> then, Map<String, Set> now, Ledger ledger) {
    TreeSet<String> keys = new TreeSet<>(then.keySet());
    keys.addAll(now.keySet());
    for (String key : keys) {
      Set old = then.get(key);
      Set next = now.get(key);
      if (old == null || next == null || !old.values().equals(next.values())) {
        Set any = next == null ? old : next;
        int space = key.lastIndexOf(' ');
        ledger.add(new EnvMove(object, key.substring(0, space), key.substring(space + 1), old == null ? Operator.ABSENT : old.shown(), next == null ? Operator.ABSENT : next.shown(), any.production()),
            any.at());
      }
    }
  }
}
