package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.OperatorPod;
import gdrproof.facts.Gate.ReadyState;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a cluster says of its operators: state of their policies, and the health of their pods (`kubectl get ... -o yaml` or `-o json`). */
final class ClusterStates implements Collector {
  private static final Set<String> POLICIES = Set.of("NicClusterPolicy", "NicNodePolicy", "ClusterPolicy");
  private static final Set<String> CALM = Set.of("ready", "ignore", "disabled");

  @Override
  public String tool() {
    return "kubectl get nicclusterpolicies,pods -o yaml";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().noneMatch(l -> l.strip().startsWith("status:") || l.strip().startsWith("\"status\":"))) {
      return;
    }
    for (Document document : Yaml.read(section)) {
      for (Manifest manifest : Manifest.of(document, new ArrayList<>())) {
        if (POLICIES.contains(manifest.kind()) && manifest.root().at("status").exists()) {
          policy(manifest, section, sink);
        } else if (manifest.kind().equals("Pod") && !manifest.spec().at("nodeName").text().isEmpty()) {
          pod(manifest, section, sink);
        }
      }
    }
  }

  private static void policy(Manifest m, Section section, Sink sink) {
    Value status = m.root().at("status");
    List<String> notReady = new ArrayList<>();
    for (Value part : status.at("appliedStates").items()) {
      if (!CALM.contains(part.at("state").text().toLowerCase(java.util.Locale.ROOT))) {
        notReady.add(part.at("name").text() + " is " + part.at("state").text(Fact.UNKNOWN));
      }
    }
    sink.fact(new ReadyState(Fact.UNKNOWN, m.kind(), m.name(), status.at("state").text(Fact.UNKNOWN), notReady), m.document().atKey(status).from(section.node(), section.command(), section.time()));
  }

  private static void pod(Manifest m, Section section, Sink sink) {
    String component = PodTable.component(m.name());
    if (component.isEmpty()) {
      return;
    }
    Value status = m.root().at("status");
    List<Value> containers = status.at("containerStatuses").items();
    boolean ready = !containers.isEmpty() && containers.stream().allMatch(c -> c.at("ready").isTrue());
    String state = status.at("phase").text(Fact.UNKNOWN);
    double restarts = 0;
    for (Value container : containers) {
      Num count = Num.parse(container.at("restartCount").text());
      restarts += count.known() ? count.value() : 0;
      state = container.at("state", "waiting", "reason").text(state);
    }
    sink.fact(new OperatorPod(Sections.shortName(m.spec().at("nodeName").text()), m.namespace(), m.name(), component, state, containers.isEmpty() ? Tri.UNKNOWN : Tri.of(ready),
        containers.isEmpty() ? Num.UNKNOWN : Num.of(restarts)), m.document().atKey(status).from(section.node(), section.command(), section.time()));
  }
}
