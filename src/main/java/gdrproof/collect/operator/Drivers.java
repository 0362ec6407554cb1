package gdrproof.collect.operator;

import gdrproof.collect.operator.Scope.Placed;
import gdrproof.facts.Num;
import gdrproof.facts.Operator.DriverVariable;
import gdrproof.facts.Operator.UpgradePolicy;
import gdrproof.facts.Tri;
import java.util.Locale;

/** The driver's upgrade policy and environment. */
final class Drivers {
  private static final String UPGRADE = "ofedDriver.upgradePolicy.";

  private Drivers() {}

  static void write(Scope scope) {
    for (Placed placed : scope.sections("ofedDriver")) {
      Part policy = placed.section().get("upgradePolicy");
      scope.factAtKey(of(scope.set, scope.range, placed.doc(), placed.section(), placed.active()), policy.exists() ? policy : placed.section());
      for (Part variable : placed.section().get("env").items()) {
        Part value = variable.get("value");
        scope.fact(new DriverVariable(placed.doc().id(), variable.get("name").text(), value.text(), value.kind().name().toLowerCase(Locale.ROOT), placed.active()),
            variable.get("name").exists() ? variable.get("name") : variable);
      }
    }
  }

  /**
   * The upgrade policy of a driver section as written; a patch takes what another document of the same policy says, and a values file what its chart puts where nothing is
   * written. Where the release does not tell that, what is absent says nothing, as in a patch.
   */
  static UpgradePolicy of(OperatorSet set, Releases.Range range, OperatorDoc doc, Part section, Tri active) {
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
    Part delete = drain.get("deleteEmptyDir");
    Tri autoUpgrade = auto.exists() ? Scope.yesNo(auto) : switchedOn(range, doc, "autoUpgrade");
    Tri deleteEmptyDir = delete.exists() ? Scope.yesNo(delete) : switchedOn(range, doc, "drain.deleteEmptyDir");
    boolean open = !auto.exists() && undecided(range, doc, "autoUpgrade") || auto.isTrue() && !delete.exists() && undecided(range, doc, "drain.deleteEmptyDir");
    boolean others = policy.fields().entrySet().stream().anyMatch(e -> !e.getKey().equals("autoUpgrade") && e.getValue().isSet());
    return new UpgradePolicy(doc.id(), Tri.of(policy.isSet()), autoUpgrade, Tri.of(others), Scope.yesNo(policy.get("safeLoad")),
        Num.parse(policy.get("maxParallelUpgrades").text()), Scope.yesNo(drain.get("enable")), Scope.yesNo(drain.get("force")),
        deleteEmptyDir, Num.parse(drain.get("timeoutSeconds").text()), Scope.written(drain.get("podSelector")), active, Tri.of(doc.partial() || open));
  }

  /** YES where the chart sets what a values file leaves out; else what is absent stays UNKNOWN, which the policy's own default takes for false. */
  private static Tri switchedOn(Releases.Range range, OperatorDoc doc, String setting) {
    return doc.isValues() && ChartValues.onByDefault(range, UPGRADE + setting) == Tri.YES ? Tri.YES : Tri.UNKNOWN;
  }

  private static boolean undecided(Releases.Range range, OperatorDoc doc, String setting) {
    return doc.isValues() && ChartValues.onByDefault(range, UPGRADE + setting) == Tri.UNKNOWN;
  }
}
