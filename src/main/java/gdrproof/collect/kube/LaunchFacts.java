package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.kube.PodView.Part;
import gdrproof.collect.kube.Shell.Word;
import gdrproof.facts.Evidence;
import gdrproof.facts.Kube.BenchmarkLaunch;
import gdrproof.facts.Kube.HostChange;
import gdrproof.facts.Kube.MpiLaunch;
import gdrproof.facts.Kube.Placeholder;
import gdrproof.facts.Kube.TorchLaunch;
import gdrproof.facts.Num;

/** Facts of what a container starts. */
final class LaunchFacts {
  private final Manifest manifest;
  private final PodClass pods;
  private final Part part;
  private final Document document;
  private final Facts facts;

  LaunchFacts(Manifest manifest, PodClass pods, Part part, Document document, Facts facts) {
    this.manifest = manifest;
    this.pods = pods;
    this.part = part;
    this.document = document;
    this.facts = facts;
  }

  void add() {
    String id = pods.view.template.id();
    Launches launches = part.launches();
    for (Launches.Change change : launches.changes) {
      facts.add(new HostChange(part.id(), id, part.kind(), change.act(), cut(change.text())), at(document, change.at()));
    }
    if (part.kind().equals("init")) {
      return;
    }
    for (Launches.Mpi mpi : launches.mpi) {
      facts.add(new MpiLaunch(part.id(), manifest.id(), mpi.np(), mpi.perNode(), mpi.gpusPerRank(), mpi.oversubscribe()), at(document, mpi.at()));
      mpi.counts().forEach(this::open);
    }
    for (Launches.Benchmark b : launches.benchmarks) {
      facts.add(new BenchmarkLaunch(part.id(), id, b.program(), b.check(), b.warmups(), b.minBytes(), b.maxBytes()), at(document, b.at()));
    }
    for (Launches.Torch torch : launches.torch) {
      Value stated = torch.perNode().isEmpty() ? ProcessesPerNode.of(manifest, part) : Value.MISSING;
      TorchLaunch fact = new TorchLaunch(part.id(), id, whole(torch.nodes()), whole(stated.exists() ? stated.text() : torch.perNode()));
      if (stated.exists()) {
        facts.add(fact, document, stated);
      } else {
        facts.add(fact, at(document, torch.at()));
      }
      open("nnodes", torch.nodes(), torch.at());
      open("nproc_per_node", torch.perNode(), torch.at());
    }
  }

  /** In a file that something fills in, a variable is a placeholder; elsewhere the shell resolves it. */
  private void open(String field, String text, Word near) {
    if (filledIn(text)) {
      Word word = near;
      for (Value each : part.container().at("command").items()) {
        word = holds(each, field, word);
      }
      for (Value each : part.container().at("args").items()) {
        word = holds(each, field, word);
      }
      facts.add(new Placeholder(manifest.id(), word.value().path(), field, text), at(document, word));
    }
  }

  private void open(Launches.Option option) {
    Word word = option.value();
    String text = word.text();
    // An argument of its own is seen by no shell; Kubernetes itself expands `$(NAME)` only.
    boolean literal = word.value() instanceof Value.Scalar scalar && scalar.text().equals(text) && text.indexOf('$') >= 0 && !text.contains("$(");
    if (literal || filledIn(text)) {
      facts.add(new Placeholder(manifest.id(), word.value().path(), option.name(), text), at(document, word));
    }
  }

  private boolean filledIn(String text) {
    return manifest.template() && text.indexOf('$') >= 0 || Placeholders.in(text) && text.indexOf('$') < 0;
  }

  private static Word holds(Value value, String field, Word otherwise) {
    return value instanceof Value.Scalar scalar && scalar.text().replace('-', '_').contains(field) && scalar.text().indexOf('\n') < 0
        ? new Word(scalar.text(), scalar, scalar.line()) : otherwise;
  }

  private static Num whole(String text) {
    return text.matches("\\d+") ? Num.parse(text) : Num.UNKNOWN;
  }

  static Evidence at(Document document, Word word) {
    return document.at(word.line(), word.line() == word.value().line() ? word.value().column() : 1, word.value().path());
  }

  private static String cut(String text) {
    return text.length() > 120 ? text.substring(0, 120) : text;
  }
}
