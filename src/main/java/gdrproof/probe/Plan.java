package gdrproof.probe;

import gdrproof.finding.Asking;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.Step;
import gdrproof.finding.Subject;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Measurements to make, in order: what `diagnose --plan` writes and `measure --plan` runs. */
public record Plan(List<Item> items) {
  public static final String SCHEMA = "gdrproof/plan/v1";

  /** Boundary of what only a person can do. */
  static final String HAND = "hand";

  public Plan {
    items = List.copyOf(items);
  }

  /**
   * @param around taken before and after a load, not by itself
   * @param seconds expected for one run
   * @param runs comparable runs, the first a warm-up
   * @param needs slots of the commands that no fact filled, with what would; such an item cannot run
   */
  public record Item(String measurement, String cost, String boundary, boolean around, int seconds, int runs, String proves, List<String> separates, List<Step> steps,
      Map<String, String> needs) {
    public Item {
      steps = List.copyOf(steps);
      separates = List.copyOf(separates);
    }

    public boolean load() {
      return cost.equals("load");
    }
  }

  /** Asks in their order, each load behind what the raw order puts before it. */
  public static Plan of(List<Ask> asks, Asking asking) {
    Map<String, Object> catalogue = Policies.read("measurements.yaml");
    List<Ask> ordered = new ArrayList<>();
    Set<String> there = new LinkedHashSet<>();
    for (Ask ask : asks) {
      before(ask, catalogue, asking, there, ordered);
    }
    return new Plan(ordered.stream().map(a -> item(a, Policies.map(catalogue.get(a.measurement())))).toList());
  }

  private static void before(Ask ask, Map<String, Object> catalogue, Asking asking, Set<String> there, List<Ask> ordered) {
    if (!there.add(ask.measurement())) {
      return;
    }
    for (String first : Policies.texts(Policies.map(catalogue.get(ask.measurement())).get("first"))) {
      Set<Subject> nodes = new LinkedHashSet<>();
      ask.on().forEach(n -> nodes.add(Subject.node(n)));
      Ask needed = asking.ask(first, Set.copyOf(ask.separates()), nodes.isEmpty() ? Set.of(Subject.run()) : nodes, ask.splits());
      // A step that this launcher or this number of nodes does not have is no condition.
      if (!needed.steps().isEmpty() || !Policies.map(catalogue.get(first)).containsKey("launchers")) {
        before(needed, catalogue, asking, there, ordered);
      }
    }
    ordered.add(ask);
  }

  private static Item item(Ask ask, Map<String, Object> entry) {
    int runs = entry.get("runs") instanceof Integer told ? told : 1;
    return new Item(ask.measurement(), ask.cost(), Boolean.TRUE.equals(entry.get("hand")) ? HAND : ask.boundary(), Boolean.TRUE.equals(entry.get("around")), ask.seconds(), runs, ask.proves(), ask.separates(), ask.steps(), ask.fill());
  }

  /** The plan as YAML; {@link #read} gives it back. */
  public String yaml() {
    List<Object> list = new ArrayList<>();
    for (Item item : items) {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("measurement", item.measurement());
      m.put("proves", item.proves());
      m.put("cost", item.cost());
      m.put("boundary", item.boundary());
      m.put("seconds", item.seconds());
      m.put("runs", item.runs());
      if (item.around()) {
        m.put("around", true);
      }
      m.put("separates", item.separates());
      if (!item.needs().isEmpty()) {
        m.put("needs", item.needs());
      }
      List<Object> steps = new ArrayList<>();
      for (Step step : item.steps()) {
        Map<String, Object> s = new LinkedHashMap<>();
        s.put("node", step.node());
        s.put("role", step.role());
        s.put("unit", step.unit());
        s.put("command", step.command());
        steps.add(s);
      }
      m.put("steps", steps);
      list.add(m);
    }
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schema", SCHEMA);
    root.put("items", list);
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(4000);
    options.setSplitLines(false);
    return new Yaml(options).dump(root);
  }

  /** @throws ProbeException if the text is no plan, with what is wrong */
  public static Plan read(String text) throws ProbeException {
    Object root;
    try {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      root = new Yaml(new SafeConstructor(options)).load(text);
    } catch (YAMLException e) {
      throw new ProbeException("the plan is no YAML: " + e.getMessage().lines().findFirst().orElse(""), e);
    }
    if (!(root instanceof Map<?, ?> map) || !SCHEMA.equals(map.get("schema"))) {
      throw new ProbeException("the plan has no `schema: " + SCHEMA + "`");
    }
    List<Item> items = new ArrayList<>();
    try {
      for (Map<String, Object> m : Policies.maps(map.get("items"))) {
        List<Step> steps = new ArrayList<>();
        for (Map<String, Object> s : Policies.maps(m.get("steps"))) {
          steps.add(new Step(word(s, "node"), word(s, "role"), number(s, "unit", 0), word(s, "command")));
        }
        Map<String, String> needs = new LinkedHashMap<>();
        Policies.map(m.get("needs")).forEach((slot, how) -> needs.put(slot, String.valueOf(how)));
        items.add(new Item(word(m, "measurement"), word(m, "cost"), word(m, "boundary"), Boolean.TRUE.equals(m.get("around")), number(m, "seconds", 5), number(m, "runs", 1),
            String.valueOf(m.getOrDefault("proves", "")), Policies.texts(m.get("separates")), steps, needs));
      }
    } catch (ClassCastException e) {
      throw new ProbeException("the plan's items have another form than " + SCHEMA, e);
    }
    return new Plan(items);
  }

  private static String word(Map<String, Object> map, String key) throws ProbeException {
    if (!(map.get(key) instanceof String text)) {
      throw new ProbeException("the plan: an item has no text `" + key + "`");
    }
    return text;
  }

  private static int number(Map<String, Object> map, String key, int otherwise) {
    return map.get(key) instanceof Integer number ? number : otherwise;
  }
}
