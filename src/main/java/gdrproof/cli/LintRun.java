package gdrproof.cli;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.LintFiles;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.Collectors;
import gdrproof.collect.kube.LintFile;
import gdrproof.collect.kube.LintReader;
import gdrproof.collect.kube.Placements;
import gdrproof.collect.operator.Alternatives;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.KubeObject;
import gdrproof.facts.Kube.ManifestFlaw;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.finding.Derived;
import gdrproof.finding.Finding;
import gdrproof.finding.Findings;
import gdrproof.finding.Suppressions;
import gdrproof.finding.Suppressions.Suppression;
import gdrproof.policy.LintConfig;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** The way of a lint call, for the command and for tests: files, facts, rules, findings, suppressions. */
public final class LintRun {
  static final String OPERATOR = "operator";
  private static final String IGNORE = "gdrproof.io/ignore";

  /**
   * @param judged objects and files that could be judged
   * @param unread files that could not be read, with the reason
   * @param whole files that were judged whole
   * @param failures rules that threw
   */
  public record Result(List<Finding> findings, List<Suppression> suppressions, int judged, List<Unread> unread, Set<String> whole, List<String> failures, Engine.Result engine,
      Ledger ledger) {}

  private LintRun() {}

  /** Facts and conclusions of files, with facts of the cluster where there is a bundle of them (null for none). */
  public static Result run(List<String> paths, Path cluster, LintConfig config, RuleBase rules) throws IOException {
    return run(paths, cluster == null ? List.of() : Bundle.open(cluster), config, (topics, read) -> rules, Integer.MAX_VALUE);
  }

  /**
   * The same, with rules chosen once it is known which topics of them the files concern and which facts they gave.
   *
   * @param least jobs from which each is judged by itself ({@link LintLots}); the largest number for never, as a site's own rules may join anything
   */
  public static Result run(List<String> paths, List<Entry> cluster, LintConfig config, BiFunction<Predicate<String>, Collection<? extends Fact>, RuleBase> rules, int least)
      throws IOException {
    List<LintFile> files = LintFile.read(LintFiles.of(paths));
    if (files.stream().anyMatch(LintFile::operator)) {
      List<List<String>> sets = Alternatives.split(files.stream().map(LintFile::name).toList(), files.stream().flatMap(f -> f.documents().stream()).toList());
      if (sets.size() > 1) {
        return merged(sets, files, cluster, config, rules);
      }
    }
    return judge(files, cluster, config, rules, least);
  }

  private static Result judge(List<LintFile> files, List<Entry> cluster, LintConfig config, BiFunction<Predicate<String>, Collection<? extends Fact>, RuleBase> rules, int least)
      throws IOException {
    Ledger ledger = new Ledger();
    Set<String> names = new HashSet<>();
    files.forEach(f -> names.add(f.name()));
    LintReader reader = new LintReader(files, config.platform(), ledger, cluster.isEmpty() ? least : Integer.MAX_VALUE);
    if (!cluster.isEmpty()) {
      Ledger facts = Collectors.read(cluster);
      if (facts.unsorted().stream().allMatch(fact -> fact instanceof Unread || fact instanceof KubeObject || fact instanceof ManifestFlaw)) {
        throw new IOException("no facts of a cluster in what --facts names; looked for outputs of kubectl get -o yaml (nodes, namespaces, networks, queues, classes) and of commands on its nodes");
      }
      facts.forEach((fact, sources) -> sources.forEach(source -> ledger.add(fact, source.within("cluster facts"))));
    }
    settings(config, ledger);
    Predicate<String> topics = topic -> !topic.equals(OPERATOR) || reader.speaksOfOperator() || !cluster.isEmpty();
    List<Finding> findings;
    Engine.Result result;
    if (reader.apart().isEmpty()) {
      Placements.derive(ledger);
      Collection<? extends Fact> read = ledger.unsorted();
      result = new Engine(rules.apply(topics, read)).conclude(read);
      findings = Findings.of(result.conclusions(), ledger, config.severity(), names::contains);
    } else {
      LintLots lots = new LintLots(ledger, config, names);
      findings = lots.judge(reader.apart(), read -> rules.apply(topics, read));
      result = lots.result();
    }
    List<Unread> unread = new ArrayList<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof Unread each && names.contains(each.file())) {
        unread.add(each);
      }
    });
    unread.sort(java.util.Comparator.comparing(Unread::file).thenComparingInt(Unread::line).thenComparing(Unread::reason));
    List<Suppression> suppressions = new ArrayList<>(annotations(reader.documents()));
    suppressions.addAll(configured(config));
    return new Result(findings, suppressions, reader.judged(), unread, whole(files), result.failures(), result, ledger);
  }

  private static Set<String> whole(List<LintFile> files) {
    return files.stream().filter(LintFile::whole).map(LintFile::name).collect(java.util.stream.Collectors.toSet());
  }

  private static Result merged(List<List<String>> sets, List<LintFile> files, List<Entry> cluster, LintConfig config,
      BiFunction<Predicate<String>, Collection<? extends Fact>, RuleBase> rules) throws IOException {
    Map<String, LintFile> named = new HashMap<>();
    files.forEach(f -> named.put(f.name(), f));
    List<Result> results = new ArrayList<>();
    for (List<String> set : sets) {
      results.add(judge(set.stream().map(named::get).toList(), cluster, config, rules, Integer.MAX_VALUE));
    }
    List<Finding> findings = new ArrayList<>();
    List<Suppression> suppressions = new ArrayList<>();
    List<Unread> unread = new ArrayList<>();
    List<Derived> conclusions = new ArrayList<>();
    Set<String> failures = new TreeSet<>();
    Ledger ledger = new Ledger();
    int judged = 0;
    for (Result result : results) {
      findings.addAll(result.findings());
      suppressions.addAll(result.suppressions().stream().filter(s -> !suppressions.contains(s)).toList());
      unread.addAll(result.unread());
      failures.addAll(result.failures());
      conclusions.addAll(result.engine().conclusions());
      result.ledger().forEach((fact, sources) -> sources.forEach(source -> ledger.add(fact, source)));
      judged += result.judged();
    }
    return new Result(new ArrayList<>(new TreeSet<>(findings)), suppressions, judged, unread, whole(files), List.copyOf(failures), new Engine.Result(conclusions, List.copyOf(failures)), ledger);
  }

  /** A fixture or test folder: its files, with `cluster/` below it as facts of the cluster. */
  public static Result folder(Path folder, RuleBase rules) throws IOException {
    List<String> paths = new ArrayList<>();
    try (var files = Files.walk(folder)) {
      files.filter(Files::isRegularFile).filter(f -> !f.startsWith(folder.resolve("cluster"))).sorted().forEach(f -> paths.add(f.toString()));
    }
    Path cluster = folder.resolve("cluster");
    return run(paths, Files.isDirectory(cluster) ? cluster : null, LintConfig.read(folder.resolve("gdrproof.yaml").toFile().exists() ? folder.resolve("gdrproof.yaml").toString() : ""), rules);
  }

  private static void settings(LintConfig config, Ledger ledger) {
    for (Setting setting : Policies.settings()) {
      String own = config.thresholds().getOrDefault(setting.key(), "");
      Setting used = own.isEmpty() ? setting : new Setting(setting.key(), Num.parse(own), own);
      ledger.add(used, Evidence.of(own.isEmpty() ? Policies.source(used) : config.source(), 0, used.key() + ": " + used.text()));
    }
  }

  private static List<Suppression> annotations(List<Document> documents) {
    List<Suppression> found = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      Document document = documents.get(i);
      boolean last = i + 1 == documents.size() || !documents.get(i + 1).file().equals(document.file());
      int next = last ? Integer.MAX_VALUE : documents.get(i + 1).line();
      annotations(document, document.root(), document.line(), next - 1, found);
    }
    return found;
  }

  /** Annotations of an object, and of the objects that it holds: the items of a List, the components of an AppWrapper. */
  private static void annotations(Document document, Value object, int first, int last, List<Suppression> found) {
    Value annotation = object.at("metadata", "annotations", IGNORE);
    if (annotation.isScalar()) {
      found.addAll(Suppressions.parse(annotation.text(), document.file() + ":" + annotation.line(), document.file(), first, last));
    }
    List<Value> held = object.at("kind").text().endsWith("List") ? object.at("items").items()
        : object.at("spec", "components").items().stream().map(c -> c.at("template")).filter(Value::exists).toList();
    for (int i = 0; i < held.size(); i++) {
      annotations(document, held.get(i), held.get(i).keyLine(), i + 1 < held.size() ? held.get(i + 1).keyLine() - 1 : last, found);
    }
  }

  private static List<Suppression> configured(LintConfig config) {
    List<Suppression> found = new ArrayList<>();
    for (LintConfig.Ignored each : config.ignore()) {
      found.add(new Suppression(config.source(), new TreeSet<>(each.rules()), each.files(), 0, 0, each.reason(), each.until()));
    }
    return found;
  }
}
