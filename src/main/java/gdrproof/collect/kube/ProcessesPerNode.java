package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.collect.kube.PodView.Part;

/**
 * Processes per pod that a job's own field states. The controllers of the Training Operator (1.5 and later) and of the Trainer hand it to every container as
 * PET_NPROC_PER_NODE, which torchrun reads where its options name no number.
 */
final class ProcessesPerNode {
  private static final String VARIABLE = "PET_NPROC_PER_NODE";

  private ProcessesPerNode() {}

  /** The field of a job that counts for a container; MISSING if none does, or where the container sets the variable itself. */
  static Value of(Manifest manifest, Part part) {
    boolean own = part.container().at("env").items().stream().anyMatch(env -> env.at("name").text().equals(VARIABLE))
        || part.launches().assignments.stream().anyMatch(a -> a.name().equals(VARIABLE));
    if (own) {
      return Value.MISSING;
    }
    Value spec = manifest.spec();
    return switch (manifest.kind()) {
      // The field of the elastic policy is the older one.
      case "PyTorchJob" -> spec.at("nprocPerNode").exists() ? spec.at("nprocPerNode") : spec.at("elasticPolicy", "nProcPerNode");
      case "ClusterTrainingRuntime", "TrainingRuntime" -> spec.at("mlPolicy", "torch", "numProcPerNode");
      default -> Value.MISSING;
    };
  }
}
