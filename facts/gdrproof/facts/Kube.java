package gdrproof.facts;

/** Kubernetes objects as written in manifests or read from a cluster. */
public sealed interface Kube extends Fact {
  /**
   * An object.
   *
   * @param id `file#document` plus kind, namespace and name; the key by which facts about one object join
   */
  record KubeObject(String id, String apiVersion, String kind, String namespace, String name) implements Kube {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }
}
