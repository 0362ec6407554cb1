package gdrproof.report;

import gdrproof.finding.Consequence;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.ReviewResult.Entry;
import gdrproof.policy.Policies;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The runbook of one change, as Markdown: capture, canary, revalidation, stop conditions, rollback. */
public final class Runbook {
  private static final Map<String, Object> POLICY = Policies.read("operator/runbook.yaml");

  private Runbook() {}

  public static void write(ReviewResult result, PrintWriter out) {
    boolean nodes = result.entries().stream().anyMatch(e -> e.consequence() == Consequence.NEEDS_DRAIN || e.consequence() == Consequence.NEEDS_REBOOT);
    out.println("# Runbook of this change: " + result.verdict());
    out.println();
    if (!result.before().equals(result.after())) {
      out.println("Network Operator " + result.before() + " to " + result.after() + ".");
      out.println();
    }
    if (result.verdict() == Consequence.FORBIDDEN || result.verdict() == Consequence.UNSUPPORTED) {
      out.println("**Do not apply this change as it stands.**");
      out.println();
    }
    section(out, "1. What it does");
    result.entries().forEach(e -> out.println("- **" + e.consequence() + "** " + e.message() + " (`" + e.file() + ":" + e.line() + "`, " + e.rule().code() + ")"));
    section(out, "2. Capture before the change");
    Policies.maps(POLICY.get("capture")).forEach(c -> out.println("- " + c.get("what") + ": `" + c.get("command") + "`"));
    section(out, "3. Prepare");
    out.println("- One component only: " + (several(result) ? "**this change moves several; split it.**" : "this change moves no second one of the files given."));
    out.println("- A maintenance window that the owners of the jobs know; pinned chart and image versions; a dry run with `--dry-run=server`.");
    Policies.texts(POLICY.get("prepare")).forEach(s -> out.println("- " + s + "."));
    for (Entry e : result.entries()) {
      if (e.consequence().reaches(Consequence.SILENT)) {
        out.println("- " + e.rule().remedy() + " (" + e.rule().code() + ", " + e.path() + ")");
      }
    }
    section(out, "4. Canary");
    if (nodes) {
      out.println("- `spec.ofedDriver.upgradePolicy.maxParallelUpgrades: 1`; automatic upgrade stays off for all but the canary until it is accepted (a NicNodePolicy or nodeAffinity keeps the others out).");
      out.println("- PodDisruptionBudgets: `kubectl get pdb -A`; each must permit one eviction at a time" + budgets(result) + ".");
      out.println("- Cordon and drain one node, or one approved failure domain: `kubectl drain CANARY --ignore-daemonsets --delete-emptydir-data --dry-run=server` first.");
      out.println("- Watch `kubectl get nodes -L nvidia.com/ofed-driver-upgrade-state` until it says upgrade-done.");
    } else {
      out.println("- Two nodes and one test job see the change first, even where no drain follows.");
    }
    section(out, "5. Revalidate, in this order, before it spreads");
    int n = 1;
    for (String step : Policies.texts(POLICY.get("revalidate"))) {
      out.println(n++ + ". " + step);
    }
    section(out, "6. Stop, and roll back, when any one of these occurs");
    Policies.texts(POLICY.get("stop")).forEach(s -> out.println("- " + s));
    section(out, "7. Rollback");
    out.println("- Chart objects: `helm rollback network-operator -n nvidia-network-operator --wait`; policies and networks: apply the captured objects again.");
    out.println("- A rollback of the driver is node lifecycle work: evicted pods, a drained node, reloaded modules or a reboot. Kubernetes rollback ends where the node image begins.");
    Set<String> lost = new LinkedHashSet<>();
    result.entries().forEach(e -> lost.addAll(e.notRestored()));
    if (lost.isEmpty()) {
      out.println("- The files given show nothing that applying the old state would leave behind.");
    } else {
      out.println("- Not restored by either:");
      lost.forEach(l -> out.println("  - " + l));
    }
    out.println("- No rollback is a success while the data plane still runs the changed driver: compare driver, firmware, modules and GID order with the capture.");
    if (!result.unread().isEmpty()) {
      section(out, "Not judged");
      result.unread().forEach(u -> out.println("- " + u));
    }
  }

  private static boolean several(ReviewResult result) {
    return result.entries().stream().anyMatch(e -> e.rule().slug().equals("several-components"));
  }

  private static String budgets(ReviewResult result) {
    List<String> blocking = result.entries().stream().filter(e -> e.rule().slug().equals("budget-blocks-drain")).map(Entry::object).toList();
    return blocking.isEmpty() ? "" : "; these do not: " + String.join(", ", blocking);
  }

  private static void section(PrintWriter out, String title) {
    out.println();
    out.println("## " + title);
    out.println();
  }
}
