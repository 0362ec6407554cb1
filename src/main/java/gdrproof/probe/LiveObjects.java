package gdrproof.probe;

import gdrproof.policy.Policies;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the operator's objects from a cluster; lists only, never writes. What is refused or absent is said, not guessed. */
public final class LiveObjects {
  private static final int TIMEOUT_MILLIS = 15_000;

  private LiveObjects() {}

  /**
   * @param files YAML by a name of our own, `live/nicclusterpolicies.yaml`
   * @param unread kinds that could not be read, with the permission or reason
   */
  public record Read(Map<String, String> files, List<String> unread) {}

  /**
   * @param context kubeconfig context; "" for the current one
   * @throws IOException if the API cannot be reached at all
   */
  public static Read read(String context) throws IOException {
    Config config = new ConfigBuilder(Config.autoConfigure(context.isEmpty() ? null : context)).withRequestTimeout(TIMEOUT_MILLIS).withConnectionTimeout(TIMEOUT_MILLIS)
        .withRequestRetryBackoffLimit(0).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      return read(client);
    }
  }

  /** Reads through a client that is given (tests: a mock server). */
  public static Read read(KubernetesClient client) throws IOException {
    Map<String, String> files = new TreeMap<>();
    List<String> unread = new ArrayList<>();
    int unreachable = 0;
    List<Map<String, Object>> kinds = Policies.maps(Policies.read("operator/kinds.yaml").get("live"));
    for (Map<String, Object> kind : kinds) {
      String plural = String.valueOf(kind.get("plural"));
      String name = plural + "." + kind.get("group");
      try {
        String text = list(client, kind, plural);
        if (!text.isEmpty()) {
          files.put("live/" + plural + ".yaml", text);
        }
      } catch (KubernetesClientException e) {
        if (e.getCode() == 404) {
          // The CRD is not installed: there are no such objects.
          continue;
        }
        if (e.getCode() == 403 || e.getCode() == 401) {
          unread.add(name + ": forbidden; the permission list on " + name + " is missing");
        } else {
          unread.add(name + ": " + (e.getCode() == 0 ? "no answer from the API" : "the API answered " + e.getCode()));
          unreachable += e.getCode() == 0 ? 1 : 0;
          if (unreachable > 1 && files.isEmpty()) {
            throw new IOException("the Kubernetes API at " + client.getMasterUrl() + " cannot be reached", e);
          }
        }
      }
    }
    return new Read(files, unread);
  }

  private static String list(KubernetesClient client, Map<String, Object> kind, String plural) {
    boolean namespaced = "Namespaced".equals(kind.get("scope"));
    ResourceDefinitionContext context = new ResourceDefinitionContext.Builder().withGroup(String.valueOf(kind.get("group"))).withVersion(String.valueOf(kind.get("version")))
        .withKind(String.valueOf(kind.get("kind"))).withPlural(plural).withNamespaced(namespaced).build();
    List<GenericKubernetesResource> items = namespaced ? client.genericKubernetesResources(context).inAnyNamespace().list().getItems()
        : client.genericKubernetesResources(context).list().getItems();
    StringBuilder text = new StringBuilder();
    for (GenericKubernetesResource item : items) {
      text.append(text.length() == 0 ? "" : "---\n").append(Serialization.asYaml(item).replaceFirst("^---\n", ""));
    }
    return text.toString();
  }
}
