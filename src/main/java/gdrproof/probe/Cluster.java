package gdrproof.probe;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocketHandshakeException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** One Kubernetes API, as the user's kubeconfig names it. Errors of the client become sentences that say what to do. */
public final class Cluster implements AutoCloseable {
  /** The client tells of every retry and closed stream on standard error; what matters is said by us. */
  private static final Logger CLIENT = Logger.getLogger("io.fabric8");

  /**
   * How to reach it.
   *
   * @param context context of the kubeconfig, "" for its current one (or the pod's own service account)
   * @param kubeconfig file, "" for KUBECONFIG or ~/.kube/config
   * @param timeout of one request
   */
  public record Access(String context, String kubeconfig, Duration timeout) {}

  private static final Pattern STATUS = Pattern.compile("response status code (\\d{3})");

  private final KubernetesClient client;

  private Cluster(KubernetesClient client) {
    this.client = client;
  }

  /**
   * @throws ProbeException if there is no such file or context
   */
  public static Cluster open(Access access) throws ProbeException {
    CLIENT.setLevel(Level.OFF);
    int millis = (int) Math.min(Integer.MAX_VALUE, access.timeout().toMillis());
    Config found = config(access);
    Config config = new ConfigBuilder(found).withRequestTimeout(millis).withConnectionTimeout(millis).withRequestRetryBackoffLimit(0).build();
    return new Cluster(new KubernetesClientBuilder().withConfig(config).build());
  }

  /** Over a client that is given; it is closed with this. */
  static Cluster of(KubernetesClient client) {
    return new Cluster(client);
  }

  private static Config config(Access access) throws ProbeException {
    String context = access.context().isEmpty() ? null : access.context();
    Config config;
    if (access.kubeconfig().isEmpty()) {
      config = Config.autoConfigure(context);
    } else {
      Path file = Path.of(access.kubeconfig());
      if (!Files.isReadable(file)) {
        throw new ProbeException("kubeconfig " + file + ": no such file, or not readable");
      }
      try {
        config = Config.fromKubeconfig(context, file.toFile());
      } catch (RuntimeException e) {
        throw new ProbeException("kubeconfig " + file + " cannot be read: " + oneLine(e), e);
      }
    }
    // The client falls back to its defaults for a context that is not there, and would ask another cluster.
    List<String> names = config.getContexts() == null ? List.of() : config.getContexts().stream().map(NamedContext::getName).sorted().toList();
    if (context != null && !names.contains(context)) {
      throw new ProbeException("no context " + context + " in the kubeconfig" + (names.isEmpty() ? "" : "; it has " + String.join(", ", names)));
    }
    return config;
  }

  KubernetesClient client() {
    return client;
  }

  /** Address of the API. */
  public String server() {
    return String.valueOf(client.getMasterUrl());
  }

  /** The namespace that the context stands in, "default" where it names none. */
  public String namespace() {
    return client.getNamespace() == null ? "default" : client.getNamespace();
  }

  @Override
  public void close() {
    client.close();
  }

  /** Whether the API answered at all; a refusal is an answer. */
  static boolean answered(KubernetesClientException e) {
    return code(e) > 0;
  }

  /** HTTP status of the answer, 0 without one; a refused exec tells it only by the failed handshake below. */
  static int code(KubernetesClientException e) {
    if (e.getCode() > 0) {
      return e.getCode();
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof WebSocketHandshakeException handshake && handshake.getResponse() != null) {
        return handshake.getResponse().statusCode();
      }
      Matcher status = STATUS.matcher(String.valueOf(cause.getMessage()));
      if (status.find()) {
        return Integer.parseInt(status.group(1));
      }
    }
    return 0;
  }

  /** Whether the API refused for want of a permission or of credentials. */
  static boolean refused(KubernetesClientException e) {
    return code(e) == 401 || code(e) == 403;
  }

  /** What went wrong, in the words of somebody who has to repair it. */
  static String reason(KubernetesClientException e) {
    if (code(e) == 401) {
      return "the API does not accept these credentials (401)";
    }
    if (answered(e)) {
      String said = e.getStatus() == null || e.getStatus().getMessage() == null ? "" : ": " + e.getStatus().getMessage().lines().findFirst().orElse("");
      return "the API answered " + code(e) + said;
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpConnectTimeoutException) {
        return "no connection within the time limit";
      }
      if (cause instanceof HttpTimeoutException || cause instanceof TimeoutException || cause instanceof java.net.SocketTimeoutException) {
        return "no answer within the time limit";
      }
      if (cause instanceof SSLException) {
        return "TLS failed: " + oneLine(cause);
      }
      if (cause instanceof UnresolvedAddressException || cause instanceof java.net.UnknownHostException) {
        return "its host name is not known here";
      }
      if (cause instanceof ConnectException) {
        return "the connection was refused";
      }
    }
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest instanceof IOException ? "the connection broke" + (deepest.getMessage() == null ? "" : ": " + oneLine(deepest)) : oneLine(deepest);
  }

  private static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }
}
