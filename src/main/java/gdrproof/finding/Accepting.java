package gdrproof.finding;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.RunPair;
import gdrproof.facts.Gate.ScopeNode;
import gdrproof.facts.Gate.ScopeRail;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.finding.Acceptance.Age;
import gdrproof.finding.Conclusion.Cause;
import gdrproof.finding.Conclusion.Exclusion;
import gdrproof.finding.Conclusion.Item;
import gdrproof.finding.Conclusion.ItemVerdict;
import gdrproof.finding.Conclusion.Signal;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.policy.Checklist;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * From what the rules concluded to a verdict on every item of the checklist. An item that is judged node by node (or rail by rail) is
 * proven only when it is proven on every one in scope; one failure anywhere fails it; what nothing concludes is not proven.
 */
public final class Accepting {
  /** Name of the signal by which a rule says that an item's guard does not hold; its subject is the guard's name. */
  static final String GUARD = "guard-off";

  private static final int MOST_CITED = 8;
  private static final int MOST_NAMED = 4;

  private final Ledger ledger;
  private final Checklist checklist;
  private final LocalDate asOf;
  private final Map<String, Set<Subject>> scope = new TreeMap<>();
  private final Asking asking;

  public Accepting(Ledger ledger, Checklist checklist, LocalDate asOf) {
    this.ledger = ledger;
    this.checklist = checklist;
    this.asOf = asOf;
    asking = new Asking(ledger::unsorted);
    Set<Subject> nodes = new TreeSet<>();
    ledger.all(ScopeNode.class).forEach(n -> nodes.add(Subject.node(n.node())));
    Set<Subject> rails = new TreeSet<>();
    ledger.all(ScopeRail.class).forEach(r -> rails.add(Subject.hca(r.node(), r.hca())));
    scope.put("node", nodes);
    scope.put("rail", rails);
  }

  public Acceptance judge(List<Derived> conclusions, List<String> failures) {
    Map<String, List<Derived>> byItem = conclusions.stream().filter(d -> d.conclusion() instanceof Item)
        .collect(Collectors.groupingBy(d -> ((Item) d.conclusion()).item(), LinkedHashMap::new, Collectors.toList()));
    Map<String, List<Derived>> guards = conclusions.stream().filter(d -> d.conclusion() instanceof Signal s && s.name().equals(GUARD))
        .collect(Collectors.groupingBy(d -> d.conclusion().subject().name(), LinkedHashMap::new, Collectors.toList()));
    List<Acceptance.Item> items = new ArrayList<>();
    for (Checklist.Item item : checklist.items()) {
      items.add(judge(item, causes(item, conclusions), byItem.getOrDefault(item.id(), List.of()), guards));
    }
    boolean accepted = failures.isEmpty() && items.stream().allMatch(i -> !i.required() || i.holds());
    return new Acceptance(accepted, items, checklist.removed(), ledger.all(MatrixRow.class), ledger.all(RunPair.class), ledger.all(TopologyClass.class),
        ledger.all(BaselineState.class), ledger.all(BaselineCheck.class), asOf.toString(), ledger.all(Unread.class), failures);
  }

  /** Proven faults that fail an item: on a node or rail in scope, and not contradicted. */
  private List<Derived> causes(Checklist.Item item, List<Derived> conclusions) {
    return item.faults().isEmpty() ? List.of()
        : conclusions.stream().filter(d -> d.conclusion() instanceof Cause c && item.faults().contains(c.fault()) && inScope(c.subject(), item.per()))
            .filter(d -> conclusions.stream().noneMatch(e -> e.conclusion() instanceof Exclusion x && x.fault().equals(((Cause) d.conclusion()).fault()) && x.subject().related(d.conclusion().subject()))).toList();
  }

  private boolean inScope(Subject subject, String per) {
    if (subject.node().equals(Fact.UNKNOWN) || scope.get("node").isEmpty()) {
      return true;
    }
    if (per.equals("rail") && subject.kind() == Subject.Kind.PORT) {
      return scope.get("rail").stream().anyMatch(r -> r.node().equals(subject.node()) && (subject.name() + ":").startsWith(r.name() + ":"));
    }
    return scope.get("node").contains(Subject.node(subject.node()));
  }

  private Acceptance.Item judge(Checklist.Item item, List<Derived> faults, List<Derived> concluded, Map<String, List<Derived>> guards) {
    Map<ItemVerdict, List<Derived>> by = concluded.stream().collect(Collectors.groupingBy(d -> ((Item) d.conclusion()).verdict()));
    List<Derived> failed = new ArrayList<>(by.getOrDefault(ItemVerdict.FAILED, List.of()));
    failed.addAll(faults);
    List<Derived> open = by.getOrDefault(ItemVerdict.NOT_PROVEN, List.of());
    List<Derived> proven = by.getOrDefault(ItemVerdict.PROVEN, List.of());
    List<Derived> exempt = new ArrayList<>(by.getOrDefault(ItemVerdict.NOT_APPLICABLE, List.of()));
    List<Derived> off = item.needs().stream().flatMap(need -> guards.getOrDefault(need, List.of()).stream()).toList();
    if (!failed.isEmpty()) {
      return result(item, ItemVerdict.FAILED, failed, messages(failed), messages(failed), subjects(failed));
    }
    Set<Subject> wanted = new TreeSet<>(scope.getOrDefault(item.per(), Set.of()));
    if (item.per().equals("rail")) {
      // A node of which no rail is known must not be passed over.
      scope.get("node").stream().filter(n -> scope.get("rail").stream().noneMatch(r -> r.node().equals(n.node()))).filter(n -> !scope.get("rail").isEmpty()).forEach(wanted::add);
    }
    boolean each = scope.containsKey(item.per());
    List<Derived> everywhere = off.stream().filter(d -> !(each && part(d))).toList();
    if (!everywhere.isEmpty() && proven.isEmpty()) {
      return result(item, ItemVerdict.NOT_APPLICABLE, everywhere, messages(everywhere), messages(everywhere), Set.of());
    }
    exempt.addAll(off);
    if (!open.isEmpty()) {
      return result(item, ItemVerdict.NOT_PROVEN, open, messages(open), messages(open), subjects(open));
    }
    if (each) {
      Set<Subject> missing = new TreeSet<>(wanted);
      missing.removeAll(subjects(proven));
      exempt.forEach(e -> missing.removeIf(m -> covers(e.conclusion().subject(), m)));
      if (wanted.isEmpty()) {
        return result(item, ItemVerdict.NOT_PROVEN, List.of(), "no " + item.per() + " to be accepted is known from the evidence",
            "no " + item.per() + " to be accepted is known from the evidence", Set.of());
      }
      if (!missing.isEmpty()) {
        String gap = "no proof for " + named(missing) + (proven.isEmpty() ? "" : "; proven for " + named(subjects(proven)));
        return result(item, ItemVerdict.NOT_PROVEN, proven, gap, gap, missing);
      }
    }
    if (proven.isEmpty() && !exempt.isEmpty()) {
      return result(item, ItemVerdict.NOT_APPLICABLE, exempt, messages(exempt), messages(exempt), Set.of());
    }
    if (proven.isEmpty()) {
      return result(item, ItemVerdict.NOT_PROVEN, List.of(), "nothing in the evidence shows it", "nothing in the evidence shows it", Set.of());
    }
    return result(item, ItemVerdict.PROVEN, proven, messages(proven), "", Set.of());
  }

  /** Whether a guard concerns one node only: its detail then holds the node. */
  private static boolean part(Derived guard) {
    return !((Signal) guard.conclusion()).detail().isEmpty();
  }

  private static boolean covers(Subject exempt, Subject wanted) {
    return exempt.equals(wanted) || exempt.kind() == Subject.Kind.NODE && exempt.node().equals(wanted.node());
  }

  private static Set<Subject> subjects(List<Derived> list) {
    return list.stream().map(d -> d.conclusion().subject()).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String named(Set<Subject> subjects) {
    String first = subjects.stream().limit(MOST_NAMED).map(Subject::toString).collect(Collectors.joining(", "));
    return subjects.size() > MOST_NAMED ? first + " and " + (subjects.size() - MOST_NAMED) + " more" : first;
  }

  private static String messages(List<Derived> list) {
    List<String> texts = list.stream().map(Derived::message).distinct().sorted().toList();
    return String.join("; ", texts.subList(0, Math.min(2, texts.size()))) + (texts.size() > 2 ? "; and " + (texts.size() - 2) + " more" : "");
  }

  private Acceptance.Item result(Checklist.Item item, ItemVerdict verdict, List<Derived> by, String message, String why, Set<Subject> missing) {
    List<Derived> sorted = by.stream().sorted(Comparator.comparing((Derived d) -> d.conclusion().subject()).thenComparing(d -> d.rule().code())).toList();
    Set<Cited> cited = new LinkedHashSet<>();
    sorted.forEach(d -> cited.addAll(cite(d.proof(), false)));
    sorted.forEach(d -> cited.addAll(cite(d.proof(), true)));
    Age age = age(item, cited);
    String rule = sorted.isEmpty() ? "" : sorted.get(0).rule().code();
    List<Cited> proof = cited.stream().limit(MOST_CITED).toList();
    if (verdict == ItemVerdict.PROVEN && age.tooOld()) {
      String old = "the evidence of " + age.oldest() + " is " + age.days().rounded() + " days old, allowed are " + age.maxDays().rounded();
      return new Acceptance.Item(item.id(), item.section(), item.title(), item.owner(), item.required(), ItemVerdict.NOT_PROVEN, old, old, rule, List.copyOf(missing), proof, age, asks(item, missing));
    }
    if (verdict == ItemVerdict.PROVEN && item.requireAge() && age.undated() > 0) {
      String undated = "the evidence carries no time, and this site requires one";
      return new Acceptance.Item(item.id(), item.section(), item.title(), item.owner(), item.required(), ItemVerdict.NOT_PROVEN, undated, undated, rule, List.copyOf(missing), proof, age,
          asks(item, missing));
    }
    boolean asking = verdict == ItemVerdict.NOT_PROVEN || verdict == ItemVerdict.FAILED;
    return new Acceptance.Item(item.id(), item.section(), item.title(), item.owner(), item.required(), verdict, message, why, rule, List.copyOf(missing), proof, age,
        asking ? asks(item, missing) : List.of());
  }

  /** @param scope whether to cite what puts nodes and rails into the scope, or all else: it comes last, since it proves nothing of the item */
  private List<Cited> cite(Proof proof, boolean scope) {
    List<Cited> cited = new ArrayList<>();
    for (Fact fact : proof.facts()) {
      var set = ledger.of(fact);
      if (!set.isEmpty() && !(fact instanceof Setting) && scope == (fact instanceof ScopeNode || fact instanceof ScopeRail)) {
        cited.add(new Cited(set.first(), fact.toString()));
      }
    }
    return cited;
  }

  /** The oldest dated piece counts: a verdict is no younger than what it rests on. */
  private Age age(Checklist.Item item, Set<Cited> cited) {
    String oldest = Fact.UNKNOWN;
    LocalDate first = null;
    int undated = 0;
    for (Cited each : cited) {
      Evidence evidence = each.evidence();
      LocalDate day = Dates.day(evidence.time());
      undated += day == null ? 1 : 0;
      if (day != null && (first == null || day.isBefore(first))) {
        first = day;
        oldest = evidence.time();
      }
    }
    Num days = first == null ? Num.UNKNOWN : Num.of(Math.max(0, first.until(asOf, java.time.temporal.ChronoUnit.DAYS)));
    return new Age(oldest, days, Num.of(item.maxAgeDays()), undated);
  }

  /** The exact commands for what is missing, for the devices at hand; for the whole scope where nothing is said to be missing. */
  private List<Ask> asks(Checklist.Item item, Set<Subject> missing) {
    Set<Subject> about = missing.isEmpty() ? Set.of(Subject.run()) : missing;
    return item.asks().stream().map(name -> asking.ask(name, Set.of(item.id()), about, true)).toList();
  }
}
