package gdrproof.kube;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Fabric8's mock of a Kubernetes API, which keeps objects (CRUD) and answers as told where a test says so. Reached as a user reaches a cluster: by a kubeconfig. */
public final class MockCluster implements AutoCloseable {
  private static final Logger MOCK = Logger.getLogger("io.fabric8.mockwebserver");

  static {
    MOCK.setLevel(Level.OFF);
  }

  private final KubernetesMockServer server;
  private final KubernetesClient client;

  public MockCluster() {
    Map<ServerRequest, Queue<ServerResponse>> responses = new HashMap<>();
    server = new KubernetesMockServer(new Context(Serialization.jsonMapper()), new MockWebServer(), responses, new KubernetesMixedDispatcher(responses), false);
    server.init();
    client = server.createClient();
  }

  public KubernetesMockServer server() {
    return server;
  }

  public KubernetesClient client() {
    return client;
  }

  /** A kubeconfig of one context, `mock`. */
  public Path kubeconfig(Path folder) throws IOException {
    return kubeconfig(folder, server.url("/"));
  }

  public static Path kubeconfig(Path folder, String url) throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), "apiVersion: v1\nkind: Config\ncurrent-context: mock\nclusters:\n- name: mock\n  cluster: {server: \"" + url + "\"}\n"
        + "users:\n- name: tester\n  user: {token: abc}\ncontexts:\n- name: mock\n  context: {cluster: mock, user: tester, namespace: train}\n");
  }

  /** Creates the objects of a YAML text of several documents, whatever their kinds. */
  public MockCluster with(String yaml) {
    for (String document : yaml.split("(?m)^---\n")) {
      GenericKubernetesResource object = Serialization.unmarshal(document, GenericKubernetesResource.class);
      String group = object.getApiVersion().contains("/") ? object.getApiVersion().substring(0, object.getApiVersion().indexOf('/')) : "";
      String kind = object.getKind();
      ResourceDefinitionContext context = new ResourceDefinitionContext.Builder().withGroup(group).withVersion(object.getApiVersion().substring(object.getApiVersion().indexOf('/') + 1))
          .withKind(kind).withPlural(plural(kind)).withNamespaced(object.getMetadata().getNamespace() != null).build();
      var resources = client.genericKubernetesResources(context);
      if (object.getMetadata().getNamespace() == null) {
        resources.resource(object).create();
      } else {
        resources.inNamespace(object.getMetadata().getNamespace()).resource(object).create();
      }
    }
    return this;
  }

  private static String plural(String kind) {
    String lower = kind.toLowerCase(Locale.ROOT);
    if (kind.equals("NetworkAttachmentDefinition")) {
      return "network-attachment-definitions";
    }
    return lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower.endsWith("s") || lower.endsWith("x") ? lower + "es" : lower + "s";
  }

  /** Makes a path answer with an error. */
  public MockCluster refusing(String path, int code, String message) {
    server.expect().get().withPath(path).andReturn(code, new StatusBuilder().withCode(code).withMessage(message).withStatus("Failure").build()).always();
    return this;
  }

  /** Makes a path answer late. */
  public MockCluster late(String path, int millis) {
    server.expect().get().delay(millis).withPath(path).andReturn(200, "{}").always();
    return this;
  }

  @Override
  public void close() {
    client.close();
    server.destroy();
  }
}
