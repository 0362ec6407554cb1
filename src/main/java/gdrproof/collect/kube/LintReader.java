package gdrproof.collect.kube;

import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.kube.Manifests.Job;
import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorFacts;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.facts.Kube.ComputeDomain;
import gdrproof.facts.Ledger;
import java.util.ArrayList;
import java.util.List;

/** Takes the facts of the files of a lint call, as one file set. No other collector looks at them. */
public final class LintReader {
  private final Ledger ledger;
  private final List<Document> documents = new ArrayList<>();
  private final List<Job> apart;
  private final boolean operator;
  private int judged;

  /**
   * Facts go to the ledger, except those that are kept {@link #apart()}.
   *
   * @param platform platform profile that the user names, or ""
   * @param least jobs from which they are kept apart
   */
  public LintReader(List<LintFile> files, String platform, Ledger ledger, int least) {
    this.ledger = ledger;
    for (LintFile file : files) {
      file.facts().forEach(this::add);
      documents.addAll(file.documents());
      judged += file.judged() ? 1 : 0;
    }
    operator = files.stream().anyMatch(LintFile::operator);
    List<Document> whole = new ArrayList<>();
    files.stream().filter(file -> !file.patch()).forEach(file -> whole.addAll(file.documents()));
    Manifests.Read read = Manifests.read(whole, platform);
    judged += read.objects();
    read.shared().forEach(this::add);
    judged += (int) whole.stream().filter(document -> JobValues.add(document, platform, new Facts(ledger::add))).count();
    boolean configured = false;
    if (operator) {
      OperatorSet set = OperatorFacts.read(documents, "", ledger);
      configured = !set.isEmpty();
      judged += (int) set.docs().stream().filter(doc -> doc.kind().equals(OperatorDoc.VALUES)).count();
    }
    // Rules about the operator ask who uses what it hands out, and a compute domain counts the pods of all its jobs.
    boolean join = configured || read.shared().stream().anyMatch(s -> s.fact() instanceof ComputeDomain);
    if (join || read.jobs().size() < least) {
      read.jobFacts().forEach(job -> job.forEach(this::add));
      apart = List.of();
    } else {
      apart = read.jobs();
    }
  }

  private void add(Stated stated) {
    ledger.add(stated.fact(), stated.at());
  }

  /** Jobs that no rule joins with another job; empty unless there are very many. */
  public List<Job> apart() {
    return apart;
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
}
