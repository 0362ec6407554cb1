package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
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

  private Messages() {}

  static String render(String template, Match match) {
    Matcher slot = SLOT.matcher(template);
    StringBuilder text = new StringBuilder();
    while (slot.find()) {
      Object value = match.getDeclarationIds().contains("$" + slot.group(1)) ? match.getDeclarationValue("$" + slot.group(1)) : null;
      String[] path = slot.group(2).isEmpty() ? new String[0] : slot.group(2).substring(1).split("\\.");
      String shown = show(walk(value, path));
      boolean nodeUnknown = shown.equals(Fact.UNKNOWN) && (slot.group(1).equals("node") || slot.group(2).equals(".node"));
      slot.appendReplacement(text, Matcher.quoteReplacement(nodeUnknown ? "an unattributed node" : shown));
    }
    slot.appendTail(text);
    return text.toString();
  }

  private static Object walk(Object value, String[] path) {
    Object at = value;
    for (int i = 0; i < path.length && at != null; i++) {
      if (at instanceof Map<?, ?> map) {
        at = map.get(path[i]);
        continue;
      }
      try {
        if (path[i].equals("field") && i + 1 < path.length) {
          Method method = at.getClass().getMethod("field", String.class);
          at = method.invoke(at, path[++i]);
        } else {
          at = at.getClass().getMethod(path[i]).invoke(at);
        }
      } catch (NoSuchMethodException | IllegalAccessException e) {
        throw new IllegalStateException("message template names " + path[i] + ", which " + at.getClass().getSimpleName() + " does not have", e);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    return at;
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
