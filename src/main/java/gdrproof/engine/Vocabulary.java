package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.finding.Conclusion;
import java.util.ArrayList;
import java.util.List;

/** The types a rule may name. */
public final class Vocabulary {
  private Vocabulary() {}

  /** Every record below {@link Fact}, in the order of declaration. */
  public static List<Class<?>> factTypes() {
    List<Class<?>> types = new ArrayList<>();
    records(Fact.class, types);
    return types;
  }

  static List<Class<?>> conclusionTypes() {
    List<Class<?>> types = new ArrayList<>();
    records(Conclusion.class, types);
    return types;
  }

  /** Import statements on one line, so that line numbers in the DRL stay those of the file. */
  static String imports() {
    StringBuilder text = new StringBuilder();
    for (Class<?> type : factTypes()) {
      text.append("import ").append(type.getCanonicalName()).append("; ");
    }
    for (Class<?> type : conclusionTypes()) {
      text.append("import ").append(type.getCanonicalName()).append("; ");
    }
    text.append("import gdrproof.facts.*; import gdrproof.facts.Meta.Kind; import gdrproof.finding.Subject; import gdrproof.finding.Layer; "
        + "import gdrproof.finding.Verdict; import gdrproof.finding.Conclusion.ItemVerdict; import java.util.List; import java.util.Map; import java.util.Set;");
    return text.toString();
  }

  private static void records(Class<?> type, List<Class<?>> found) {
    if (type.isRecord()) {
      found.add(type);
    }
    Class<?>[] permitted = type.getPermittedSubclasses();
    if (permitted != null) {
      for (Class<?> each : permitted) {
        records(each, found);
      }
    }
  }
}
