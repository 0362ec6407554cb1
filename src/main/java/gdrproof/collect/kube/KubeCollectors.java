package gdrproof.collect.kube;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class KubeCollectors {
  private KubeCollectors() {}

  public static List<Collector> all() {
    return List.of(new ManifestCollector(), new KubectlRefusals(), new ClusterStates(), new AppliedStates(), new PodTable(), new KubeTables(), new KubeDescribe());
  }
}
