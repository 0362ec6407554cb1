package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.finding.RuleInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.drools.model.Model;
import org.drools.modelcompiler.KieBaseBuilder;
import org.kie.api.KieBase;
import org.kie.api.conf.EqualityBehaviorOption;
import org.kie.api.runtime.KieSession;
import org.kie.internal.conf.ShareBetaNodesOption;

/** Compiled rules, ready to run: those shipped for the wanted stages, and a site's own. */
public final class RuleBase {
  /** Models of shipped topics by topic. They are read only, so that every rule base of this process can be built from the same. */
  private static final Map<String, List<Model>> SHIPPED = new ConcurrentHashMap<>();

  private final KieBase base;
  private final Map<String, RuleInfo> byName;

  private RuleBase(KieBase base, Map<String, RuleInfo> byName) {
    this.base = base;
    this.byName = byName;
  }

  /** Catalogue of everything shipped, without loading any rule. */
  public static List<RuleInfo> shipped() {
    return catalogue(RuleBase.class.getClassLoader(), true);
  }

  /** Rules of site folders alone, for a stage. */
  public static List<RuleInfo> of(String stage, List<SiteRules> sites) {
    return sites.stream().flatMap(site -> catalogue(site.loader(), false).stream()).filter(r -> r.stages().contains(stage)).toList();
  }

  /** Rules of the stage (lint, diagnose, review, accept), from the program and from the site folders. */
  public static RuleBase load(String stage, List<SiteRules> sites) {
    return load(stage, sites, topic -> true, Narrowed::whole);
  }

  /**
   * The same, without rules that cannot match these facts because a kind of fact that they need is not among them, and without
   * the shipped topics that the caller knows to have nothing to say. The answer is the same; a short command spends most of its
   * time on loading rules and building their network.
   */
  public static RuleBase loadFor(String stage, List<SiteRules> sites, Predicate<String> topics, Collection<? extends Fact> facts) {
    Set<Class<?>> present = new HashSet<>();
    facts.forEach(fact -> present.add(fact.getClass()));
    return load(stage, sites, topics, model -> Narrowed.to(model, present));
  }

  /** Rules of some shipped topics alone. */
  public static RuleBase load(String stage, List<SiteRules> sites, Predicate<String> topics) {
    return load(stage, sites, topics, Narrowed::whole);
  }

  private static RuleBase load(String stage, List<SiteRules> sites, Predicate<String> topics, UnaryOperator<Model> narrow) {
    List<Model> models = new ArrayList<>();
    Map<String, RuleInfo> infos = new TreeMap<>();
    ClassLoader own = RuleBase.class.getClassLoader();
    addModels(own, true, stage, topics, models, infos);
    for (SiteRules site : sites) {
      addModels(site.loader(), false, stage, topic -> true, models, infos);
    }
    if (infos.isEmpty()) {
      throw new IllegalStateException("no rules loaded: the program is damaged, build it again");
    }
    models.replaceAll(narrow);
    return new RuleBase(build(models), infos);
  }

  private static void addModels(ClassLoader loader, boolean shipped, String stage, Predicate<String> wanted, List<Model> models, Map<String, RuleInfo> infos) {
    for (String topic : topics(loader, shipped)) {
      if (!wanted.test(topic)) {
        continue;
      }
      List<RuleInfo> rules = rules(loader, topic);
      if (rules.stream().noneMatch(r -> serves(r, stage))) {
        continue;
      }
      models.addAll(shipped ? SHIPPED.computeIfAbsent(topic, each -> models(loader, each)) : models(loader, topic));
      rules.forEach(r -> infos.put(r.name(), r));
    }
  }

  private static List<Model> models(ClassLoader loader, String topic) {
    List<Model> models = new ArrayList<>();
    for (String name : lines(loader, topic + ".models")) {
      try {
        models.add((Model) loader.loadClass(name).getDeclaredConstructor().newInstance());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("rule model " + name + " of topic " + topic + " cannot be loaded", e);
      }
    }
    return List.copyOf(models);
  }

  /**
   * Loads the shipped rules of a stage and the engine's classes in the background, while the caller still reads options and input:
   * on two cores that is a third of a short command's time. What fails here fails again, and is told, where it is needed.
   *
   * @param topics shipped topics that are surely wanted
   */
  public static void headStart(String stage, Predicate<String> topics) {
    Thread thread = new Thread(() -> {
      try {
        List<Model> models = new ArrayList<>();
        addModels(RuleBase.class.getClassLoader(), true, stage, topics, models, new TreeMap<>());
        // A few rules make the engine load nearly all classes that it needs for a thousand.
        KieSession session = build(List.of(Narrowed.few(models.get(0)))).newKieSession();
        session.fireAllRules();
        session.dispose();
      } catch (RuntimeException | LinkageError e) {
        // Told where the rules are needed.
      }
    }, "head start");
    thread.setDaemon(true);
    thread.start();
  }

  private static KieBase build(List<Model> models) {
    // Drools 10.2 loses matches of rules that share their first patterns and part at a `not` (docs/adr/0008): nothing is shared.
    return KieBaseBuilder.createKieBaseFromModel(models, EqualityBehaviorOption.EQUALITY, ShareBetaNodesOption.NO);
  }

  /** Acceptance looks at the causes that diagnosis finds, so its session holds those rules too. */
  private static boolean serves(RuleInfo rule, String stage) {
    return rule.stages().contains(stage) || stage.equals("accept") && rule.stages().contains("diagnose");
  }

  private static List<RuleInfo> catalogue(ClassLoader loader, boolean shipped) {
    List<RuleInfo> all = new ArrayList<>();
    for (String topic : topics(loader, shipped)) {
      all.addAll(rules(loader, topic));
    }
    return all;
  }

  private static List<RuleInfo> rules(ClassLoader loader, String topic) {
    try (InputStream stream = open(loader, topic + ".rules")) {
      return stream == null ? List.of() : Catalogue.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> topics(ClassLoader loader, boolean shipped) {
    // A site's loader has the program's as its parent, so its own list has another name.
    return lines(loader, shipped ? "topics" : SiteRules.TOPICS);
  }

  private static List<String> lines(ClassLoader loader, String name) {
    try (InputStream stream = open(loader, name)) {
      return stream == null ? List.of()
          : new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().filter(l -> !l.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(ClassLoader loader, String name) {
    return loader.getResourceAsStream(RuleCompiler.FOLDER + "/" + name);
  }

  /** The Markdown page of a shipped rule. */
  public static Optional<String> page(String code) {
    try (InputStream stream = open(RuleBase.class.getClassLoader(), "pages/" + code + ".md")) {
      return stream == null ? Optional.empty() : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  KieBase base() {
    return base;
  }

  RuleInfo info(String ruleName) {
    RuleInfo info = byName.get(ruleName);
    if (info == null) {
      throw new IllegalStateException("rule \"" + ruleName + "\" stands in no catalogue");
    }
    return info;
  }

  public List<RuleInfo> rules() {
    return List.copyOf(byName.values());
  }
}
