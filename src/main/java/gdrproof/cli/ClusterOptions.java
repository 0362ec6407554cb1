package gdrproof.cli;

import gdrproof.probe.Cluster.Access;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How commands reach a cluster. Nothing here loads the Kubernetes client: only {@link #access()} names a class of it. */
final class ClusterOptions {
  @Option(names = "--context", paramLabel = "NAME", arity = "0..1", fallbackValue = "", description = "context of the kubeconfig (without NAME: the current one); reads only")
  private String context;

  @Option(names = "--kubeconfig", paramLabel = "FILE", defaultValue = "", description = "kubeconfig file (default: KUBECONFIG, else ~/.kube/config)")
  private String kubeconfig;

  @Option(names = "--request-timeout", paramLabel = "SECONDS", defaultValue = "15", description = "longest wait for one answer of the API (default: ${DEFAULT-VALUE})")
  private int timeoutSeconds;

  /** Whether a cluster was named. */
  boolean given() {
    return context != null || !kubeconfig.isEmpty();
  }

  Access access() {
    return new Access(context == null ? "" : context, kubeconfig, Duration.ofSeconds(Math.max(1, timeoutSeconds)));
  }
}
