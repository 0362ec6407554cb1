package gdrproof.collect;

import gdrproof.facts.Bench;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Launch.RunStart;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.RunFact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which lines of which file belong to which execution. Every file is cut at launch headers and where all process ids change;
 * pieces are one run when they share a process or a communicator, or, failing such a key, when the folder leaves no other choice.
 */
final class Runs {
  /** Lines between the head of a report and where its collector says it begins. */
  private static final int NEAR = 8;

  private final Map<String, List<RunPiece>> pieces = new TreeMap<>();
  private final List<RunPiece> all = new ArrayList<>();

  private Runs() {}

  static Runs of(Ledger ledger) {
    Runs runs = new Runs();
    Map<String, TreeMap<Integer, String>> starts = new HashMap<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof RunStart start) {
        sources.forEach(s -> starts.computeIfAbsent(s.file(), f -> new TreeMap<>()).put(s.line(), start.program()));
      }
    });
    Map<String, TreeMap<Integer, Integer>> reports = new HashMap<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof RunFact named && fact instanceof Bench) {
        sources.forEach(s -> report(named.run(), s, reports));
      }
    });
    // A report without head or prompt, such as a pasted table or a JSON file, is an execution too.
    reports.forEach((file, spans) -> spans.forEach((from, to) -> {
      TreeMap<Integer, String> known = starts.computeIfAbsent(file, f -> new TreeMap<>());
      Integer head = known.floorKey(to);
      if (head == null || head < from - NEAR && spans.lowerKey(from) != null && spans.lowerKey(from) >= head) {
        known.put(from, Fact.UNKNOWN);
      }
    }));
    Map<String, Integer> files = new HashMap<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof RunFact) {
        sources.forEach(s -> files.merge(s.file(), s.line(), Math::min));
      }
    });
    files.forEach((file, first) -> runs.cut(file, starts.getOrDefault(file, new TreeMap<>())));
    ledger.forEach(runs::see);
    runs.pieces.replaceAll((file, list) -> list.stream().flatMap(p -> p.split().stream()).toList());
    runs.pieces.values().forEach(runs.all::addAll);
    RunJoin.join(runs.all);
    runs.name();
    return runs;
  }

  /** Spans of lines of the provisional runs `file#line` that collectors of benchmarks name. */
  private static void report(String run, Evidence source, Map<String, TreeMap<Integer, Integer>> reports) {
    int hash = run.lastIndexOf('#');
    if (hash < 0 || !run.substring(0, hash).equals(source.file()) || !run.substring(hash + 1).matches("\\d{1,9}")) {
      return;
    }
    reports.computeIfAbsent(source.file(), f -> new TreeMap<>()).merge(Integer.parseInt(run.substring(hash + 1)), source.line(), Math::max);
  }

  private void cut(String file, TreeMap<Integer, String> starts) {
    List<RunPiece> list = new ArrayList<>();
    int from = 0;
    for (int start : starts.keySet()) {
      if (!list.isEmpty()) {
        list.get(list.size() - 1).endBefore(start);
      }
      // What stands before the first header (the command, launcher warnings) belongs to the first run.
      list.add(new RunPiece(file, from == 0 ? 0 : start, true));
      from = start;
    }
    if (list.isEmpty()) {
      list.add(new RunPiece(file, 0, false));
    }
    pieces.put(file, list);
  }

  private void see(Fact fact, Iterable<Evidence> sources) {
    if (!(fact instanceof RunFact)) {
      return;
    }
    String process = Rewrite.text(fact, "process");
    for (Evidence source : sources) {
      RunPiece piece = piece(source);
      if (piece == null) {
        continue;
      }
      if (fact instanceof Bench) {
        piece.bench();
      }
      if (fact instanceof NcclTestRow row) {
        // The JSON report of a run has more digits than its table.
        String time = String.format(Locale.ROOT, "%.6g", row.timeUs().value());
        piece.row(row.program() + " " + row.bytes() + " " + row.placement() + " " + (row.timeUs().known() ? time : row.busbwGBps().toString()), source.line());
      }
      if (process != null && !process.equals(Fact.UNKNOWN)) {
        piece.process(process, fact.node(), source.line());
        if (fact instanceof NcclRank rank) {
          piece.rank(process, rank.commId(), rank.rank(), rank.ranks());
        } else if (fact instanceof NcclMessage message && message.id().startsWith("init-")) {
          piece.rank(process, message.field("commId"), message.number("rank"), message.number("nranks"));
        }
      }
    }
  }

  private RunPiece piece(Evidence source) {
    List<RunPiece> list = pieces.get(source.file());
    if (list == null) {
      return null;
    }
    for (RunPiece piece : list) {
      if (piece.holds(source.line())) {
        return piece;
      }
    }
    return list.get(list.size() - 1);
  }

  /** The run of a line; the given one if nothing tells. */
  String of(Evidence source, String provisional) {
    RunPiece piece = piece(source);
    return piece == null || piece.root().name().equals(Fact.UNKNOWN) ? provisional : piece.root().name();
  }

  private void name() {
    Map<RunPiece, String> names = new LinkedHashMap<>();
    for (RunPiece piece : all) {
      List<RunPiece> inFile = pieces.get(piece.file());
      String name = inFile.size() == 1 ? piece.file() : piece.file() + "#" + (inFile.indexOf(piece) + 1);
      if (piece.root().keyed()) {
        names.putIfAbsent(piece.root(), name);
      }
    }
    names.forEach(RunPiece::name);
  }
}
