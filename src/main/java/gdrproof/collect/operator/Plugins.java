package gdrproof.collect.operator;

import gdrproof.facts.Operator.DuplicateResource;
import gdrproof.facts.Operator.PluginFault;
import gdrproof.facts.Operator.PluginResource;
import gdrproof.facts.Operator.ResourceLink;
import gdrproof.facts.Operator.ResourceSelection;
import gdrproof.facts.Operator.SelectorKey;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Facts of the two device plugins' configurations: the JSON texts of policies, and the lists that old charts took. */
final class Plugins {
  private static final Map<String, Object> POLICY = Policies.map(Policies.read("operator/schema.yaml").get("plugins"));
  private static final Set<String> NO_SELECTOR = Set.of("name", "resourceName", "resourcePrefix", "rdmaHcaMax", "deviceType", "excludeTopology", "additionalInfo");

  /**
   * A resource with what selects its NICs; the basis of {@link Overlaps}.
   *
   * @param selectors one map for each alternative
   */
  record Entry(OperatorDoc doc, String plugin, String name, String resource, List<Part> selectors, Part item, Tri active) {}

  private final Scope scope;
  private final List<Entry> entries = new ArrayList<>();

  Plugins(Scope scope) {
    this.scope = scope;
  }

  List<Entry> write() {
    scope.sections("rdmaSharedDevicePlugin").forEach(s -> plugin(s, "shared", "configList"));
    scope.sections("sriovDevicePlugin").forEach(s -> plugin(s, "sriov", "resourceList"));
    for (OperatorDoc doc : scope.of(OperatorDoc.PLUGIN)) {
      boolean sriov = doc.root().get("resourceList").isList();
      plugin(new Scope.Placed(doc, doc.root(), Tri.YES), sriov ? "sriov" : "shared", sriov ? "resourceList" : "configList");
    }
    return entries;
  }

  /** Resource names that a section offers, for the review of changes. */
  static List<String> offered(OperatorDoc doc, String plugin, Part section) {
    List<String> names = new ArrayList<>();
    for (Part item : items(doc, section, plugin.equals("shared") ? "configList" : "resourceList")) {
      names.add(resource(plugin, name(item), item.get("resourcePrefix").text()));
    }
    return names;
  }

  static List<Part> items(OperatorDoc doc, Part section, String list) {
    return doc.kind().equals(OperatorDoc.VALUES) ? section.get("resources").items() : config(doc, section).json().get(list).items();
  }

  /** The configuration itself: a text of the policy, or the whole of what the plugin reads. */
  private static Part config(OperatorDoc doc, Part section) {
    return doc.kind().equals(OperatorDoc.PLUGIN) ? section : section.get("config");
  }

  static String name(Part item) {
    return item.get("resourceName").text(item.get("name").text());
  }

  static String resource(String plugin, String name, String prefix) {
    String shown = prefix.isEmpty() ? String.valueOf(Policies.map(POLICY.get(plugin)).get("default-prefix")) : prefix;
    return shown + "/" + name;
  }

  private void plugin(Scope.Placed placed, String plugin, String list) {
    Part config = config(placed.doc(), placed.section());
    boolean values = placed.doc().kind().equals(OperatorDoc.VALUES);
    if (!values && !config.isSet()) {
      return;
    }
    if (!values && !config.json().isMap()) {
      // A text that begins like a template is a placeholder, which others report.
      if (!Schema.placeholder(config.text())) {
        fault(placed, plugin, "", "no-json", config);
      }
      return;
    }
    Part interval = config.json().get("periodicUpdateInterval");
    if (interval.kind() == Part.Kind.NUMBER && interval.text().startsWith("-")) {
      fault(placed, plugin, "", "negative-interval", interval);
    } else if (interval.text().equals("0")) {
      fault(placed, plugin, "", "zero-interval", interval);
    }
    List<Part> items = items(placed.doc(), placed.section(), list);
    if (items.isEmpty() && !values) {
      fault(placed, plugin, "", "no-list", config);
    }
    Map<String, Integer> seen = new HashMap<>();
    for (int i = 0; i < items.size(); i++) {
      item(placed, plugin, items.get(i), i, values);
      String name = name(items.get(i));
      if (!name.isEmpty() && seen.putIfAbsent(name, i) != null) {
        scope.fact(new DuplicateResource(placed.doc().id(), plugin, name, placed.active()), items.get(i).get(values ? "name" : "resourceName"));
      }
    }
  }

  private void fault(Scope.Placed placed, String plugin, String name, String fault, Part at) {
    scope.fact(new PluginFault(placed.doc().id(), plugin, name, fault, placed.active()), at);
  }

  private void item(Scope.Placed placed, String plugin, Part item, int place, boolean values) {
    String name = name(item);
    String prefix = Scope.written(item.get("resourcePrefix"));
    String resource = resource(plugin, name, item.get("resourcePrefix").text());
    boolean sriov = plugin.equals("sriov");
    List<Part> selectors = selectors(item, values);
    Part named = item.get("resourceName").exists() ? item.get("resourceName") : item.get("name").exists() ? item.get("name") : item;
    Tri rdma = sriov ? Tri.of(!selectors.isEmpty() && selectors.stream().allMatch(s -> s.get("isRdma").isTrue())) : Tri.UNKNOWN;
    Tri asked = Tri.of(scope.podAsks.containsKey(resource) || scope.networkResources.contains(resource));
    String deviceType = Scope.written(item.get("deviceType"));
    String shown = Schema.placeholder(name) ? gdrproof.facts.Fact.UNKNOWN : name;
    scope.fact(new PluginResource(placed.doc().id(), plugin, place, shown, prefix, resource, rdma, Intent.of(scope, name, resource, selectors, ""), deviceType, asked,
        placed.active()), named);
    if (plugin.equals("shared")) {
      shared(placed, item, name, values);
    }
    for (Part selector : selectors) {
      keys(placed, plugin, name, selector, values);
    }
    if (!selectors.isEmpty()) {
      selection(placed, plugin, name, selectors);
      link(placed, plugin, resource, selectors);
    }
    entries.add(new Entry(placed.doc(), plugin, name, resource, selectors, item, placed.active()));
  }

  private void shared(Scope.Placed placed, Part item, String name, boolean values) {
    Part most = item.get("rdmaHcaMax");
    if (!most.exists()) {
      if (!values) {
        fault(placed, "shared", name, "no-hca-max", item);
      }
    } else if (most.kind() != Part.Kind.NUMBER || !most.text().matches("-?\\d+")) {
      fault(placed, "shared", name, "bad-hca-max", most);
    } else if (most.text().startsWith("-")) {
      fault(placed, "shared", name, "negative-hca-max", most);
    }
    if (!values && item.get("selectors").isSet() && item.get("devices").isSet()) {
      fault(placed, "shared", name, "both-selections", item.get("devices"));
    } else if (!values && !item.get("selectors").exists() && !item.get("devices").exists()) {
      fault(placed, "shared", name, "no-selection", item);
    }
  }

  private static List<Part> selectors(Part item, boolean values) {
    if (values) {
      return List.of(item);
    }
    Part selectors = item.get("selectors");
    if (selectors.isList()) {
      return selectors.items();
    }
    return selectors.isMap() ? List.of(selectors) : List.of();
  }

  private void keys(Scope.Placed placed, String plugin, String name, Part selector, boolean values) {
    Map<String, Object> policy = Policies.map(POLICY.get(plugin));
    List<String> known = Policies.texts(policy.get("keys"));
    selector.fields().forEach((key, value) -> {
      if (values && (NO_SELECTOR.contains(key) || key.equals("devices"))) {
        return;
      }
      String status = !known.contains(key) ? "unknown" : Policies.texts(policy.get("webhook-only-unknown")).contains(key) ? "webhook-unknown" : "known";
      if (!status.equals("known")) {
        scope.factAtKey(new SelectorKey(placed.doc().id(), plugin, name, key, status, placed.active()), value);
      }
    });
  }

  private void selection(Scope.Placed placed, String plugin, String name, List<Part> selectors) {
    List<String> order = List.of("yes", "family", "infiniband", "link", "no");
    String worst = "yes";
    Part at = selectors.get(0);
    for (Part selector : selectors) {
      String narrowed = narrowed(plugin, selector);
      if (order.indexOf(narrowed) > order.indexOf(worst)) {
        worst = narrowed;
        at = selector;
      }
    }
    Part vendors = at.get("vendors");
    Tri vendor = Tri.of(!vendors.texts().isEmpty());
    scope.factAtKey(new ResourceSelection(placed.doc().id(), plugin, name, vendor, worst, placed.active()), vendor == Tri.YES ? vendors : at);
  }

  private static String narrowed(String plugin, Part selector) {
    Map<String, Object> policy = Policies.map(POLICY.get(plugin));
    List<String> used = Policies.texts(policy.get("narrowing")).stream().filter(k -> !selector.get(k).texts().isEmpty()).toList();
    if (used.isEmpty()) {
      return links(plugin, selector);
    }
    boolean family = used.equals(List.of("devices")) && Policies.texts(policy.get("family-devices")).containsAll(selector.get("devices").texts());
    return family ? "family" : "yes";
  }

  private void link(Scope.Placed placed, String plugin, String resource, List<Part> selectors) {
    Set<String> layers = new HashSet<>();
    for (Part selector : selectors) {
      List<String> types = selector.get("linkTypes").texts();
      types.forEach(type -> layers.add(layer(type)));
      if (types.isEmpty()) {
        return;
      }
    }
    if (layers.size() == 1 && !layers.contains("")) {
      scope.fact(new ResourceLink(placed.doc().id(), plugin, resource, layers.iterator().next(), placed.active()), selectors.get(0).get("linkTypes"));
    }
  }

  private static String layer(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "infiniband", "ib" -> "InfiniBand";
      case "ether", "ethernet", "eth" -> "Ethernet";
      default -> "";
    };
  }

  private static String links(String plugin, Part selector) {
    List<String> links = selector.get("linkTypes").texts();
    if (links.isEmpty()) {
      return "no";
    }
    boolean infiniband = links.stream().allMatch(l -> l.equalsIgnoreCase("infiniband") || l.equalsIgnoreCase("ib"));
    return infiniband && plugin.equals("shared") ? "infiniband" : "link";
  }
}
