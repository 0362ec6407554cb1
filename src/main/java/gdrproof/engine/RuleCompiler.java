package gdrproof.engine;

import gdrproof.finding.RuleInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.drools.compiler.kie.builder.impl.InternalKieModule;
import org.drools.model.codegen.ExecutableModelProject;
import org.kie.api.KieServices;
import org.kie.api.builder.KieBuilder;
import org.kie.api.builder.KieFileSystem;
import org.kie.api.builder.Message;

/**
 * Compiles folders of DRL into classes of Drools' executable model. The build uses it for `rules/`, the program for a
 * site's `--rules DIR`: one code path. Each topic (folder) is compiled by itself and skipped when nothing changed.
 *
 * <p>Output below the target folder: the classes, `gdrproof-rules/&lt;topic&gt;.models` (one model class a line),
 * `gdrproof-rules/&lt;topic&gt;.rules` (the catalogue, see {@link Catalogue}) and `&lt;topic&gt;.sha256`.
 */
public final class RuleCompiler {
  static final String FOLDER = "gdrproof-rules";
  private static final Pattern WORD = Pattern.compile("[A-Z][A-Za-z0-9]+");
  private static final Set<String> ALWAYS_USED = Set.of("Fact", "Num", "Tri", "Subject", "Conclusion");

  private RuleCompiler() {}

  /** A DRL file that does not compile; the message names file and rule. */
  public static final class RuleError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RuleError(String message) {
      super(message);
    }
  }

  /** For the build: `RuleCompiler RULES_DIR CLASSES_DIR`. */
  public static void main(String[] args) {
    Path rules = Path.of(args[0]);
    Path target = Path.of(args[1]);
    int count = compile(rules, target);
    if (count == 0) {
      throw new RuleError(rules + ": no rule found; the program would say that everything is fine");
    }
    System.err.println("rules: " + count + " rules in " + rules);
  }

  /** Compiles every topic below a folder; returns the number of rules. */
  public static int compile(Path rules, Path target) {
    Map<String, List<Path>> topics = topics(rules);
    try {
      Files.createDirectories(target.resolve(FOLDER));
      removeStale(target.resolve(FOLDER), topics);
      List<Path> vocabulary = classRoots(target);
      int count = 0;
      List<RuleInfo> all = new ArrayList<>();
      for (Map.Entry<String, List<Path>> topic : topics.entrySet()) {
        List<RuleInfo> infos = Catalogue.read(rules, topic.getKey(), topic.getValue());
        all.addAll(infos);
        count += infos.size();
        Path stamp = target.resolve(FOLDER).resolve(topic.getKey() + ".sha256");
        String hash = Hashes.of(topic.getValue()) + "-" + Hashes.of(used(vocabulary, topic.getValue()));
        if (Files.exists(stamp) && Files.readString(stamp).equals(hash)) {
          continue;
        }
        deleteOld(target.resolve(packageOf(topic.getKey()).replace('.', '/')));
        Path kept = kept(topic.getKey(), hash);
        if (kept == null) {
          compileTopic(rules, topic.getKey(), topic.getValue(), target);
        } else if (Files.isDirectory(kept)) {
          copy(kept, target);
        } else {
          Path work = Files.createTempDirectory(Files.createDirectories(kept.getParent()), "new");
          compileTopic(rules, topic.getKey(), topic.getValue(), work);
          copy(work, target);
          try {
            Files.move(work, kept, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
          } catch (java.nio.file.FileSystemException e) {
            // Another process was faster (Linux says "Directory not empty" and no more); its result is the same.
            if (!Files.isDirectory(kept)) {
              throw e;
            }
            deleteOld(work);
          }
        }
        Files.writeString(stamp, hash);
      }
      Catalogue.checkUnique(all);
      for (String topic : topics.keySet()) {
        Catalogue.write(target.resolve(FOLDER).resolve(topic + ".rules"), all.stream().filter(i -> i.topic().equals(topic)).toList(), rules);
      }
      Needs.write(target.resolve(FOLDER), topics.values());
      Files.writeString(target.resolve(FOLDER).resolve("topics"), String.join("\n", topics.keySet()) + "\n");
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** DRL files by topic, the folder's name; files that lie directly in the rules folder form the topic `site`. */
  static Map<String, List<Path>> topics(Path rules) {
    Map<String, List<Path>> topics = new TreeMap<>();
    try (Stream<Path> files = Files.walk(rules)) {
      files.filter(f -> f.toString().endsWith(".drl")).sorted().forEach(f -> {
        Path relative = rules.relativize(f);
        String topic = relative.getNameCount() > 1 ? relative.getName(0).toString() : "site";
        topics.computeIfAbsent(topic, t -> new ArrayList<>()).add(f);
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return topics;
  }

  private static void compileTopic(Path rules, String topic, List<Path> files, Path target) throws IOException {
    KieBuilder builder = build(rules, topic, files);
    List<Message> errors = builder.getResults().getMessages(Message.Level.ERROR);
    if (!errors.isEmpty()) {
      throw new RuleError(explain(rules, topic, files, errors));
    }
    InternalKieModule module = (InternalKieModule) builder.getKieModule();
    List<String> models = new ArrayList<>();
    for (String name : module.getFileNames()) {
      if (name.endsWith(".class")) {
        Path out = target.resolve(name);
        Files.createDirectories(out.getParent());
        Files.write(out, module.getBytes(name));
      } else if (name.endsWith("drools-model")) {
        new String(module.getBytes(name), StandardCharsets.UTF_8).lines().filter(l -> !l.isBlank() && l.indexOf(':') < 0).forEach(models::add);
      }
    }
    if (models.isEmpty()) {
      throw new RuleError("no model class was generated from " + files);
    }
    Files.createDirectories(target.resolve(FOLDER));
    Files.write(target.resolve(FOLDER).resolve(topic + ".models"), models);
  }

  /** Errors in generated code name no rule, so each file is compiled by itself until those that fail are known. */
  private static String explain(Path rules, String topic, List<Path> files, List<Message> errors) throws IOException {
    if (files.size() == 1) {
      return DrlErrors.explain(rules, files, errors);
    }
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      List<Message> own = build(rules, topic, List.of(file)).getResults().getMessages(Message.Level.ERROR);
      if (!own.isEmpty()) {
        found.add(DrlErrors.explain(rules, List.of(file), own));
      }
    }
    return found.isEmpty() ? DrlErrors.explain(rules, files, errors) : String.join("\n", found);
  }

  private static KieBuilder build(Path rules, String topic, List<Path> files) throws IOException {
    KieServices services = KieServices.get();
    KieFileSystem memory = services.newKieFileSystem();
    String packageName = packageOf(topic);
    memory.generateAndWritePomXML(services.newReleaseId("gdrproof.rules", topic, "1"));
    for (Path file : files) {
      String name = rules.relativize(file).toString().replace('\\', '/');
      memory.write("src/main/resources/" + packageName.replace('.', '/') + "/" + name.replace('/', '_'),
          header(packageName, Files.readString(file)));
    }
    KieBuilder builder = services.newKieBuilder(memory, RuleCompiler.class.getClassLoader());
    builder.buildAll(ExecutableModelProject.class);
    return builder;
  }

  /** Every rule file sees the vocabulary; a file states only what is its own. */
  static String header(String packageName, String drl) {
    if (drl.contains("\npackage ") || drl.startsWith("package ")) {
      throw new RuleError("a rule file states no package: the folder is the package");
    }
    return "package " + packageName + "; " + Vocabulary.imports() + " " + drl;
  }

  static String packageOf(String topic) {
    return "gdrproof.rules." + topic.replace('-', '_');
  }

  /** Classes whose names the rules mention; only their change makes a topic's classes stale. */
  private static List<Path> used(List<Path> vocabulary, List<Path> files) throws IOException {
    Set<String> words = new HashSet<>(ALWAYS_USED);
    for (Path file : files) {
      WORD.matcher(Files.readString(file)).results().forEach(m -> words.add(m.group()));
    }
    return vocabulary.stream().filter(c -> words.contains(c.getFileName().toString().replaceAll("^.*\\$|\\.class$", "").replace(".class", ""))).toList();
  }

  /** Where an earlier compilation of the same content is kept, if a folder for that is named (`-Dgdrproof.rules.cache=DIR`); else null. */
  private static Path kept(String topic, String hash) {
    String folder = System.getProperty("gdrproof.rules.cache", "");
    return folder.isEmpty() ? null : Path.of(folder).resolve(topic + "-" + hash.substring(0, 32) + hash.substring(hash.length() - 32));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path out = to.resolve(from.relativize(file).toString());
        Files.createDirectories(out.getParent());
        Files.copy(file, out, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void deleteOld(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static List<Path> classRoots(Path target) throws IOException {
    List<Path> roots = new ArrayList<>();
    for (String folder : List.of("gdrproof/facts", "gdrproof/finding")) {
      Path root = target.resolve(folder);
      if (Files.isDirectory(root)) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(f -> f.toString().endsWith(".class")).sorted().forEach(roots::add);
        }
      }
    }
    return roots;
  }

  private static void removeStale(Path folder, Map<String, List<Path>> topics) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        if (dot > 0 && !topics.containsKey(name.substring(0, dot))) {
          Files.delete(file);
        }
      }
    }
  }
}
