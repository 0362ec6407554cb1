package gdrproof.engine;

import gdrproof.facts.Fact;
import java.util.List;
import java.util.Set;
import org.drools.model.Condition;
import org.drools.model.Declaration;
import org.drools.model.EntryPoint;
import org.drools.model.Global;
import org.drools.model.Model;
import org.drools.model.Pattern;
import org.drools.model.Query;
import org.drools.model.Rule;
import org.drools.model.TypeMetaData;

/** A model without the rules that need a fact of a type that is not at hand. */
record Narrowed(Model model, List<Rule> rules) implements Model {
  static Model whole(Model model) {
    return model;
  }

  static Model to(Model model, Set<Class<?>> present) {
    return new Narrowed(model, model.getRules().stream().filter(rule -> possible(rule.getView(), present)).toList());
  }

  /** The first rules alone. */
  static Model few(Model model) {
    return new Narrowed(model, model.getRules().stream().limit(8).toList());
  }

  /** Only patterns that must match count: what stands below not, or, exists and accumulate is left to the engine. */
  private static boolean possible(Condition condition, Set<Class<?>> present) {
    if (condition instanceof Pattern<?> pattern) {
      Class<?> type = pattern.getPatternVariable().getType();
      // `X() from collection` matches what was never inserted.
      boolean from = pattern.getPatternVariable() instanceof Declaration<?> declaration && declaration.getSource() != null;
      return from || !Fact.class.isAssignableFrom(type) || present.stream().anyMatch(type::isAssignableFrom);
    }
    return condition.getType() != Condition.Type.AND || condition.getSubConditions().stream().allMatch(each -> possible(each, present));
  }

  @Override
  public String getName() {
    return model.getName();
  }

  @Override
  public String getPackageName() {
    return model.getPackageName();
  }

  @Override
  public List<Global> getGlobals() {
    return model.getGlobals();
  }

  @Override
  public List<Rule> getRules() {
    return rules;
  }

  @Override
  public List<Query> getQueries() {
    return model.getQueries();
  }

  @Override
  public List<TypeMetaData> getTypeMetaDatas() {
    return model.getTypeMetaDatas();
  }

  @Override
  public List<EntryPoint> getEntryPoints() {
    return model.getEntryPoints();
  }
}
