package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.env.NcclSettings;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Kube.ResourceAsk;
import gdrproof.policy.Platforms;
import java.util.Set;

/**
 * Values of a job's chart, as far as their structure is plain: variables of NCCL (`- {name: NCCL_X, value: y}` or `NCCL_X: y`, wherever they stand) and `resources` with
 * GPUs or fabric devices. What the chart makes of them is not known, so nothing is said of pods.
 */
final class JobValues {
  private static final int DEEPEST = 24;

  private final Document document;
  private final String id;
  private final String platform;
  private final Facts facts;
  private int found;

  private JobValues(Document document, String platform, Facts facts) {
    this.document = document;
    this.id = document.file() + "#" + document.index();
    this.platform = platform.isEmpty() ? Platforms.NONE : platform;
    this.facts = facts;
  }

  /** Adds what the document says; returns whether it says anything, so that it counts as judged. */
  static boolean add(Document document, String platform, Facts facts) {
    Value root = document.root();
    if (!root.isMap() || root.at("kind").exists() || root.at("apiVersion").exists()) {
      return false;
    }
    JobValues values = new JobValues(document, platform, facts);
    values.search(root, 0);
    return values.found > 0;
  }

  private void search(Value value, int depth) {
    if (depth > DEEPEST) {
      return;
    }
    if (value.isMap()) {
      String name = value.at("name").text();
      if (NcclSettings.concerns(name) && value.at("value") instanceof Value.Scalar scalar) {
        variable(name, scalar);
        return;
      }
      if (value.at("resources").isMap()) {
        resources(value);
      }
      value.entries().forEach((key, each) -> {
        if (each instanceof Value.Scalar scalar && key.matches("[A-Z][A-Z0-9_]+") && NcclSettings.concerns(key)) {
          variable(key, scalar);
        } else {
          search(each, depth + 1);
        }
      });
    } else {
      value.items().forEach(each -> search(each, depth + 1));
    }
  }

  private void variable(String name, Value.Scalar value) {
    if (Placeholders.in(value.text())) {
      return;
    }
    found++;
    String owner = id + "/" + value.parent().path();
    NcclSettings.of(new EnvValue(Fact.UNKNOWN, "values", owner, name, value.text()), Fact.UNKNOWN, Fact.UNKNOWN, Platforms.excuse(platform, name, value.text()))
        .ifPresent(setting -> facts.add(setting, document, value));
  }

  private void resources(Value holder) {
    for (PodView.Ask ask : PodView.asks(holder)) {
      if (Set.of(ResourceFamily.GPU, ResourceFamily.RDMA_SHARED, ResourceFamily.RDMA_DEVICE, ResourceFamily.EFA).contains(ask.family())) {
        found++;
        facts.add(new ResourceAsk(id + "/" + holder.path(), Fact.UNKNOWN, ask.resource(), ask.family(), ask.amount(), ask.text(), ask.flaw()), document, ask.at());
      }
    }
  }
}
