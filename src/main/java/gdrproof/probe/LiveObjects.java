package gdrproof.probe;

import gdrproof.policy.Policies;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads objects from a cluster; lists only, never writes. What was read becomes text as `kubectl get KIND -A -o yaml` prints it; what was refused or not answered
 * becomes kubectl's own words about it, so that live facts and facts of a bundle are read by one reader.
 */
public final class LiveObjects {
  /** Objects of one page: a cluster of thousands of nodes is no single answer. */
  private static final long PAGE = 500;
  /** So many kinds without an answer, and the API is not asked for more. */
  private static final int PATIENCE = 2;

  private final Cluster cluster;
  /** Null where nothing is stored, so that names need no cover. */
  private final Tenants tenants;
  private final Map<String, String> files = new TreeMap<>();
  private final List<Gap> gaps = new ArrayList<>();
  private final List<String> absent = new ArrayList<>();
  private int silent;
  private boolean spoke;

  private LiveObjects(Cluster cluster, Tenants tenants) {
    this.cluster = cluster;
    this.tenants = tenants;
  }

  /**
   * A kind that could not be read.
   *
   * @param resource `nodes`, `nicclusterpolicies.mellanox.com`
   * @param permission the permission that is missing, "" if the reason is another
   */
  public record Gap(String resource, String permission, String reason) {
    @Override
    public String toString() {
      return resource + ": " + reason + (permission.isEmpty() ? "" : "; the permission " + permission + " is missing");
    }
  }

  /**
   * @param files YAML by a name of our own, `live/nicclusterpolicies.yaml`; also an empty list is a file
   * @param gaps kinds that could not be read
   * @param absent kinds that the cluster does not have
   */
  public record Read(Map<String, String> files, List<Gap> gaps, List<String> absent) {
    public List<String> unread() {
      return gaps.stream().map(Gap::toString).toList();
    }

    /** The files, and one more with what kubectl would have said about the gaps and absent kinds. */
    public Map<String, String> asBundle() {
      Map<String, String> all = new TreeMap<>(files);
      gaps.forEach(gap -> all.put("live/" + plural(gap.resource()) + ".err", said(gap)));
      absent.forEach(resource -> all.put("live/" + plural(resource) + ".err",
          "$ kubectl get " + resource + " -A -o yaml\nerror: the server doesn't have a resource type \"" + plural(resource) + "\"\n"));
      return all;
    }

    private static String plural(String resource) {
      return resource.contains(".") ? resource.substring(0, resource.indexOf('.')) : resource;
    }

    private static String said(Gap gap) {
      String group = gap.resource().contains(".") ? gap.resource().substring(gap.resource().indexOf('.') + 1) : "";
      String line = gap.permission().isEmpty() ? "Unable to connect to the server: " + gap.reason()
          : "Error from server (Forbidden): " + gap.resource() + " is forbidden: cannot list resource \"" + plural(gap.resource()) + "\" in API group \"" + group + "\" at the cluster scope";
      return "$ kubectl get " + gap.resource() + " -A -o yaml\n" + line + "\n";
    }
  }

  /**
   * @param list which kinds: a key of `policies/operator/kinds.yaml`
   * @throws IOException if the API cannot be reached at all
   */
  public static Read read(Cluster.Access access, String list) throws IOException {
    try (Cluster cluster = Cluster.open(access)) {
      return read(cluster, list);
    }
  }

  static Read read(Cluster cluster, String list) throws IOException {
    return read(cluster, List.of(list), null);
  }

  /** Reads for a bundle: names of namespaces other than the job's and the operators' are covered. */
  public static Read scoped(Cluster.Access access, List<String> lists, Set<String> namespaces) throws IOException {
    try (Cluster cluster = Cluster.open(access)) {
      return read(cluster, lists, new Tenants(namespaces));
    }
  }

  private static Read read(Cluster cluster, List<String> lists, Tenants tenants) throws IOException {
    LiveObjects live = new LiveObjects(cluster, tenants);
    Set<String> asked = new HashSet<>();
    for (String list : lists) {
      for (Map<String, Object> kind : Policies.maps(Policies.read("operator/kinds.yaml").get(list))) {
        if (asked.add(String.valueOf(kind.get("plural")))) {
          live.kind(kind);
        }
      }
    }
    return new Read(live.files, live.gaps, live.absent);
  }

  private void kind(Map<String, Object> kind) throws IOException {
    String plural = String.valueOf(kind.get("plural"));
    String group = String.valueOf(kind.getOrDefault("group", ""));
    String resource = group.isEmpty() ? plural : plural + "." + group;
    if (silent >= PATIENCE) {
      gaps.add(new Gap(resource, "", "not asked, since the API stopped answering"));
      return;
    }
    List<String> versions = Policies.texts(kind.get("version"));
    for (String version : versions) {
      try {
        files.put("live/" + plural + ".yaml", list(kind, group, version, plural));
        spoke = true;
        return;
      } catch (KubernetesClientException e) {
        spoke |= Cluster.answered(e);
        if (e.getCode() == 404) {
          // This release of the API is not served; another may be.
          continue;
        }
        gap(resource, e);
        return;
      }
    }
    absent.add(resource);
  }

  private void gap(String resource, KubernetesClientException e) throws IOException {
    boolean forbidden = Cluster.refused(e) && e.getCode() != 401;
    gaps.add(new Gap(resource, forbidden ? "list on " + resource : "", forbidden ? "forbidden" : Cluster.reason(e)));
    if (!Cluster.answered(e)) {
      silent++;
      if (silent >= PATIENCE && !spoke) {
        throw new ProbeException("the Kubernetes API at " + cluster.server() + " cannot be reached: " + Cluster.reason(e), e);
      }
    }
    if (e.getCode() == 401) {
      throw new ProbeException("the Kubernetes API at " + cluster.server() + ": " + Cluster.reason(e), e);
    }
  }

  private String list(Map<String, Object> kind, String group, String version, String plural) {
    boolean namespaced = "Namespaced".equals(kind.get("scope"));
    String name = String.valueOf(kind.get("kind"));
    ResourceDefinitionContext context =
        new ResourceDefinitionContext.Builder().withGroup(group).withVersion(version).withKind(name).withPlural(plural).withNamespaced(namespaced).build();
    List<Object> items = new ArrayList<>();
    try {
      pages(context, namespaced, PAGE, items);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 410) {
        throw e;
      }
      // The token of the next page has expired; one large answer is better than half a list.
      items.clear();
      pages(context, namespaced, null, items);
    }
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("apiVersion", group.isEmpty() ? version : group + "/" + version);
    list.put("kind", name + "List");
    list.put("items", items);
    return Serialization.asYaml(list).replaceFirst("^---\n", "");
  }

  private void pages(ResourceDefinitionContext context, boolean namespaced, Long limit, List<Object> items) {
    String next = null;
    do {
      var options = new ListOptionsBuilder().withLimit(limit).withContinue(next).build();
      var resources = cluster.client().genericKubernetesResources(context);
      GenericKubernetesResourceList page = namespaced ? resources.inAnyNamespace().list(options) : resources.list(options);
      for (GenericKubernetesResource item : page.getItems()) {
        String group = context.getGroup();
        item.setApiVersion(group.isEmpty() ? context.getVersion() : group + "/" + context.getVersion());
        item.setKind(context.getKind());
        items.add(tenants == null ? pruned(item) : tenants.shown(pruned(item)));
      }
      next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
  }

  /** Without what no rule reads and what is most of the text: field managers, and the images that a node holds. */
  private static GenericKubernetesResource pruned(GenericKubernetesResource item) {
    if (item.getMetadata() != null) {
      item.getMetadata().setManagedFields(List.of());
    }
    if (item.getKind().equals("Node") && item.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
      Map<Object, Object> kept = new LinkedHashMap<>(status);
      kept.remove("images");
      item.setAdditionalProperty("status", kept);
    }
    return item;
  }
}
