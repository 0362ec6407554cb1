package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;

/**
 * A pod spec found inside an object, by structure: a map with a list `containers` of maps, wherever it stands.
 *
 * @param id object id, `/`, path of the pod spec
 * @param spec the pod spec (of an Argo template: the template)
 * @param metadata metadata of the pods
 * @param role replica group in lower case, "" for none
 * @param replicas pods in one collective group
 */
record PodTemplate(Manifest manifest, String id, Value spec, Value metadata, List<Value> containers, String role, Num replicas) {
  private static final int DEEPEST = 24;

  static List<PodTemplate> of(Manifest manifest) {
    List<PodTemplate> found = new ArrayList<>();
    search(manifest, manifest.root(), found, 0);
    return found;
  }

  private static void search(Manifest manifest, Value value, List<PodTemplate> found, int depth) {
    if (depth > DEEPEST) {
      return;
    }
    if (value.isMap()) {
      List<Value> containers = value.at("containers").items();
      if (!containers.isEmpty() && containers.stream().allMatch(Value::isMap) && !value.key().equals("containerSet")
          && containers.stream().anyMatch(c -> c.at("name").exists() || c.at("image").exists())) {
        found.add(template(manifest, value, containers));
        return;
      }
      if (manifest.kind().contains("Workflow") && argo(value)) {
        List<Value> own = value.at("containerSet").exists() ? value.at("containerSet", "containers").items()
            : List.of(value.at("container").exists() ? value.at("container") : value.at("script"));
        found.add(new PodTemplate(manifest, manifest.id() + "/" + value.path(), value, value.at("metadata"), own, "", Num.of(1)));
        return;
      }
      // Components of an AppWrapper, and other objects that this one carries, are objects of their own.
      if (depth > 0 && Manifest.whole(value)) {
        return;
      }
      value.entries().values().forEach(each -> search(manifest, each, found, depth + 1));
    } else if (value.isList()) {
      value.items().forEach(each -> search(manifest, each, found, depth + 1));
    }
  }

  private static boolean argo(Value value) {
    return value.parent().key().equals("templates") && (value.at("container").isMap() || value.at("script").isMap() || value.at("containerSet").isMap());
  }

  private static PodTemplate template(Manifest manifest, Value spec, List<Value> containers) {
    Value template = spec.key().equals("spec") ? spec.parent() : spec;
    Value holder = template.parent();
    String role = "";
    Num replicas = Num.of(1);
    String holderKey = holder.key();
    if (holder.parent().key().endsWith("ReplicaSpecs")) {
      role = holderKey.toLowerCase(java.util.Locale.ROOT);
      replicas = number(holder.at("replicas"), role.equals("worker") && manifest.kind().equals("MPIJob") ? 0 : 1);
    } else if (holder.parent().key().equals("tasks")) {
      role = holder.at("name").text("task");
      replicas = number(holder.at("replicas"), 1);
    } else if (holderKey.equals("headGroupSpec")) {
      role = "head";
    } else if (holder.parent().key().equals("workerGroupSpecs")) {
      role = "worker";
      replicas = times(number(holder.at("replicas"), 1), number(holder.at("numOfHosts"), 1));
    } else if (holderKey.equals("leaderWorkerTemplate")) {
      boolean leader = template.key().equals("leaderTemplate");
      role = leader ? "leader" : "worker";
      Num size = number(holder.at("size"), 1);
      replicas = leader ? Num.of(1) : holder.at("leaderTemplate").exists() && size.known() ? Num.of(size.value() - 1) : size;
    } else if (template.key().equals("submitterPodTemplate")) {
      role = "submitter";
    } else {
      Value job = jobOf(holder);
      if (job.exists()) {
        role = job.at("name").text();
        replicas = times(number(job.at("replicas"), 1), nodes(manifest, number(holder.at("parallelism"), 1)));
      } else if (manifest.kind().equals("Job")) {
        replicas = number(holder.at("parallelism"), 1);
      } else if (manifest.kind().equals("CronJob")) {
        replicas = number(holder.at("parallelism"), 1);
      } else if (holder.at("replicas").exists()) {
        replicas = number(holder.at("replicas"), 1);
      }
    }
    return new PodTemplate(manifest, manifest.id() + "/" + spec.path(), spec, template.at("metadata"), containers, role, replicas);
  }

  /** The replicated job (JobSet, training runtime) that a job spec belongs to. */
  private static Value jobOf(Value jobSpec) {
    Value each = jobSpec;
    for (int i = 0; i < 4 && each.exists(); i++) {
      if (each.parent().key().equals("replicatedJobs")) {
        return each;
      }
      each = each.parent();
    }
    return Value.MISSING;
  }

  private static Num nodes(Manifest manifest, Num parallelism) {
    Value nodes = manifest.spec().at("mlPolicy", "numNodes");
    return nodes.exists() ? number(nodes, 1) : parallelism;
  }

  static Num number(Value value, double otherwise) {
    return value.exists() ? Quantity.of(value.text()) : Num.of(otherwise);
  }

  static Num times(Num a, Num b) {
    return a.known() && b.known() ? Num.of(a.value() * b.value()) : Num.UNKNOWN;
  }

  String annotation(String key) {
    return metadata.at("annotations", key).text();
  }

  String label(String key) {
    return metadata.at("labels", key).text();
  }

  /** Namespace of the pods, as far as the file tells. */
  String namespace() {
    return manifest.namespace();
  }

  /** Volumes of the pod; an Argo workflow may list them for all its templates. */
  List<Value> volumes() {
    List<Value> all = new ArrayList<>(spec.at("volumes").items());
    if (manifest.kind().contains("Workflow")) {
      all.addAll(manifest.spec().at("volumes").items());
    }
    return all;
  }
}
