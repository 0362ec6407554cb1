package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.cli.Pipeline;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.finding.Conclusion.Cause;
import gdrproof.finding.Diagnosis;
import gdrproof.report.JsonReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The order of facts never shows, and less evidence never claims more. `-Dorders=N` sets the number of orders (20). */
class OrderTest {
  private static final int ORDERS = Integer.getInteger("orders", 20);
  /** A large bundle is shuffled less often: what matters is joins, and the fixtures have those. */
  private static final int MANY_FACTS = 400;
  private static final RuleBase RULES = RuleBase.load("diagnose", List.of());

  private static Stream<Path> bundles() throws IOException {
    return Stream.of(Bundles.firing(), Bundles.corpus(), Bundles.cases()).flatMap(List::stream);
  }

  @TestFactory
  List<DynamicTest> sameBytesInEveryOrder() throws IOException {
    return bundles().map(b -> dynamicTest(b.toString(), () -> {
      Ledger ledger = Bundles.facts(Bundles.entries(b));
      List<Fact> facts = new ArrayList<>(ledger.facts());
      String first = json(Pipeline.diagnose(ledger, RULES, facts));
      int orders = facts.size() > MANY_FACTS ? Math.min(ORDERS, 3) : ORDERS;
      for (int seed = 0; seed < orders; seed++) {
        Collections.shuffle(facts, new Random(seed));
        assertEquals(first, json(Pipeline.diagnose(ledger, RULES, facts)), b + ", order " + seed);
      }
    })).toList();
  }

  /** The command line leaves out rules that cannot match; that must not show. */
  @TestFactory
  List<DynamicTest> narrowedRulesAnswerTheSame() throws IOException {
    return bundles().map(b -> dynamicTest(b.toString(), () -> {
      Ledger ledger = Bundles.facts(Bundles.entries(b));
      assertEquals(json(Pipeline.diagnose(ledger, RULES, ledger.facts())), json(Pipeline.diagnose(ledger, List.of())), b.toString());
    })).toList();
  }

  private static String json(Diagnosis diagnosis) {
    StringWriter text = new StringWriter();
    JsonReport.write(diagnosis, List.of(), "test", new PrintWriter(text));
    return text.toString();
  }

  @TestFactory
  List<DynamicTest> lessEvidenceClaimsNoMore() throws IOException {
    return bundles().map(b -> dynamicTest(b.toString(), () -> {
      List<Entry> entries = Bundles.entries(b);
      if (entries.size() < 2 || entries.size() > 12) {
        return;
      }
      Set<String> all = claims(Bundles.facts(entries));
      for (Entry dropped : entries) {
        Set<String> fewer = claims(Bundles.facts(entries.stream().filter(e -> e != dropped).toList()));
        fewer.removeAll(all);
        assertEquals(Set.of(), fewer, b + " without " + dropped.name() + " claims what the whole does not");
      }
    })).toList();
  }

  private static Set<String> claims(Ledger ledger) {
    return new Engine(RULES).conclude(ledger).conclusions().stream().filter(d -> d.conclusion() instanceof Cause).map(d -> ((Cause) d.conclusion()).fault())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
