package gdrproof.accept;

import gdrproof.accept.FabricBaseline.Counter;
import gdrproof.accept.FabricBaseline.SignOff;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Num;
import gdrproof.policy.Policies;
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

/** Reads and writes the YAML form of a {@link FabricBaseline}: one line for each distribution, so that a review shows what moved. */
public final class BaselineFile {
  private static final Set<String> KEYS = Set.of("kind", "version", "class", "conditions", "signOff", "versions", "sources", "series", "counters");

  private BaselineFile() {}

  /** @throws IOException with a message for the user */
  public static FabricBaseline read(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file)) {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      Map<String, Object> root = Policies.map(new Yaml(new SafeConstructor(options)).load(reader));
      if (!FabricBaseline.KIND.equals(root.get("kind"))) {
        throw new IOException(file + ": kind is " + root.get("kind") + ", not " + FabricBaseline.KIND);
      }
      if (!Integer.valueOf(1).equals(root.get("version"))) {
        throw new IOException(file + ": version " + root.get("version") + " is not known to this program (1)");
      }
      for (String key : root.keySet()) {
        if (!KEYS.contains(key)) {
          throw new IOException(file + ": unknown key " + key);
        }
      }
      return parse(file.toString(), root);
    } catch (java.nio.file.NoSuchFileException e) {
      throw new IOException(file + ": no such file", e);
    } catch (YAMLException | ClassCastException e) {
      throw new IOException(file + ": " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
  }

  private static FabricBaseline parse(String file, Map<String, Object> root) throws IOException {
    Map<String, Object> c = Policies.map(root.get("class"));
    TopologyClass topology = new TopologyClass(Fact.UNKNOWN, text(c, "server"), text(c, "gpu"), num(c, "gpus"), num(c, "nics"), num(c, "nicGbps"), num(c, "rails"), num(c, "pcieGts"), num(c, "pcieLanes"), text(c, "fabric"),
        num(c, "nodes"));
    Map<String, Map<String, String>> conditions = new TreeMap<>();
    Policies.map(root.get("conditions")).forEach((name, values) -> {
      Map<String, String> texts = new TreeMap<>();
      Policies.map(values).forEach((key, value) -> texts.put(key, String.valueOf(value)));
      conditions.put(name, texts);
    });
    Map<String, Object> s = Policies.map(root.get("signOff"));
    Map<String, List<String>> versions = new TreeMap<>();
    Policies.map(root.get("versions")).forEach((name, values) -> versions.put(name, Policies.texts(values)));
    List<Distribution> series = new ArrayList<>();
    for (Map<String, Object> each : Policies.maps(root.get("series"))) {
      Distribution d = new Distribution(Fact.UNKNOWN, text(each, "metric"), text(each, "subject"), text(each, "condition"), num(each, "bytes"), text(each, "unit"), num(each, "samples"), num(each, "warmups"), num(each, "low"),
          num(each, "p50"), num(each, "p95"), num(each, "p99"), num(each, "high"), num(each, "spreadPercent"));
      if (!d.p50().known() || d.metric().equals(Fact.UNKNOWN)) {
        throw new IOException(file + ": a series needs metric and p50: " + each);
      }
      series.add(d);
    }
    List<Counter> counters = new ArrayList<>();
    for (Map<String, Object> each : Policies.maps(root.get("counters"))) {
      counters.add(new Counter(text(each, "condition"), text(each, "meaning"), num(each, "grown"), num(each, "ports")));
    }
    return new FabricBaseline(file, topology, conditions, new SignOff(text(s, "who"), text(s, "when"), text(s, "why")), versions, Policies.texts(root.get("sources")), series, counters);
  }

  private static String text(Map<String, Object> map, String key) {
    Object value = map.get(key);
    if (value instanceof java.util.Date date) {
      // YAML reads an unquoted day as a date.
      return date.toInstant().atZone(java.time.ZoneOffset.UTC).toLocalDate().toString();
    }
    return value == null || String.valueOf(value).isBlank() ? Fact.UNKNOWN : String.valueOf(value).strip();
  }

  private static Num num(Map<String, Object> map, String key) {
    return map.get(key) instanceof Number n ? Num.of(n.doubleValue()) : Num.parse(map.get(key) == null ? null : String.valueOf(map.get(key)));
  }

  /** The file's text; the same baseline gives the same bytes. */
  public static String write(FabricBaseline b) {
    StringBuilder text = new StringBuilder("# Baseline of an accepted configuration, recorded by gdrproof baseline record. Review it, sign it off, keep it in version control.\n"
        + "# Percentiles: linear interpolation at rank 1 + (n - 1) p. The first of three or more comparable runs is a warm-up and is not counted.\n"
        + "kind: " + FabricBaseline.KIND + "\nversion: 1\n");
    TopologyClass t = b.topology();
    Map<String, Object> c = new LinkedHashMap<>();
    c.put("server", t.server());
    c.put("gpu", t.gpu());
    c.put("gpus", t.gpus());
    c.put("nics", t.nics());
    c.put("nicGbps", t.nicGbps());
    c.put("rails", t.rails());
    c.put("pcieGts", t.pcieGts());
    c.put("pcieLanes", t.pcieLanes());
    c.put("fabric", t.fabric());
    c.put("nodes", t.nodes());
    text.append("class: ").append(flow(c)).append('\n');
    text.append("signOff: ").append(flow(ordered("who", b.signOff().who(), "when", b.signOff().when(), "why", b.signOff().why()))).append('\n');
    text.append("conditions:\n");
    b.conditions().forEach((name, values) -> {
      text.append("  ").append(name).append(":\n");
      values.forEach((key, value) -> text.append("    ").append(key).append(": ").append(scalar(value)).append('\n'));
    });
    text.append("versions:\n");
    b.versions().forEach((name, values) -> text.append("  ").append(scalar(name)).append(": [").append(String.join(", ", values.stream().map(BaselineFile::scalar).toList())).append("]\n"));
    text.append("sources: [").append(String.join(", ", b.sources().stream().map(BaselineFile::scalar).toList())).append("]\n");
    text.append("series:\n");
    for (Distribution d : b.series()) {
      text.append("  - ").append(flow(ordered("metric", d.metric(), "subject", d.subject(), "condition", d.condition(), "bytes", d.bytes(), "unit", d.unit(), "samples", d.samples(), "warmups", d.warmups(), "low", d.low(), "p50",
          d.p50(), "p95", d.p95(), "p99", d.p99(), "high", d.high(), "spreadPercent", d.spreadPercent()))).append('\n');
    }
    if (!b.counters().isEmpty()) {
      text.append("counters:\n");
      b.counters().forEach(n -> text.append("  - ").append(flow(ordered("condition", n.condition(), "meaning", n.meaning(), "grown", n.grown(), "ports", n.ports()))).append('\n'));
    }
    return text.toString();
  }

  private static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** A flow map without what is unknown. */
  private static String flow(Map<String, Object> map) {
    List<String> parts = new ArrayList<>();
    map.forEach((key, value) -> {
      boolean known = value instanceof Num n ? n.known() : !value.equals(Fact.UNKNOWN);
      if (known) {
        parts.add(key + ": " + (value instanceof Num n ? n.toString() : scalar(String.valueOf(value))));
      }
    });
    return "{" + String.join(", ", parts) + "}";
  }

  private static String scalar(String text) {
    return text.matches("[A-Za-z][A-Za-z0-9_./ -]*") && !text.matches("(?i)true|false|yes|no|on|off|null|y|n") && text.equals(text.strip()) ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
