package gdrproof.accept;

import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.RunPair;
import gdrproof.facts.Gate.ScopeRail;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.NicUse;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The comparison matrix: one row for each run, its role, and what each pair of rows that differ in one thing proves. */
final class Matrix {
  private final Ledger ledger;
  private final Map<String, Set<String>> hcas = new HashMap<>();
  private final Map<String, Double> used = new HashMap<>();
  private final List<String> gdrOff;
  private final List<String> socketOnly;

  private Matrix(Ledger ledger) {
    this.ledger = ledger;
    Map<String, Object> controls = Policies.map(Policies.read("acceptance.yaml").get("controls"));
    gdrOff = Policies.texts(controls.get("gdr-off"));
    socketOnly = Policies.texts(controls.get("socket-only"));
  }

  static List<MatrixRow> derive(Ledger ledger) {
    Matrix matrix = new Matrix(ledger);
    for (NcclHca hca : ledger.all(NcclHca.class)) {
      matrix.hcas.computeIfAbsent(hca.run(), r -> new TreeSet<>()).add(hca.hca());
    }
    ledger.all(NicUse.class).forEach(u -> matrix.used.merge(u.run(), u.used().value(), Math::max));
    List<MatrixRow> rows = new ArrayList<>();
    for (RunSummary run : ledger.all(RunSummary.class).stream().sorted(Comparator.comparing(RunSummary::run, Order.NATURAL)).toList()) {
      MatrixRow row = matrix.row(run);
      rows.add(row);
      ledger.add(row, List.copyOf(ledger.of(run)));
    }
    rows.addAll(matrix.railTables());
    matrix.pairs(rows);
    return rows;
  }

  private MatrixRow row(RunSummary run) {
    List<String> notes = new ArrayList<>();
    Set<String> rails = hcas.getOrDefault(run.run(), Set.of());
    boolean socket = run.network().equals("Socket");
    boolean wantsOff = set(run, gdrOff);
    boolean wantsSocket = set(run, socketOnly);
    String role;
    if (wantsSocket && socket) {
      role = "socket-only";
    } else if (wantsOff && run.gdr() == Tri.NO && !socket) {
      role = "gdr-off";
    } else if (wantsSocket || wantsOff) {
      role = "other";
      boolean told = wantsSocket ? !run.network().equals(Fact.UNKNOWN) : run.gdr() != Tri.UNKNOWN;
      notes.add(told ? "control without effect" : "control not shown by its log");
    } else if (run.oneNode()) {
      role = run.ranks().above(1) ? "single-node" : "other";
    } else if (!run.multiNode()) {
      role = "other";
    } else if (run.perNode().is(1) && !oneGpu(run)) {
      role = rails.size() == 1 ? "one-rail" : "one-gpu-per-node";
    } else {
      role = rails.size() == 1 && run.perNode().above(1) ? "one-rail" : "full-node";
    }
    String rail = rails.isEmpty() ? Fact.UNKNOWN : rails.size() == 1 ? rails.iterator().next() : "all";
    String errors = switch (run.correctness()) {
      case "right" -> "none";
      case "wrong" -> "wrong elements";
      case "unchecked" -> "not checked";
      default -> Fact.UNKNOWN;
    };
    if (run.finished() == Tri.NO) {
      notes.add("not finished");
    }
    run.dips().forEach(d -> notes.add("dip at " + d + " GB/s"));
    if (run.flat() == Tri.NO) {
      notes.add("still rising");
    }
    return new MatrixRow(run.node(), run.run(), role, run.nodes(), run.perNode(), run.hosts(), rail, run.network(), run.gdr(), run.collective(), run.plateauBytes(), run.plateauGBps(), errors, notes);
  }

  /** Whether the nodes of a run have one GPU each: then one GPU per node is the full node. */
  private boolean oneGpu(RunSummary run) {
    return ledger.all(GpuCount.class).stream().anyMatch(c -> run.hosts().contains(c.node()) && c.gpus().is(1));
  }

  private static boolean set(RunSummary run, List<String> settings) {
    return settings.stream().anyMatch(s -> run.setting(s.substring(0, s.indexOf('='))).equals(s.substring(s.indexOf('=') + 1)));
  }

  /** Tables of one rail at a time: a label that names an HCA in scope, beside another that does. */
  private List<MatrixRow> railTables() {
    Set<String> names = new TreeSet<>();
    ledger.all(ScopeRail.class).forEach(r -> names.add(r.hca()));
    List<MatrixRow> rows = new ArrayList<>();
    for (TableResult line : ledger.all(TableResult.class)) {
      Optional<String> hca = names.stream().filter(n -> (" " + line.label() + " ").matches("(?s).*[^A-Za-z0-9_]" + java.util.regex.Pattern.quote(n) + "[^A-Za-z0-9_].*")).findFirst();
      if (hca.isPresent() && line.unit().equals("GB/s") && line.value().known()) {
        MatrixRow row = new MatrixRow(line.node(), line.table() + " " + line.label(), "one-rail", Num.UNKNOWN, Num.UNKNOWN, List.of(), hca.get(), Fact.UNKNOWN, Tri.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN, line.value(),
            Fact.UNKNOWN, List.of("from a table"));
        rows.add(row);
        ledger.add(row, List.copyOf(ledger.of(line)));
      }
    }
    return rows;
  }

  private void pairs(List<MatrixRow> rows) {
    List<MatrixRow> measured = rows.stream().filter(r -> r.busbwGBps().above(0)).toList();
    Optional<MatrixRow> full = measured.stream().filter(r -> r.role().equals("full-node") && r.gdr() != Tri.NO && !r.transport().equals("Socket"))
        .min(Comparator.comparing((MatrixRow r) -> r.gdr() == Tri.YES ? 0 : 1).thenComparing(r -> r.collective().equals("all_reduce") ? 0 : 1).thenComparing(MatrixRow::run, Order.NATURAL));
    if (full.isEmpty()) {
      return;
    }
    MatrixRow f = full.get();
    like(measured, f, "gdr-off").ifPresent(o -> pair("gdr", f, o, 1, "GPUDirect RDMA on gives " + times(f, o) + " of off: what is beyond 1 is what it contributes"));
    like(measured, f, "socket-only").ifPresent(o -> pair("sockets", f, o, 1, "verbs give " + times(f, o) + " of TCP: a production run near the TCP figure has fallen back"));
    like(measured, f, "single-node").ifPresent(o -> pair("network", o, f, 1, "the network keeps " + share(f, o, 1) + " of what NVLink and PCIe give inside one node"));
    like(measured, f, "one-gpu-per-node").ifPresent(o -> {
      double factor = used.containsKey(f.run()) && used.containsKey(o.run()) && used.get(o.run()) > 0 ? used.get(f.run()) / used.get(o.run()) : f.perNode().value();
      pair("gpus-per-node", o, f, factor, "all GPUs reach " + share(f, o, factor) + " of " + Num.of(factor).rounded() + " times one GPU per node: rails " + "add up as far as that");
    });
    measured.stream().filter(r -> r.role().equals("full-node") && r != f && r.collective().equals(f.collective()) && r.hosts().equals(f.hosts()) && !r.transport().equals("Socket"))
        .forEach(r -> pair("repeat", f, r, 1, "the same run again gives " + share(r, f, 1) + " of it"));
    List<MatrixRow> rails = measured.stream().filter(r -> r.role().equals("one-rail")).sorted(Comparator.comparing(MatrixRow::busbwGBps)).toList();
    if (rails.size() > 1) {
      MatrixRow slow = rails.get(0);
      MatrixRow fast = rails.get(rails.size() - 1);
      pair("rail", fast, slow, 1, "the slowest rail (" + slow.rail() + ") gives " + share(slow, fast, 1) + " of the fastest (" + fast.rail() + ")");
    }
  }

  private static Optional<MatrixRow> like(List<MatrixRow> rows, MatrixRow full, String role) {
    return rows.stream().filter(r -> r.role().equals(role) && r.collective().equals(full.collective())).findFirst();
  }

  private void pair(String what, MatrixRow first, MatrixRow second, double factor, String proves) {
    List<Evidence> sources = new ArrayList<>(ledger.of(first));
    sources.addAll(ledger.of(second));
    Num expected = Num.of(first.busbwGBps().value() * factor);
    ledger.add(new RunPair(Fact.UNKNOWN, what, first.run(), first.busbwGBps(), second.run(), second.busbwGBps(), second.busbwGBps().over(expected).rounded(), proves), sources);
  }

  private static String times(MatrixRow a, MatrixRow b) {
    return a.busbwGBps().over(b.busbwGBps()).rounded() + " times";
  }

  private static String share(MatrixRow part, MatrixRow whole, double factor) {
    return Num.of(100 * part.busbwGBps().value() / (whole.busbwGBps().value() * factor)).rounded() + " %";
  }
}
