package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.facts.Host.DeviceNode;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.ModuleAbsent;
import gdrproof.facts.Host.PathState;
import gdrproof.facts.Ledger;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.Set;

/** Finds, in another bundle, the reading of the same thing that a fact reads: same kind, node and device, whatever the values. */
final class Counterpart {
  /** Components that say what a record is about; all others are readings. */
  private static final Set<String> IDENTITY = Set.of("node", "hca", "port", "gpu", "name", "address", "from", "to", "netdev", "mount", "path", "component", "index", "scope", "link",
      "bridge", "priority", "role", "device", "capability", "source", "service", "target", "reason", "counter", "test", "memory", "direction", "collective", "what", "pods", "container",
      "resource", "object", "kind");
  /** Of one execution: the next one has others. */
  private static final Set<String> RUN = Set.of("run", "process", "commId", "id", "owner", "pid", "time", "moment", "peer", "table", "key");

  private Counterpart() {}

  static Optional<Fact> of(Fact fact, Ledger after) {
    Optional<Fact> opposite = opposite(fact, after);
    // Messages are events: that one is not there says nothing, and another one is no reading of it.
    return opposite.isPresent() || event(fact) ? opposite : after.facts().stream().filter(other -> other.getClass() == fact.getClass() && aboutTheSame(fact, other)).findFirst();
  }

  private static boolean event(Fact fact) {
    return fact.getClass().getSimpleName().endsWith("Message") || fact.getClass().getSimpleName().endsWith("Failure") || fact.getClass().getSimpleName().endsWith("Error");
  }

  /** What stands in one kind of record when it is there, and in another when it is not. */
  private static Optional<Fact> opposite(Fact fact, Ledger after) {
    if (fact instanceof ModuleAbsent a) {
      return after.all(Module.class).stream().filter(m -> m.node().equals(a.node()) && m.name().equals(a.name())).map(Fact.class::cast).findFirst();
    }
    if (fact instanceof Module m) {
      return after.all(ModuleAbsent.class).stream().filter(a -> a.node().equals(m.node()) && a.name().equals(m.name())).map(Fact.class::cast).findFirst();
    }
    if (fact instanceof PathState p) {
      return after.all(DeviceNode.class).stream().filter(d -> d.node().equals(p.node()) && d.path().startsWith(p.path())).map(Fact.class::cast).findFirst();
    }
    return Optional.empty();
  }

  private static boolean aboutTheSame(Fact fact, Fact other) {
    for (RecordComponent component : fact.getClass().getRecordComponents()) {
      if (IDENTITY.contains(component.getName()) && !value(component, fact).equals(value(component, other))) {
        return false;
      }
    }
    return true;
  }

  /** Whether two readings differ in nothing but what belongs to one execution. */
  static boolean sameStatement(Fact fact, Fact other) {
    if (fact.getClass() != other.getClass()) {
      return false;
    }
    for (RecordComponent component : fact.getClass().getRecordComponents()) {
      if (!RUN.contains(component.getName()) && !value(component, fact).equals(value(component, other))) {
        return false;
      }
    }
    return true;
  }

  private static Object value(RecordComponent component, Fact fact) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(fact);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
