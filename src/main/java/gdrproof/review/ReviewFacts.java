package gdrproof.review;

import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorFacts;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.collect.operator.Part;
import gdrproof.collect.operator.ReviewContext;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Operator;
import gdrproof.facts.Operator.Change;
import gdrproof.facts.Operator.OperatorRelease;
import gdrproof.facts.Operator.ReleaseStep;
import gdrproof.facts.Operator.Rollout;
import gdrproof.facts.Operator.UpgradePolicy;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Facts about the difference of two states: changes, the release step, rollouts, resources that move. */
public final class ReviewFacts {
  private static final Map<String, Object> POLICY = Policies.read("operator/changes.yaml");
  private static final List<String> IMAGE_KEYS = Policies.texts(POLICY.get("image-keys"));

  private final OperatorSet before;
  private final OperatorSet after;
  private final Ledger ledger;
  private final OperatorRelease from;
  private final OperatorRelease to;
  private final List<Change> changes = new ArrayList<>();

  private ReviewFacts(OperatorSet before, OperatorSet after, Ledger ledger) {
    this.before = before;
    this.after = after;
    this.ledger = ledger;
    this.from = OperatorFacts.release(before);
    this.to = OperatorFacts.release(after);
  }

  /** Adds the facts of the after state and of the difference. */
  public static void write(ReviewInput before, ReviewInput after, Ledger ledger) {
    OperatorFacts.write(after.set(), ledger);
    new ReviewFacts(before.set(), after.set(), ledger).all();
    Environments.write(before.documents(), after.documents(), ledger);
  }

  private void all() {
    boolean same = from.version().equals(to.version());
    List<Delta> deltas = Differ.compare(before, after, same);
    for (Delta delta : deltas) {
      change(delta);
    }
    chart();
    ReviewContext context = new ReviewContext(before, after, ledger);
    context.features();
    rollouts(deltas);
    Moves moves = new Moves(before, after, ledger);
    moves.write(deltas, changes);
    new Stands(after, ledger).write(moves.components(), from, to);
  }

  private void change(Delta delta) {
    OperatorDoc doc = delta.doc();
    String fallback = Differ.defaultOf(doc, delta.key());
    String was = delta.was().exists() ? delta.was().show() : fallback.isEmpty() ? Operator.ABSENT : fallback;
    String becomes = delta.is().exists() ? delta.is().show() : fallback.isEmpty() ? Operator.ABSENT : fallback;
    String path = delta.path().isEmpty() ? doc.kind() : delta.path();
    Change change = new Change(doc.id() + " " + path + (delta.type().equals("removed") ? " -" : ""), doc.id(), doc.kind(), doc.name(), delta.section(), path, delta.key(),
        delta.type(), delta.was().show(), delta.is().show(), was, becomes, Num.parse(was), Num.parse(becomes), marks(delta, was, becomes), active(delta), Tri.of(doc.partial()));
    changes.add(change);
    ledger.add(change, delta.place().keyEvidence());
  }

  private Tri active(Delta delta) {
    if (!delta.doc().kind().equals(OperatorDoc.VALUES) || !ReviewContext.policySection(delta.section())) {
      return Tri.YES;
    }
    String[] path = delta.key().split("\\.");
    boolean on = delta.before() != null && ReviewContext.active(delta.before(), path) || delta.after() != null && ReviewContext.active(delta.after(), path);
    return Tri.of(on);
  }

  private List<String> marks(Delta delta, String was, String becomes) {
    List<String> marks = new ArrayList<>();
    String last = delta.key().substring(delta.key().lastIndexOf('.') + 1);
    boolean image = IMAGE_KEYS.contains(last) || delta.key().contains(".images.");
    if (image) {
      marks.add("image");
    }
    ReviewContext.imageMarks(delta.was(), delta.is(), image, marks);
    if (was.equals(becomes)) {
      marks.add("at-default");
    }
    if (delta.doc().isValues()) {
      ReviewContext.deadMarks(before, after, delta.key(), marks);
    }
    Map<String, Object> template = Policies.map(POLICY.get("driver-template"));
    if (!delta.key().startsWith(String.valueOf(template.get("except"))) && delta.key().contains(".") && delta.section().equals("ofedDriver")
        || List.of("tolerations", "nodeAffinity").contains(delta.section())) {
      marks.add("driver-template");
    }
    if (delta.key().equals("ofedDriver.version") && ReviewContext.driverTooOld(becomes)) {
      marks.add("driver-too-old");
    }
    return List.copyOf(marks);
  }

  /** The release as a whole, when both states tell the chart's release and differ. */
  private void chart() {
    boolean chart = ReviewContext.hasChart(before) && ReviewContext.hasChart(after);
    if (!chart || from.version().equals(to.version()) || from.version().equals(Fact.UNKNOWN) && to.version().equals(Fact.UNKNOWN)) {
      return;
    }
    Change change = new Change("chart", "chart", "Chart", OperatorSet.CHART, "chart", "chart", "chart", "changed", from.version(), to.version(), from.version(), to.version(),
        Num.UNKNOWN, Num.UNKNOWN, List.of(), Tri.YES, Tri.NO);
    Evidence at = ReviewContext.chartPlace(after, to.version());
    changes.add(change);
    ledger.add(change, at);
    ledger.add(new ReleaseStep("chart", from.version(), to.version(), ReviewContext.step(from.version(), to.version())), at);
  }

  /** How each driver is rolled out, and the release step of each policy's components. */
  private void rollouts(List<Delta> deltas) {
    for (OperatorDoc doc : after.docs()) {
      Part section = ReviewContext.driver(doc);
      OperatorDoc old = before.docs().stream().filter(d -> d.id().equals(doc.id())).findFirst().orElse(null);
      if (doc.isClusterOrNodePolicy() && old != null) {
        String then = ReviewContext.componentRelease(old);
        String now = ReviewContext.componentRelease(doc);
        if (!then.isEmpty() && !now.isEmpty() && !then.equals(now)) {
          ledger.add(new ReleaseStep(doc.id(), then, now, ReviewContext.step(then, now)), doc.root().keyEvidence());
        }
      }
      if (!section.exists()) {
        continue;
      }
      UpgradePolicy now = ReviewContext.upgrade(after, doc, section);
      Part oldSection = old == null ? Part.MISSING : ReviewContext.driver(old);
      UpgradePolicy then = oldSection.exists() ? ReviewContext.upgrade(before, old, oldSection) : null;
      Tri autoAfter = settled(now);
      boolean template = deltas.stream().anyMatch(d -> d.doc().id().equals(doc.id()) && marks(d, "", "-").contains("driver-template"));
      Tri autoBefore = then == null ? Tri.UNKNOWN : settled(then);
      boolean released = autoBefore == Tri.NO && autoAfter == Tri.YES;
      Num parallel = now.maxParallel().known() ? now.maxParallel() : Num.of(1);
      String hop = then == null ? "same" : ReviewContext.driverStep(oldSection.get("version").text(), section.get("version").text());
      ledger.add(new Rollout(doc.id(), autoBefore, autoAfter, parallel, now.drain() == Tri.NO ? Tri.NO : Tri.YES, Tri.of((template || released) && autoAfter == Tri.YES), hop,
          now.active()), section.keyEvidence());
    }
  }

  /** The default of the custom resource is false; in a patch, and in values whose chart is not known, nothing tells. */
  private static Tri settled(UpgradePolicy policy) {
    return policy.autoUpgrade() == Tri.UNKNOWN && policy.partial() == Tri.NO ? Tri.NO : policy.autoUpgrade();
  }
}
