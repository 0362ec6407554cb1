package gdrproof.kube;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
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
        return exec == null ? objects.dispatch(whole(request)) : exec;
      }
    };
    server = new KubernetesMockServer(new Context(Serialization.jsonMapper()), new MockWebServer(), responses, dispatcher, false);
    server.init();
    client = server.createClient();
  }

  /** The mock knows no subresource of ephemeral containers; a patch of it is one of the pod. */
  private static RecordedRequest whole(RecordedRequest request) {
    String path = request.getPath().replaceFirst("/ephemeralcontainers(?=\\?|$)", "");
    return path.equals(request.getPath()) ? request : new RecordedRequest(request.getHttpVersion(), request.method(), path, request.getHeaders(), request.getBody());
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
    Exec found = execs.getOrDefault(pod + "/" + container, execs.get("*/" + container));
    if (found == null) {
      return new MockResponse().setResponseCode(404);
    }
    if (found.refusal() > 0) {
      return new MockResponse().setResponseCode(found.refusal());
    }
    if (found.messages().isEmpty()) {
      return new MockResponse().withWebSocketUpgrade(new RealShell());
    }
    return new MockResponse().withWebSocketUpgrade(new WebSocketListener() {
      private final StringBuilder script = new StringBuilder();
      private boolean answered;

      @Override
      public synchronized void onMessage(WebSocket socket, byte[] message) {
        // As a shell: it answers once it has read its script to the end.
        script.append(new String(message, StandardCharsets.UTF_8));
        if (!answered && script.indexOf("#gdrproof-script-end\n") >= 0) {
          answered = true;
          found.messages().forEach(socket::send);
          if (found.ends()) {
            socket.close(1000, "");
          }
        }
      }
    });
  }

  /** Output of every exec in a container, and the exit status that ends it. @param pod "*" for all pods that nothing else is said of */
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

  /** Every exec in a container is a real shell of this machine, with the connection as its standard input. */
  public MockCluster executing(String pod, String container) {
    execs.put(pod + "/" + container, new Exec(0, List.of(), true));
    return this;
  }

  private final class RealShell extends WebSocketListener {
    private Process process;

    @Override
    public synchronized void onOpen(WebSocket socket, Response response) {
      String query = socket.request().getPath();
      List<String> words = new ArrayList<>();
      for (String part : query.substring(query.indexOf('?') + 1).split("&")) {
        if (part.startsWith("command=")) {
          words.add(java.net.URLDecoder.decode(part.substring(8), StandardCharsets.UTF_8));
        }
      }
      try {
        process = new ProcessBuilder(words).redirectErrorStream(true).start();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      Thread pump = new Thread(() -> pump(socket), "shell");
      pump.setDaemon(true);
      pump.start();
    }

    private void pump(WebSocket socket) {
      try (java.io.InputStream in = process.getInputStream()) {
        byte[] block = new byte[1 << 14];
        for (int n = in.read(block); n >= 0; n = in.read(block)) {
          byte[] message = new byte[n + 1];
          message[0] = 1;
          System.arraycopy(block, 0, message, 1, n);
          socket.send(message);
        }
        int exit = process.waitFor();
        socket.send(exit == 0 ? channel(3, "{\"metadata\":{},\"status\":\"Success\"}")
            : channel(3, "{\"metadata\":{},\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"" + exit + "\"}]}}"));
        socket.close(1000, "");
      } catch (IOException | InterruptedException e) {
        process.destroyForcibly();
      }
    }

    @Override
    public synchronized void onMessage(WebSocket socket, byte[] message) {
      try {
        if (message.length > 0 && message[0] == 0) {
          process.getOutputStream().write(message, 1, message.length - 1);
          process.getOutputStream().flush();
        }
      } catch (IOException e) {
        // The shell has ended; its status is on the way.
        return;
      }
    }

    @Override
    public synchronized void onClosed(WebSocket socket, int code, String reason) {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        process.destroyForcibly();
      }
    }
  }

  public MockCluster refusingExec(String pod, String container, int code) {
    execs.put(pod + "/" + container, new Exec(code, List.of(), false));
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
    return kubelet(100, () -> {
      for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
        if (pod.getStatus() == null || pod.getStatus().getPhase() == null || pod.getStatus().getPhase().equals("Pending")) {
          client.pods().inNamespace(namespace).withName(pod.getMetadata().getName()).editStatus(p -> new PodBuilder(p).editOrNewStatus().withPhase(phase).endStatus().build());
        }
      }
    });
  }

  /** Plays the kubelet for ephemeral containers: each of a pod runs as soon as it is there. */
  public Thread startsEphemeral(String namespace, String name, String output) {
    return kubelet(50, () -> {
      Pod pod = client.pods().inNamespace(namespace).withName(name).get();
      List<String> wanted = pod.getSpec().getEphemeralContainers().stream().map(c -> c.getName()).toList();
      if (wanted.size() > pod.getStatus().getEphemeralContainerStatuses().size()) {
        List<ContainerStatus> states = wanted.stream().map(c -> new ContainerStatusBuilder().withName(c).withNewState().withNewRunning().endRunning().endState().build()).toList();
        // What runs in it answers like any shell.
        wanted.forEach(c -> answering(name, c, 0, output));
        client.pods().inNamespace(namespace).withName(name).editStatus(p -> new PodBuilder(p).editStatus().withEphemeralContainerStatuses(states).endStatus().build());
      }
    });
  }

  /** Does a kubelet's work again and again until it is interrupted. */
  private static Thread kubelet(long millis, Runnable work) {
    Thread thread = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          work.run();
          Thread.sleep(millis);
        } catch (InterruptedException e) {
          return;
        } catch (RuntimeException e) {
          // The pod went or was changed at the same moment.
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
