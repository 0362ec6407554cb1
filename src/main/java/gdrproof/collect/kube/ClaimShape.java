package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.ResourceNames;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Devices that a ResourceClaim or ResourceClaimTemplate asks for (resource.k8s.io/v1, v1beta2, v1beta1, v1alpha3).
 *
 * @param aligned whether GPU and NIC are kept together: a constraint over pcieRoot or numaNode, or a NUMA node in the selectors of both
 */
record ClaimShape(Manifest manifest, Num gpus, Num nics, Num channels, Tri aligned, Tri all) {
  /** A selector that names one NIC chooses its place as well: `device.attributes["dra.net"]["rdmaDevice"] == "mlx5_0"`. */
  private static final Pattern ONE_DEVICE = Pattern.compile("(?:rdmaDevice|ifName)[\"'\\]]*\\s*==\\s*[\"']\\S+[\"']");

  static ClaimShape of(Manifest manifest) {
    Value devices = devices(manifest);
    double gpus = 0;
    double nics = 0;
    double channels = 0;
    boolean all = false;
    boolean known = true;
    int located = 0;
    int fabric = 0;
    for (Value request : devices.at("requests").items()) {
      for (Value each : alternatives(request)) {
        String deviceClass = each.at("deviceClassName").text();
        boolean every = each.at("allocationMode").text().equals("All");
        all |= every;
        Num count = PodTemplate.number(each.at("count"), 1);
        known &= count.known();
        if (ResourceNames.gpuClass(deviceClass)) {
          gpus += count.value();
          known &= !every;
          located += locates(each);
          fabric++;
        } else if (ResourceNames.nicClass(deviceClass)) {
          nics += count.value();
          located += locates(each);
          fabric++;
        } else if (deviceClass.startsWith("compute-domain")) {
          channels += count.value();
        }
      }
    }
    boolean constrained = devices.at("constraints").items().stream().map(c -> c.at("matchAttribute").text())
        .anyMatch(a -> a.endsWith("/pcieRoot") || a.endsWith("/numaNode") || a.endsWith("numa"));
    return new ClaimShape(manifest, known ? Num.of(gpus) : Num.UNKNOWN, Num.of(nics), Num.of(channels), Tri.of(constrained || fabric > 0 && located == fabric), Tri.of(all));
  }

  /** GPUs of one request of the claim (of one of its alternatives, `request/alternative`), of all requests for "". */
  Num gpusOf(String request) {
    if (request.isEmpty()) {
      return gpus;
    }
    String name = request.contains("/") ? request.substring(0, request.indexOf('/')) : request;
    for (Value each : devices(manifest).at("requests").items()) {
      if (each.at("name").text().equals(name)) {
        Value asked = alternatives(each).get(0);
        boolean every = asked.at("allocationMode").text().equals("All");
        return !ResourceNames.gpuClass(asked.at("deviceClassName").text()) ? Num.of(0) : every ? Num.UNKNOWN : PodTemplate.number(asked.at("count"), 1);
      }
    }
    return Num.UNKNOWN;
  }

  private static Value devices(Manifest manifest) {
    return manifest.kind().equals("ResourceClaimTemplate") ? manifest.spec().at("spec", "devices") : manifest.spec().at("devices");
  }

  private static List<Value> alternatives(Value request) {
    List<Value> found = new ArrayList<>();
    if (request.at("exactly").isMap()) {
      found.add(request.at("exactly"));
    } else if (!request.at("firstAvailable").items().isEmpty()) {
      found.add(request.at("firstAvailable").items().get(0));
    } else {
      found.add(request);
    }
    return found;
  }

  private static int locates(Value request) {
    for (Value selector : request.at("selectors").items()) {
      String cel = selector.at("cel", "expression").text();
      if (cel.contains("numaNode") || cel.contains("pciAddress") || cel.contains("pcieRoot") || cel.contains("pciBusID") || ONE_DEVICE.matcher(cel).find()) {
        return 1;
      }
    }
    return 0;
  }
}
