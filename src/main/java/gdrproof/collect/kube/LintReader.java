package gdrproof.collect.kube;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Text;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.FlawKind;
import gdrproof.collect.env.ConfFile;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorFacts;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.ManifestFlaw;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the files of a lint call, as one file set. No other collector looks at them. */
public final class LintReader {
  /** Bytes of one file; more is no manifest. */
  static final int LARGEST_FILE = 64 << 20;

  private static final Pattern TEMPLATE = Pattern.compile("\\{\\{-? *(\\.|if |range |with |include |template |define |end|toYaml|tpl |\\$|/\\*)|\\{%-? ");

  /** A substitution of documentation tools, `version: |driver-version|`; a YAML block scalar's header has no word after its bar. */
  private static final Pattern SUBSTITUTION = Pattern.compile("^\\s*(?:- )?[\\w.-]+: +\\|[A-Za-z][\\w.-]+\\|\\s*$");

  private final Ledger ledger;
  private final String platform;
  private final List<Document> documents = new ArrayList<>();
  private int judged;
  private boolean operator;

  /**
   * @param platform platform profile that the user names, or ""
   */
  public LintReader(Ledger ledger, String platform) {
    this.ledger = ledger;
    this.platform = platform;
  }

  /** Reads all entries; facts go to the ledger. */
  public void read(List<Entry> entries) {
    for (Entry entry : entries) {
      read(entry);
    }
    judged += Manifests.read(documents, platform, ledger::add);
    if (operator) {
      OperatorSet set = OperatorFacts.read(documents, "", ledger);
      judged += (int) set.docs().stream().filter(doc -> doc.kind().equals(OperatorDoc.VALUES)).count();
    }
  }

  /** Objects and configuration files that could be judged. */
  public int judged() {
    return judged;
  }

  /** Whether anything of the network operator is among the files. */
  public boolean speaksOfOperator() {
    return operator;
  }

  /** Documents with values, for suppressions. */
  public List<Document> documents() {
    return documents;
  }

  private void read(Entry entry) {
    String name = entry.name();
    if (entry.bytes() > LARGEST_FILE) {
      refused(name, "larger than " + (LARGEST_FILE >> 20) + " MiB");
      return;
    }
    List<String> lines;
    try (InputStream stream = entry.open()) {
      byte[] bytes = stream.readNBytes(LARGEST_FILE + 1);
      if (bytes.length > LARGEST_FILE) {
        refused(name, "larger than " + (LARGEST_FILE >> 20) + " MiB");
        return;
      }
      lines = Text.lines(bytes);
    } catch (IOException e) {
      unread(name, "cannot be read: " + e.getMessage());
      return;
    }
    if (lines == null) {
      unread(name, "not a text file");
    } else if (ConfFile.looksLike(lines)) {
      judged++;
      List<String> all = lines;
      ConfFile.read(name, lines, i -> i + 1, (fact, line) -> ledger.add(fact, Evidence.of(name, line, all.get(line - 1).strip()).at(1, "")));
    } else {
      yaml(name, lines);
    }
  }

  private void yaml(String name, List<String> lines) {
    List<Document> read = Yaml.read(name, lines, 1);
    Document template = read.stream().filter(d -> d.flaws().stream().anyMatch(f -> f.kind() == FlawKind.TEMPLATE)).findFirst().orElse(null);
    int line = template == null ? templateLine(lines) : template.flaws().get(0).line();
    if (line > 0) {
      // A template is rendered as a whole, so a part of it that happens to be plain says nothing by itself.
      ledger.add(new ManifestFlaw(name, Num.of(0), "template", "", how(name, lines.get(line - 1))), Evidence.of(name, line, lines.get(line - 1).strip()).at(1, ""));
      return;
    }
    if (read.isEmpty()) {
      unread(name, lines.stream().allMatch(String::isBlank) ? "empty" : "no YAML document in it");
    }
    documents.addAll(read);
    operator |= OperatorCollector.concerns(lines);
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

  private static String how(String name, String line) {
    if (SUBSTITUTION.matcher(line).matches()) {
      return "let the documentation's build substitute the |names| and lint its output";
    }
    return name.contains("jinja") || name.endsWith(".j2") ? "render the Jinja template and lint its output"
        : "helm template RELEASE CHART | gdrproof lint -";
  }

  private void refused(String file, String reason) {
    ledger.add(new ManifestFlaw(file, Num.of(0), "refused", "", reason), Evidence.of(file, 0, ""));
  }

  private void unread(String file, String reason) {
    ledger.add((Fact) new Unread(Fact.UNKNOWN, file, 0, reason), Evidence.of(file, 0, ""));
  }
}
