package gdrproof.policy;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The acceptance checklist: `policies/acceptance.yaml`, and what a site adds, removes and tightens.
 *
 * @param items in the order of the file, added ones at the end
 * @param removed items that a site took out, with its reason
 * @param thresholds by key of `policies/thresholds.yaml`, the site's own
 */
public record Checklist(List<Item> items, List<Removed> removed, Map<String, String> thresholds) {
  /**
   * An item.
   *
   * @param section `topology`, `pods`, `fabric`, `nccl`, `lifecycle`
   * @param owner layer that answers for it: server, fabric, scheduler, security, application
   * @param per `node` (every node in scope), `rail` (every HCA in scope) or `site` (once)
   * @param maxAgeDays how old its evidence may be, in days; infinite where age has no meaning
   * @param needs guards: names of signals `guard-off` that make it not applicable
   * @param faults faults that fail the item when diagnosis proves them in scope
   * @param asks measurements of `policies/measurements.yaml` that would prove it
   */
  public record Item(String id, String section, String title, String owner, boolean required, String per, double maxAgeDays, boolean requireAge, List<String> needs,
      List<String> faults, List<String> asks) {}

  /** An item that a site does without, and why. */
  public record Removed(String id, String title, String reason) {}

  private static final Set<String> KEYS = Set.of("section", "title", "owner", "required", "per", "maxAge", "requireAge", "needs", "faults", "asks");
  private static final Set<String> OWNERS = Set.of("server", "fabric", "scheduler", "security", "application");

  /** The shipped checklist. */
  public static Checklist shipped() {
    return of("acceptance.yaml");
  }

  /** A checklist among the policies. */
  public static Checklist of(String policy) {
    List<Item> items = new ArrayList<>();
    Policies.map(Policies.read(policy).get("items")).forEach((id, entry) -> {
      try {
        items.add(item(id, Policies.map(entry), "policies/" + policy));
      } catch (IOException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    });
    return new Checklist(List.copyOf(items), List.of(), Map.of());
  }

  /**
   * The shipped checklist with a site's changes: `add` and `tighten` hold items by id, `remove` a list of `{item, reason}`, `thresholds` values.
   *
   * @throws IOException with a message for the user, if the file is missing, says something unknown, removes without a reason or loosens an item
   */
  public Checklist with(Path file) throws IOException {
    Map<String, Object> root;
    try (Reader reader = Files.newBufferedReader(file)) {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      root = Policies.map(new Yaml(new SafeConstructor(options)).load(reader));
    } catch (YAMLException | ClassCastException e) {
      throw new IOException(file + ": " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
    for (String key : root.keySet()) {
      if (!Set.of("add", "remove", "tighten", "thresholds").contains(key)) {
        throw new IOException(file + ": unknown key " + key + " (known: add, remove, thresholds, tighten)");
      }
    }
    Map<String, Item> byId = new LinkedHashMap<>();
    items.forEach(item -> byId.put(item.id(), item));
    List<Removed> gone = new ArrayList<>(removed);
    for (Map<String, Object> each : Policies.maps(root.get("remove"))) {
      String id = String.valueOf(each.get("item"));
      String reason = String.valueOf(each.getOrDefault("reason", "")).strip();
      if (reason.isEmpty()) {
        throw new IOException(file + ": item " + id + " is removed without a reason");
      }
      gone.add(new Removed(id, existing(byId, id, file).title(), reason));
      byId.remove(id);
    }
    for (Map.Entry<String, Object> each : Policies.map(root.get("tighten")).entrySet()) {
      byId.put(each.getKey(), tightened(existing(byId, each.getKey(), file), Policies.map(each.getValue()), file));
    }
    for (Map.Entry<String, Object> each : Policies.map(root.get("add")).entrySet()) {
      if (byId.containsKey(each.getKey())) {
        throw new IOException(file + ": item " + each.getKey() + " is there already; use tighten");
      }
      byId.put(each.getKey(), item(each.getKey(), Policies.map(each.getValue()), file.toString()));
    }
    Map<String, String> own = new TreeMap<>(thresholds);
    for (Map.Entry<String, Object> each : Policies.map(root.get("thresholds")).entrySet()) {
      if (!Policies.read("thresholds.yaml").containsKey(each.getKey())) {
        throw new IOException(file + ": no threshold " + each.getKey() + " in policies/thresholds.yaml");
      }
      own.put(each.getKey(), String.valueOf(each.getValue()));
    }
    return new Checklist(List.copyOf(byId.values()), List.copyOf(gone), own);
  }

  private static Item existing(Map<String, Item> items, String id, Path file) throws IOException {
    Item item = items.get(id);
    if (item == null) {
      throw new IOException(file + ": no item " + id + " (gdrproof accept --list prints them)");
    }
    return item;
  }

  private static Item tightened(Item item, Map<String, Object> change, Path file) throws IOException {
    double age = item.maxAgeDays();
    boolean required = item.required();
    boolean requireAge = item.requireAge();
    for (Map.Entry<String, Object> each : change.entrySet()) {
      switch (each.getKey()) {
        case "maxAge" -> age = days(each.getValue(), file.toString());
        case "required" -> required = Boolean.TRUE.equals(each.getValue());
        case "requireAge" -> requireAge = Boolean.TRUE.equals(each.getValue());
        default -> throw new IOException(file + ": " + item.id() + ": only maxAge, required and requireAge can be tightened, not " + each.getKey());
      }
    }
    if (age > item.maxAgeDays() || item.required() && !required || item.requireAge() && !requireAge) {
      throw new IOException(file + ": " + item.id() + " is loosened; remove it with a reason and add your own");
    }
    return new Item(item.id(), item.section(), item.title(), item.owner(), required, item.per(), age, requireAge, item.needs(), item.faults(), item.asks());
  }

  private static Item item(String id, Map<String, Object> entry, String file) throws IOException {
    for (String key : entry.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IOException(file + ": " + id + ": unknown key " + key);
      }
    }
    for (String key : List.of("section", "title", "owner", "asks")) {
      if (entry.get(key) == null) {
        throw new IOException(file + ": " + id + ": " + key + " is missing");
      }
    }
    String owner = String.valueOf(entry.get("owner"));
    String per = String.valueOf(entry.getOrDefault("per", "site"));
    if (!OWNERS.contains(owner) || !Set.of("node", "rail", "site").contains(per)) {
      throw new IOException(file + ": " + id + ": owner is one of " + String.join(", ", new java.util.TreeSet<>(OWNERS)) + ", per is node, rail or site");
    }
    List<String> asks = Policies.texts(entry.get("asks"));
    for (String ask : asks) {
      if (!Policies.read("measurements.yaml").containsKey(ask)) {
        throw new IOException(file + ": " + id + ": policies/measurements.yaml has no entry " + ask);
      }
    }
    return new Item(id, String.valueOf(entry.get("section")), String.valueOf(entry.get("title")), owner, !Boolean.FALSE.equals(entry.get("required")), per,
        days(entry.getOrDefault("maxAge", "any"), file), Boolean.TRUE.equals(entry.get("requireAge")), Policies.texts(entry.get("needs")), Policies.texts(entry.get("faults")), asks);
  }

  /** `30d`, `12h`, or `any`. */
  private static double days(Object text, String file) throws IOException {
    String age = String.valueOf(text).strip();
    if (age.equals("any")) {
      return Double.POSITIVE_INFINITY;
    }
    if (age.matches("\\d+[dh]")) {
      double number = Double.parseDouble(age.substring(0, age.length() - 1));
      return age.endsWith("h") ? number / 24 : number;
    }
    throw new IOException(file + ": maxAge is a number of days or hours (30d, 12h) or any, not " + age);
  }
}
