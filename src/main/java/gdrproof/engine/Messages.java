package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.kie.api.runtime.rule.Match;

/**
 * Fills a rule's message template from the variables of a match: `{hca}` is `$hca`, `{p.rateGbps}` the component of the
 * record bound to `$p`, `{m.field.error}` the named field of a message. Numbers are printed with at most two decimals.
 */
final class Messages {
  private static final Pattern SLOT = Pattern.compile("\\{([a-zA-Z0-9_]+)((?:\\.[a-zA-Z0-9_]+)*)}");

  /** What two decimals would print as 0: ratios of errors. */
  private static final double SMALLEST = 0.005;

  /** Rules say the same of many facts: what is found by looking is kept. There are as many as rules and kinds of facts. */
  private static final Map<String, List<Piece>> TEMPLATES = new ConcurrentHashMap<>();
  private static final Map<Class<?>, Map<String, Method>> GETTERS = new ConcurrentHashMap<>();

  private Messages() {}

  /**
   * A piece of a template.
   *
   * @param text what stands between two slots, "" for a slot
   * @param name name of a slot's variable, "" for text
   */
  private record Piece(String text, String name, List<String> path) {
    boolean isNode() {
      return name.equals("$node") || path.equals(List.of("node"));
    }
  }

  static String render(String template, Match match) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : TEMPLATES.computeIfAbsent(template, Messages::pieces)) {
      if (piece.name().isEmpty()) {
        text.append(piece.text());
        continue;
      }
      Object value = match.getDeclarationIds().contains(piece.name()) ? match.getDeclarationValue(piece.name()) : null;
      String shown = show(walk(value, piece.path()));
      text.append(piece.isNode() && shown.equals(Fact.UNKNOWN) ? "an unattributed node" : shown);
    }
    return text.toString();
  }

  private static List<Piece> pieces(String template) {
    List<Piece> pieces = new ArrayList<>();
    Matcher slot = SLOT.matcher(template);
    int end = 0;
    while (slot.find()) {
      pieces.add(new Piece(template.substring(end, slot.start()), "", List.of()));
      pieces.add(new Piece("", "$" + slot.group(1), slot.group(2).isEmpty() ? List.of() : List.of(slot.group(2).substring(1).split("\\."))));
      end = slot.end();
    }
    pieces.add(new Piece(template.substring(end), "", List.of()));
    return List.copyOf(pieces);
  }

  private static Object walk(Object value, List<String> path) {
    Object at = value;
    for (int i = 0; i < path.size() && at != null; i++) {
      if (at instanceof Map<?, ?> map) {
        at = map.get(path.get(i));
        continue;
      }
      try {
        if (path.get(i).equals("field") && i + 1 < path.size()) {
          at = at.getClass().getMethod("field", String.class).invoke(at, path.get(++i));
        } else {
          at = getter(at.getClass(), path.get(i)).invoke(at);
        }
      } catch (NoSuchMethodException | IllegalAccessException e) {
        throw new IllegalStateException("message template names " + path.get(i) + ", which " + at.getClass().getSimpleName() + " does not have", e);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    return at;
  }

  private static Method getter(Class<?> kind, String name) throws NoSuchMethodException {
    Map<String, Method> known = GETTERS.computeIfAbsent(kind, k -> new ConcurrentHashMap<>());
    Method getter = known.get(name);
    if (getter == null) {
      getter = kind.getMethod(name);
      known.put(name, getter);
    }
    return getter;
  }

  private static String number(Num number) {
    boolean tiny = number.known() && number.value() != 0 && Math.abs(number.value()) < SMALLEST;
    return tiny ? String.format(java.util.Locale.ROOT, "%.1e", number.value()) : number.rounded().toString();
  }

  private static String show(Object value) {
    if (value == null) {
      return Fact.UNKNOWN;
    }
    if (value instanceof Double || value instanceof Float) {
      return number(Num.of(((Number) value).doubleValue()));
    }
    if (value instanceof Num number) {
      return number(number);
    }
    if (value instanceof Collection<?> many) {
      return new TreeSet<>(many.stream().map(Messages::show).toList()).stream().collect(Collectors.joining(", "));
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(e -> e.getKey() + "=" + show(e.getValue())).sorted().collect(Collectors.joining(", "));
    }
    return value.toString();
  }
}
