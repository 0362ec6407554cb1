package gdrproof.kube;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
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
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Fabric8's mock of a Kubernetes API, which keeps objects (CRUD) and answers as told where a test says so. Reached as a user reaches a cluster: by a kubeconfig. */
public final class MockCluster implements AutoCloseable {
  private static final Logger MOCK = Logger.getLogger("io.fabric8.mockwebserver");

  static {
    MOCK.setLevel(Level.OFF);
  }

  private final Map<String, Exec> execs = new ConcurrentHashMap<>();
  private final Map<String, String> logs = new ConcurrentHashMap<>();
  private final Set<String> started = ConcurrentHashMap.newKeySet();
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private final AtomicInteger outages = new AtomicInteger();
  private final KubernetesMockServer server;
  private final KubernetesClient client;

  public MockCluster() {
    Map<ServerRequest, Queue<ServerResponse>> responses = new HashMap<>();
    KubernetesMixedDispatcher objects = new KubernetesMixedDispatcher(responses);
    Dispatcher dispatcher = new Dispatcher() {
      @Override
      public MockResponse dispatch(RecordedRequest request) {
        MockResponse down = outages.getAndUpdate(n -> Math.max(0, n - 1)) > 0 ? new MockResponse().setResponseCode(503) : null;
        MockResponse exec = down != null ? down : request.getPath().contains("/log") ? log(request) : exec(request);
        return exec == null ? objects.dispatch(request) : exec;
      }
    };
    server = new KubernetesMockServer(new Context(Serialization.jsonMapper()), new MockWebServer(), responses, dispatcher, false);
    server.init();
    client = server.createClient();
  }

  /** What an exec in a container meets: a refusal, or output and an end. */
  private record Exec(int refusal, List<byte[]> messages, boolean ends) {}

  private MockResponse log(RecordedRequest request) {
    String pod = request.getPath().replaceFirst(".*/pods/([^/]*)/log.*", "$1");
    return logs.containsKey(pod) ? new MockResponse().setResponseCode(200).setBody(logs.get(pod)) : new MockResponse().setResponseCode(404);
  }

  /** Plays the Job controller, the scheduler and the kubelet: pods of each Job on the nodes that are named, each with a phase and what it printed. */
  public Thread runsJobs(String namespace, Map<String, String> phases, Map<String, String> printed) {
    Thread thread = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          for (var job : client.batch().v1().jobs().inNamespace(namespace).list().getItems()) {
            if (started.add(job.getMetadata().getName())) {
              phases.forEach((node, phase) -> {
                String name = job.getMetadata().getName() + "-" + node;
                logs.put(name, printed.getOrDefault(node, ""));
                client.pods().inNamespace(namespace).resource(new PodBuilder().withNewMetadata().withName(name).withNamespace(namespace).withLabels(job.getSpec().getTemplate().getMetadata().getLabels())
                    .endMetadata().withNewSpec().withNodeName(node).addNewContainer().withName("node").endContainer().endSpec().withNewStatus().withPhase(phase).withReason(phase.equals("Failed") ? "Evicted" : null)
                    .endStatus().build()).create();
              });
            }
          }
          Thread.sleep(100);
        } catch (InterruptedException e) {
          return;
        }
      }
    }, "controllers");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private MockResponse exec(RecordedRequest request) {
    String path = request.getPath();
    int exec = path.indexOf("/exec?");
    if (exec < 0) {
      return null;
    }
    String pod = path.substring(path.lastIndexOf('/', exec - 1) + 1, exec);
    String container = path.replaceFirst(".*[?&]container=([^&]*).*", "$1");
    commands.add(java.net.URLDecoder.decode(path.substring(exec), StandardCharsets.UTF_8));
    Exec found = execs.get(pod + "/" + container);
    if (found == null) {
      return new MockResponse().setResponseCode(404);
    }
    if (found.refusal() > 0) {
      return new MockResponse().setResponseCode(found.refusal());
    }
    return new MockResponse().withWebSocketUpgrade(new WebSocketListener() {
      @Override
      public void onOpen(WebSocket socket, Response response) {
        found.messages().forEach(socket::send);
        if (found.ends()) {
          socket.close(1000, "");
        }
      }
    });
  }

  /** Output of every exec in a container, and the exit status that ends it. */
  public MockCluster answering(String pod, String container, int exit, String... output) {
    List<byte[]> messages = output(output);
    String status = exit == 0 ? "{\"metadata\":{},\"status\":\"Success\"}"
        : "{\"metadata\":{},\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"" + exit + "\"}]}}";
    messages.add(channel(3, status));
    execs.put(pod + "/" + container, new Exec(0, messages, true));
    return this;
  }

  /** Output, and then the connection breaks without a status (or, if it hangs, nothing more comes). */
  public MockCluster breaking(String pod, String container, boolean hangs, String... output) {
    execs.put(pod + "/" + container, new Exec(0, output(output), !hangs));
    return this;
  }

  public MockCluster refusingExec(String pod, String container, int code) {
    execs.put(pod + "/" + container, new Exec(code, List.of(), true));
    return this;
  }

  /** The next requests are answered with 503, as while the API restarts. */
  public MockCluster down(int requests) {
    outages.set(requests);
    return this;
  }

  /** Queries of all execs so far. */
  public List<String> commands() {
    return commands;
  }

  private static List<byte[]> output(String... output) {
    List<byte[]> messages = new ArrayList<>();
    for (String each : output) {
      messages.add(channel(1, each));
    }
    return messages;
  }

  private static byte[] channel(int number, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[body.length + 1];
    message[0] = (byte) number;
    System.arraycopy(body, 0, message, 1, body.length);
    return message;
  }

  /** Plays the kubelet: pods of a namespace that wait become running, until interrupted. */
  public Thread startsPods(String namespace, String phase) {
    Thread thread = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
            if (pod.getStatus() == null || pod.getStatus().getPhase() == null || pod.getStatus().getPhase().equals("Pending")) {
              client.pods().inNamespace(namespace).withName(pod.getMetadata().getName()).editStatus(p -> new PodBuilder(p).editOrNewStatus().withPhase(phase).endStatus().build());
            }
          }
          Thread.sleep(100);
        } catch (InterruptedException e) {
          return;
        } catch (RuntimeException e) {
          // The pod went meanwhile.
          continue;
        }
      }
    }, "kubelet");
    thread.setDaemon(true);
    thread.start();
    return thread;
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
