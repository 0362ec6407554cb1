package gdrproof.collect.operator;

import gdrproof.collect.operator.Scope.Placed;
import gdrproof.facts.Num;
import gdrproof.facts.Operator.DriverVariable;
import gdrproof.facts.Operator.UpgradePolicy;
import gdrproof.facts.Tri;
import java.util.Locale;

/** The driver's upgrade policy and environment. */
final class Drivers {
  private Drivers() {}

  static void write(Scope scope) {
    for (Placed placed : scope.sections("ofedDriver")) {
      Part policy = placed.section().get("upgradePolicy");
      scope.factAtKey(of(scope.set, placed.doc(), placed.section(), placed.active()), policy.exists() ? policy : placed.section());
      for (Part variable : placed.section().get("env").items()) {
        Part value = variable.get("value");
        scope.fact(new DriverVariable(placed.doc().id(), variable.get("name").text(), value.text(), value.kind().name().toLowerCase(Locale.ROOT), placed.active()),
            variable.get("name").exists() ? variable.get("name") : variable);
      }
    }
  }

  /** The upgrade policy of a driver section as written; a patch takes what another document of the same policy says. */
  static UpgradePolicy of(OperatorSet set, OperatorDoc doc, Part section, Tri active) {
    Part policy = section.get("upgradePolicy");
    Part drain = policy.get("drain");
    Part auto = policy.get("autoUpgrade");
    if (!auto.exists() && doc.partial()) {
      for (OperatorDoc other : set.docs()) {
        if (other.name().equals(doc.name()) && other.kind().equals(doc.kind())) {
          Part sibling = other.root().get("spec", "ofedDriver", "upgradePolicy", "autoUpgrade");
          auto = sibling.exists() ? sibling : auto;
        }
      }
    }
    boolean others = policy.fields().entrySet().stream().anyMatch(e -> !e.getKey().equals("autoUpgrade") && e.getValue().isSet());
    return new UpgradePolicy(doc.id(), Tri.of(policy.isSet()), Scope.yesNo(auto), Tri.of(others), Scope.yesNo(policy.get("safeLoad")),
        Num.parse(policy.get("maxParallelUpgrades").text()), Scope.yesNo(drain.get("enable")), Scope.yesNo(drain.get("force")),
        Scope.yesNo(drain.get("deleteEmptyDir")), Num.parse(drain.get("timeoutSeconds").text()), Scope.written(drain.get("podSelector")), active, doc.isPartial());
  }
}
