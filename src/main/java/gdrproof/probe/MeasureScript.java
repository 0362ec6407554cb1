package gdrproof.probe;

import gdrproof.finding.Diagnosis.Step;
import gdrproof.probe.Plan.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A POSIX script that measures where no Java is, and stores what it measured in the layout of a bundle. */
public final class MeasureScript {
  private static final Pattern SLOT = Pattern.compile("\\{[a-z_]+\\}");
  private static final Pattern TCP = Pattern.compile("\\s-p\\s+(\\d{1,5})\\b");

  private MeasureScript() {}

  /** The matrix on one machine: one GPU, two, all, controls, and two host names. */
  public static String progressive() {
    return part("prologue") + part("progressive") + part("epilogue");
  }

  /** The steps of a plan, run from the machine that the script is started on: its own here, those of other nodes over ssh. */
  public static String of(Plan plan) {
    StringBuilder body = new StringBuilder();
    for (Item item : plan.items()) {
      body.append('\n');
      boolean changes = !item.cost().equals("read-only") && !item.load() || item.steps().stream().anyMatch(s -> Measuring.changes(s.command()));
      boolean open = item.steps().isEmpty() || item.steps().stream().anyMatch(s -> SLOT.matcher(s.command()).find());
      if (changes || open || item.boundary().equals("cluster") || item.boundary().equals(Plan.HAND)) {
        String why = changes ? "refused, it changes the machine" : open ? "left out, no fact fills " + String.join(", ", item.needs().keySet()) : item.boundary().equals(Plan.HAND) ? "left out, a person has to do it" : "left out, it asks the cluster's API";
        body.append("say ").append(Leash.quote(item.measurement() + ": " + why)).append('\n');
        continue;
      }
      body.append("item ").append(Leash.quote(item.measurement())).append(' ').append(item.cost()).append('\n');
      item(item, body);
    }
    return part("prologue") + body + part("epilogue");
  }

  private static void item(Item item, StringBuilder body) {
    long limit = Math.max(Measuring.limit("least_seconds"), item.seconds() * Measuring.limit("stretch"));
    if (item.load()) {
      body.append("[ $SKIP = 1 ] || [ $DRY = 1 ] || snapshot before\n");
    }
    for (int run = 0; run < item.runs(); run++) {
      Map<Integer, List<Step>> units = new TreeMap<>();
      item.steps().forEach(s -> units.computeIfAbsent(s.unit(), u -> new ArrayList<>()).add(s));
      units.values().forEach(unit -> unit(unit, limit, body));
    }
    if (item.load()) {
      body.append("[ $SKIP = 1 ] || [ $DRY = 1 ] || snapshot after\n");
    }
  }

  private static void unit(List<Step> unit, long limit, StringBuilder body) {
    Step server = unit.stream().filter(s -> s.role().equals(Step.SERVER)).findFirst().orElse(null);
    if (server != null) {
      Matcher port = TCP.matcher(server.command());
      String tcp = port.find() ? port.group(1) : "18515";
      unit.stream().filter(s -> s != server).forEach(client -> body.append("pair ").append(limit).append(' ').append(node(server)).append(' ').append(tcp).append(' ').append(Leash.quote(server.command()))
          .append(' ').append(node(client)).append(' ').append(Leash.quote(client.command())).append('\n'));
    } else if (unit.stream().allMatch(s -> s.role().equals(Step.MEMBER))) {
      body.append("members ").append(limit);
      unit.forEach(s -> body.append(' ').append(node(s)).append(' ').append(Leash.quote(s.command())));
      body.append('\n');
    } else {
      unit.forEach(s -> body.append("step ").append(node(s)).append(' ').append(limit).append(' ').append(Leash.quote(s.command())).append('\n'));
    }
  }

  private static String node(Step step) {
    return step.node().isEmpty() ? "\"$NODE\"" : Leash.quote(step.node());
  }

  private static String part(String name) {
    try (InputStream stream = MeasureScript.class.getResourceAsStream("/gdrproof/measure/" + name + ".sh")) {
      if (stream == null) {
        throw new IllegalStateException("gdrproof/measure/" + name + ".sh is missing from the program");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
