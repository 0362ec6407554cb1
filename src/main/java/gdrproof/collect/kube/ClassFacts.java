package gdrproof.collect.kube;

import gdrproof.bundle.Sections;
import gdrproof.bundle.Value;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.ClaimClass;
import gdrproof.facts.Kube.Kubelet;
import gdrproof.facts.Kube.LimitMax;
import gdrproof.facts.Kube.NamedClass;
import gdrproof.facts.Kube.SliceDevices;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts of classes that jobs name, of published devices, of limits and kubelets. */
final class ClassFacts {
  private static final Pattern DRIVER = Pattern.compile("device\\.driver\\s*==\\s*['\"]([^'\"]+)['\"]");

  private ClassFacts() {}

  static void add(Manifest m, Facts facts) {
    switch (m.kind()) {
      case "DeviceClass" -> {
        Matcher driver = DRIVER.matcher("");
        String name = Fact.UNKNOWN;
        for (Value selector : m.spec().at("selectors").items()) {
          driver.reset(selector.at("cel", "expression").text());
          name = driver.find() ? driver.group(1) : name;
        }
        facts.addAtKey(new NamedClass(m.kind(), m.name(), name), m.document(), m.root());
      }
      case "ResourceSlice" -> facts.addAtKey(new SliceDevices(m.spec().at("nodeName").text().isEmpty() ? Fact.UNKNOWN : Sections.shortName(m.spec().at("nodeName").text()),
          m.spec().at("driver").text(), Num.of(m.spec().at("devices").items().size())), m.document(), m.root());
      case "LimitRange" -> {
        for (Value limit : m.spec().at("limits").items()) {
          limit.at("max").entries().forEach((resource, max) -> facts.add(new LimitMax(m.id(), m.namespace(), limit.at("type").text(), resource, Quantity.of(max.text())), m.document(), max));
        }
      }
      case "KubeletConfiguration" -> kubelet(m, facts);
      default -> facts.addAtKey(new NamedClass(m.kind(), m.name(), Fact.UNKNOWN), m.document(), m.root());
    }
  }

  /** The file has no name of a node: it is the one that the section stands under, or the object's own name where a reader of /configz gave it one. */
  private static void kubelet(Manifest m, Facts facts) {
    Value root = m.root();
    String node = m.name().equals(Fact.UNKNOWN) ? Fact.UNKNOWN : Sections.shortName(m.name());
    facts.addAtKey(new Kubelet(node, root.at("topologyManagerPolicy").text("none"), root.at("topologyManagerScope").text("container"), root.at("cpuManagerPolicy").text("none"),
        root.at("memoryManagerPolicy").text("None")), m.document(), root.at("topologyManagerPolicy").exists() ? root.at("topologyManagerPolicy") : root);
  }

  static void claimed(Manifest m, Value devices, Facts facts) {
    for (Value request : devices.at("requests").items()) {
      Value exactly = request.at("exactly").exists() ? request.at("exactly") : request;
      Value name = exactly.at("deviceClassName");
      if (name.exists()) {
        facts.add(new ClaimClass(m.id(), name.text()), m.document(), name);
      }
    }
  }
}
