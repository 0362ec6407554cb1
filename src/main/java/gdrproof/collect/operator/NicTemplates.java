package gdrproof.collect.operator;

import gdrproof.facts.Operator.TemplateClash;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;

/** NicConfigurationTemplates against the rules that their CRD states (CEL), by release where the lists grew. */
final class NicTemplates {
  private static final Map<String, Object> POLICY = Policies.map(Policies.read("operator/schema.yaml").get("spectrum-x"));

  private final Scope scope;

  NicTemplates(Scope scope) {
    this.scope = scope;
  }

  void write() {
    for (OperatorDoc doc : scope.of("NicConfigurationTemplate")) {
      Part spec = doc.root().get("spec");
      Part template = spec.get("template");
      if (spec.get("resetToDefault").isTrue() && template.isSet()) {
        clash(doc, spec.get("resetToDefault"), "resetToDefault is true: the template is ignored and the NIC goes back to factory settings with a reboot", "info");
      }
      readRequest(doc, template.get("pciPerformanceOptimized"));
      Part spectrum = template.get("spectrumXOptimized");
      if (spectrum.get("enabled").isTrue()) {
        spectrum(doc, spec, template, spectrum);
      }
    }
  }

  private void readRequest(OperatorDoc doc, Part pci) {
    Part request = pci.get("maxReadRequest");
    Map<String, Object> bounds = Policies.map(POLICY.get("read-request"));
    if (!pci.get("enabled").isFalse() && request.text().matches("\\d{1,9}")
        && (Integer.parseInt(request.text()) < (Integer) bounds.get("least") || Integer.parseInt(request.text()) > (Integer) bounds.get("most"))) {
      clash(doc, request, "maxReadRequest " + request.text() + " lies outside " + bounds.get("least") + ".." + bounds.get("most"), "error");
    }
  }

  private void spectrum(OperatorDoc doc, Part spec, Part template, Part spectrum) {
    if (template.get("roceOptimized", "enabled").isTrue()) {
      clash(doc, template.get("roceOptimized", "enabled"), "roceOptimized.enabled together with spectrumXOptimized.enabled", "error");
    }
    if (template.get("rawNvConfig").isSet()) {
      clash(doc, template.get("rawNvConfig"), "rawNvConfig together with spectrumXOptimized.enabled", "error");
    }
    Part vfs = template.get("numVfs");
    if (vfs.exists() && !vfs.text().equals("1")) {
      clash(doc, vfs, "numVfs " + vfs.text() + ": Spectrum-X needs 1", "error");
    }
    Part link = template.get("linkType");
    if (link.exists() && !link.text().equals("Ethernet")) {
      clash(doc, link, "linkType " + link.text() + ": Spectrum-X needs Ethernet", "error");
    }
    String major = scope.range.major();
    Part type = spec.get("nicSelector", "nicType");
    List<String> types = Policies.texts(Policies.map(POLICY.get("nic-types")).get(major));
    listed(doc, type, types, "nicType", Policies.map(POLICY.get("nic-types")));
    Part version = spectrum.get("version");
    listed(doc, version, Policies.texts(Policies.map(POLICY.get("versions")).get(major)), "version", Policies.map(POLICY.get("versions")));
    Part mode = spectrum.get("multiplaneMode");
    if (mode.isSet() && !mode.text().equals("none")) {
      if (spectrum.get("numberOfPlanes").text("1").equals("1")) {
        clash(doc, mode, "multiplaneMode " + mode.text() + " with one plane", "error");
      }
      if (version.isSet() && version.text().compareTo(String.valueOf(POLICY.get("multiplane-since"))) < 0) {
        clash(doc, version, "multiplaneMode " + mode.text() + " needs version " + POLICY.get("multiplane-since") + " or later", "error");
      }
      if (mode.text().equals("hwplb") && type.text().equals(String.valueOf(POLICY.get("bluefield3")))) {
        clash(doc, mode, "multiplaneMode hwplb does not work on BlueField-3", "error");
      }
    }
  }

  /** A value against a list that is known for the release; without a known release it is open unless no release has it. */
  private void listed(OperatorDoc doc, Part value, List<String> allowed, String name, Map<String, Object> all) {
    if (!value.isSet() || Schema.placeholder(value.text())) {
      return;
    }
    if (!allowed.isEmpty() && !allowed.contains(value.text())) {
      clash(doc, value, name + " " + value.text() + " is not one of " + String.join(", ", allowed), "error");
    } else if (allowed.isEmpty() && all.values().stream().noneMatch(l -> Policies.texts(l).contains(value.text()))) {
      clash(doc, value, name + " " + value.text() + " (the list of the release is not known)", "open");
    }
  }

  private void clash(OperatorDoc doc, Part at, String reason, String severity) {
    scope.fact(new TemplateClash(doc.id(), at.path(), reason, severity), at);
  }
}
