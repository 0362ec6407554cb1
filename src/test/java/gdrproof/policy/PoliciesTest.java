package gdrproof.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.finding.Causality;
import gdrproof.finding.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Policies are data with a form: every file parses without a duplicate key, and the shared ones say what they must. */
class PoliciesTest {
  @Test
  void everyPolicyFileParses() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("policies"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setCodePointLimit(16 << 20);
        Object content = new Yaml(new SafeConstructor(options)).load(Files.readString(file));
        assertFalse(content == null, file + " is empty");
      }
    }
  }

  @Test
  void everyThresholdHasValueUnitSourceAndReason() {
    Policies.read("thresholds.yaml").forEach((key, entry) -> {
      for (String part : List.of("value", "unit", "source", "reason")) {
        assertTrue(Policies.map(entry).containsKey(part), "thresholds.yaml: " + key + " has no " + part);
      }
    });
  }

  @Test
  void nextProofsAreMeasurements() {
    Policies.map(Policies.read("next-proofs.yaml").get("proofs")).forEach(
        (symptom, names) -> assertTrue(Policies.read("measurements.yaml").keySet().containsAll(Policies.texts(names)), symptom + ": " + names));
  }

  @Test
  void listedCausesAreFaultsThatCanProduceTheirSymptom() {
    Causality causality = Causality.load();
    Policies.map(Policies.read("next-proofs.yaml").get("causes")).forEach((key, causes) -> Policies.map(causes).forEach((fault, names) -> {
      // "slow-scaling PRF922": the symptom as one rule finds it.
      String symptom = key.replaceFirst(" [A-Z]{3}\\d{3}$", "");
      assertTrue(Policies.read("measurements.yaml").keySet().containsAll(Policies.texts(names)), symptom + ", " + fault + ": " + names);
      assertTrue(causality.path(fault, symptom, true) != null, "policies/causality tells no way from " + fault + " to " + symptom);
    }));
  }

  @Test
  void everyMeasurementHasCommandProofBoundaryCostAndLayer() {
    Policies.read("measurements.yaml").forEach((name, entry) -> {
      Map<String, Object> m = Policies.map(entry);
      for (String part : List.of("command", "proves", "boundary", "cost", "layer")) {
        assertTrue(m.containsKey(part), "measurements.yaml: " + name + " has no " + part);
      }
      assertTrue(List.of("read-only", "load", "state").contains(m.get("cost")), name + ": cost " + m.get("cost"));
      Layer.parse(String.valueOf(m.get("layer")));
    });
  }

  @Test
  void causalityNamesKnownFaultsAndSymptoms() {
    assertEquals(false, Causality.load().symptoms().isEmpty());
  }

  @Test
  void edgeOfTheWholeRunReachesOtherSubjects() {
    // `on` is a truth to a YAML 1.1 parser, and the key then another one
    assertTrue(Causality.load().path("symbol-errors", "slow-rail", false) != null);
    assertEquals(null, Causality.load().path("gpu-nic-cross-numa", "slow-rail", false));
  }
}
