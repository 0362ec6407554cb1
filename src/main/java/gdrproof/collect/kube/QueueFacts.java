package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.facts.Kube.LocalQueue;
import gdrproof.facts.Kube.QueueCover;
import gdrproof.facts.Kube.QueueFlavor;
import gdrproof.facts.Kube.QueueQuota;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.Map;
import java.util.TreeMap;

/** Facts of Kueue's queues (kueue.x-k8s.io v1beta1, v1beta2). */
final class QueueFacts {
  private QueueFacts() {}

  static void add(Manifest m, Facts facts) {
    if (m.kind().equals("LocalQueue")) {
      Value queue = m.spec().at("clusterQueue");
      facts.add(new QueueCover(m.name(), m.kind(), queue.text()), m.document(), queue);
      facts.add(new LocalQueue(m.namespace(), m.name(), queue.text()), m.document(), queue);
      return;
    }
    // A cohort (cohortName since v1beta2) lends what others leave.
    boolean borrows = !m.spec().at("cohort").text().isEmpty() || !m.spec().at("cohortName").text().isEmpty();
    Map<String, Num> nominal = new TreeMap<>();
    Map<String, Value> places = new TreeMap<>();
    for (Value group : m.spec().at("resourceGroups").items()) {
      group.at("coveredResources").items().forEach(r -> facts.add(new QueueCover(m.name(), m.kind(), r.text()), m.document(), r));
      for (Value flavor : group.at("flavors").items()) {
        facts.add(new QueueFlavor(m.name(), flavor.at("name").text()), m.document(), flavor.at("name"));
        for (Value resource : flavor.at("resources").items()) {
          String name = resource.at("name").text();
          Num quota = Quantity.of(resource.at("nominalQuota").text());
          nominal.merge(name, quota, (a, b) -> a.known() && b.known() ? Num.of(a.value() + b.value()) : Num.UNKNOWN);
          places.putIfAbsent(name, resource.at("nominalQuota").exists() ? resource.at("nominalQuota") : resource.at("name"));
        }
      }
    }
    nominal.forEach((name, sum) -> facts.add(new QueueQuota(m.name(), name, sum, Tri.of(borrows)), m.document(), places.get(name)));
  }
}
