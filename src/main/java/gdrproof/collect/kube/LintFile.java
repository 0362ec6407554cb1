package gdrproof.collect.kube;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Reasons;
import gdrproof.bundle.Text;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.FlawKind;
import gdrproof.collect.env.ConfFile;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.ManifestFlaw;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of a lint call, read and parsed.
 *
 * @param documents its documents; none of a file that is no YAML, or a template
 * @param facts what the file alone says: flaws, refusals, settings of an nccl.conf
 * @param judged whether it was judged by itself, as configuration files are
 * @param operator whether it speaks of the network operator
 * @param patch whether a kustomization of the same call applies it as a patch
 */
public record LintFile(String name, List<Document> documents, List<Stated> facts, boolean judged, boolean operator, boolean patch) {
  /** Bytes of one file; more is no manifest. */
  static final int LARGEST = 64 << 20;
  /** Files from which it pays to read with several threads. */
  private static final int MANY = 16;

  /** Words of which one stands in any JSON of an object; values speak of what {@link OperatorCollector#beside} seeks. */
  private static final List<String> OBJECT = List.of("\"kind\"", "\"apiVersion\"", "kind:", "apiVersion:");
  private static final String UNREADABLE = "cannot be read: ";
  private static final String NO_TEXT = "not a text file";

  private static final Pattern TEMPLATE = Pattern.compile("\\{\\{-? *(\\.|if |range |with |include |template |define |end|toYaml|tpl |\\$|/\\*)|\\{%-? ");

  /** A substitution of documentation tools, `version: |driver-version|`; a YAML block scalar's header has no word after its bar. */
  private static final Pattern SUBSTITUTION = Pattern.compile("^\\s*(?:- )?[\\w.-]+: +\\|[A-Za-z][\\w.-]+\\|\\s*$");

  /** Whether a file was lost to the report, not merely empty of anything to judge. */
  public static boolean lost(Unread file) {
    return file.reason().startsWith(UNREADABLE) || file.reason().equals(NO_TEXT);
  }

  /** Whether all of the file was judged, so that a finding that it had before is gone for good. */
  public boolean whole() {
    return judged || !documents.isEmpty() && documents.stream().allMatch(d -> d.flaws().stream().allMatch(f -> f.kind() == FlawKind.DUPLICATE_KEY));
  }

  /** Reads each file once, in their order. */
  public static List<LintFile> read(List<Entry> entries) {
    Stream<Entry> stream = entries.size() < MANY ? entries.stream() : entries.parallelStream();
    return KustomizePatches.told(stream.map(LintFile::read).toList());
  }

  private static LintFile read(Entry entry) {
    String name = entry.name();
    if (entry.bytes() > LARGEST) {
      return tooLarge(name);
    }
    List<String> lines;
    try (InputStream stream = entry.open()) {
      byte[] bytes = stream.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        return tooLarge(name);
      }
      lines = Text.lines(bytes);
    } catch (IOException e) {
      return unread(name, UNREADABLE + Reasons.word(e));
    }
    if (lines == null) {
      return unread(name, NO_TEXT);
    }
    if (ConfFile.looksLike(lines)) {
      List<Stated> facts = new ArrayList<>();
      ConfFile.read(name, lines, i -> i + 1, (fact, line) -> facts.add(new Stated(fact, Evidence.of(name, line, lines.get(line - 1).strip()).at(1, ""))));
      return new LintFile(name, List.of(), facts, true, false, false);
    }
    return yaml(name, lines);
  }

  /** JSON is YAML but for one thing: tabs may stand before its values. */
  private static List<String> json(List<String> lines) {
    return lines.stream().map(line -> {
      int end = 0;
      while (end < line.length() && (line.charAt(end) == '\t' || line.charAt(end) == ' ')) {
        end++;
      }
      return line.indexOf('\t') < 0 || line.indexOf('\t') >= end ? line : " ".repeat(end) + line.substring(end);
    }).toList();
  }

  private static boolean isJson(List<String> lines) {
    String first = lines.stream().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
    return first.startsWith("{") && !first.startsWith("{{") && !first.startsWith("{%") || first.startsWith("[") && !first.startsWith("[[");
  }

  private static LintFile yaml(String name, List<String> given) {
    List<String> lines = given;
    if (isJson(lines)) {
      // JSON of other programs, with comments, in lines or with huge texts as they like it, is none of this program's business.
      if (lines.stream().noneMatch(line -> OBJECT.stream().anyMatch(line::contains)) && !OperatorCollector.beside(lines)) {
        return new LintFile(name, List.of(), List.of(), false, false, false);
      }
      lines = json(lines);
    }
    List<Document> read = Yaml.read(name, lines, 1);
    Document template = read.stream().filter(d -> d.flaws().stream().anyMatch(f -> f.kind() == FlawKind.TEMPLATE)).findFirst().orElse(null);
    int line = template == null ? templateLine(lines) : template.flaws().get(0).line();
    if (line > 0) {
      // A template is rendered as a whole, so a part of it that happens to be plain says nothing by itself.
      ManifestFlaw flaw = new ManifestFlaw(name, Num.of(0), "template", "", how(name, lines, line));
      return new LintFile(name, List.of(), List.of(new Stated(flaw, Evidence.of(name, line, lines.get(line - 1).strip()).at(1, ""))), false, false, false);
    }
    if (read.isEmpty()) {
      return unread(name, lines.stream().allMatch(String::isBlank) ? "empty" : "no YAML document in it");
    }
    return new LintFile(name, read, List.of(), false, OperatorCollector.concerns(lines), false);
  }

  /** The first line with marks of Helm or Jinja that no YAML value needs; Argo's `{{inputs...}}` are values. */
  private static int templateLine(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.indexOf('|') > 0 && SUBSTITUTION.matcher(line).matches()) {
        return i + 1;
      }
      if (line.indexOf('{') >= 0 && (line.contains("{{") || line.contains("{%")) && TEMPLATE.matcher(line).find() && !line.strip().startsWith("#")) {
        return i + 1;
      }
    }
    return 0;
  }

  private static String how(String name, List<String> lines, int at) {
    if (lines.stream().anyMatch(Yaml::terraform) && lines.stream().noneMatch(line -> line.contains("{{"))) {
      return "let Terraform render it (templatefile) and lint its output";
    }
    if (SUBSTITUTION.matcher(lines.get(at - 1)).matches()) {
      return "let the documentation's build substitute the |names| and lint its output";
    }
    if (lines.stream().noneMatch(line -> line.contains("{{") || line.contains("{%")) && Placeholders.in(lines.get(at - 1))) {
      return "put the values in (envsubst, or what the project uses) and lint the outcome";
    }
    return name.contains("jinja") || name.endsWith(".j2") ? "render the Jinja template and lint its output"
        : "helm template RELEASE CHART | gdrproof lint -";
  }

  private static LintFile tooLarge(String file) {
    ManifestFlaw flaw = new ManifestFlaw(file, Num.of(0), "refused", "", "larger than " + (LARGEST >> 20) + " MiB");
    return new LintFile(file, List.of(), List.of(new Stated(flaw, Evidence.of(file, 0, ""))), false, false, false);
  }

  private static LintFile unread(String file, String reason) {
    return new LintFile(file, List.of(), List.of(new Stated(new Unread(Fact.UNKNOWN, file, 0, reason), Evidence.of(file, 0, ""))), false, false, false);
  }
}
