package gdrproof.policy;

import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** `exit-status.yaml`: the exit status that a tool leaves with what it prints. */
public final class ExitStatuses {
  /**
   * Status of one error.
   *
   * @param when pattern of the cited line that tells this wording
   * @param with beginning of the name of another error that must stand in the same file, or ""
   * @param exit status, or unknown where the field alone tells it
   * @param field field of the message whose number is the status or is added to it, or ""
   */
  public record Rule(Pattern when, String with, Num exit, String field) {
    /** Whether the text itself states the status. */
    public boolean printed() {
      return !exit.known();
    }

    /** The status for a field's text; unknown where the field is needed and holds no number. */
    public Num status(String value) {
      if (field.isEmpty()) {
        return exit;
      }
      Num number = Num.parse(value);
      return number.known() ? Num.of((exit.known() ? exit.value() : 0) + number.value()) : Num.UNKNOWN;
    }
  }

  /** Status of a whole line; tool and error are unknown where the line names them in a group. */
  public record Line(String words, Pattern pattern, String tool, String error, Num exit) {}

  /** By `tool error`. */
  private final Map<String, List<Rule>> rules = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();

  private ExitStatuses() {
    Map<String, Object> policy = Policies.read("exit-status.yaml");
    Policies.map(policy.get("errors")).forEach((tool, errors) -> Policies.map(errors).forEach((error, entry) -> {
      Map<String, Object> data = Policies.map(entry);
      rules.computeIfAbsent(tool + " " + error.replaceFirst("\\..*", ""), k -> new ArrayList<>()).add(new Rule(Pattern.compile(text(data, "when")), text(data, "with"),
          Num.parse(text(data, "exit")), data.containsKey("plus") ? text(data, "plus") : text(data, "field")));
    }));
    Policies.map(policy.get("messages")).forEach((name, entry) -> {
      Map<String, Object> data = Policies.map(entry);
      lines.add(new Line(text(data, "words"), Pattern.compile(text(data, "pattern")), text(data, "tool"), text(data, "error"), Num.parse(text(data, "exit"))));
    });
  }

  /** Read once, with the first that asks. */
  private static final class Held {
    private static final ExitStatuses ALL = new ExitStatuses();

    private Held() {}
  }

  public static ExitStatuses all() {
    return Held.ALL;
  }

  private static String text(Map<String, Object> data, String key) {
    return String.valueOf(data.getOrDefault(key, ""));
  }

  /** What is known of an error of a tool: one rule for each wording. */
  public List<Rule> of(String tool, String error) {
    return rules.getOrDefault(tool + " " + error, List.of());
  }

  public List<Line> lines() {
    return List.copyOf(lines);
  }
}
