package gdrproof.collect;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Joins pieces of files into runs: by keys first, then by what folder and bundle leave as the only choice. */
final class RunJoin {
  private RunJoin() {}

  static void join(List<RunPiece> pieces) {
    byKeys(pieces);
    Map<String, List<RunPiece>> folders = pieces.stream().collect(Collectors.groupingBy(RunPiece::folder, TreeMap::new, Collectors.toList()));
    folders.values().forEach(RunJoin::byChoice);
    byChoice(pieces);
    if (carriers(pieces).isEmpty()) {
      // Launcher output or stray messages only: one incident.
      pieces.forEach(p -> pieces.get(0).join(p));
      pieces.forEach(RunPiece::force);
    }
  }

  private static void byKeys(List<RunPiece> pieces) {
    Map<String, RunPiece> comms = new HashMap<>();
    Map<String, List<RunPiece>> processes = new HashMap<>();
    for (RunPiece piece : pieces) {
      for (String comm : piece.comms()) {
        RunPiece other = comms.putIfAbsent(comm, piece);
        if (other != null) {
          other.join(piece);
        }
      }
    }
    for (RunPiece piece : pieces) {
      for (String process : Set.copyOf(piece.processes())) {
        List<RunPiece> same = processes.computeIfAbsent(process, p -> new java.util.ArrayList<>());
        for (RunPiece other : same) {
          if (other.sameProcess(piece, process) && !other.reportsApart(piece)) {
            other.join(piece);
            break;
          }
        }
        same.add(piece);
      }
    }
  }

  private static Set<RunPiece> carriers(Collection<RunPiece> pieces) {
    Set<RunPiece> roots = new LinkedHashSet<>();
    pieces.stream().map(RunPiece::root).filter(RunPiece::carries).forEach(roots::add);
    return roots;
  }

  private static void byChoice(List<RunPiece> pieces) {
    List<RunPiece> logs = carriers(pieces).stream().filter(RunPiece::hasProcesses).toList();
    boolean peers = true;
    for (RunPiece a : logs) {
      for (RunPiece b : logs) {
        peers &= a == b || a.compatible(b);
      }
    }
    if (peers) {
      logs.forEach(p -> logs.get(0).join(p));
    }
    // A table without process names belongs to the log beside it when there is one of each.
    List<RunPiece> tables = carriers(pieces).stream().filter(p -> !p.hasProcesses()).toList();
    List<RunPiece> silent = carriers(pieces).stream().filter(p -> p.hasProcesses() && !p.hasBench()).toList();
    if (tables.size() == 1 && silent.size() == 1 && carriers(pieces).size() == 2) {
      silent.get(0).join(tables.get(0));
    }
    Set<RunPiece> runs = carriers(pieces);
    if (runs.size() == 1) {
      RunPiece only = runs.iterator().next();
      pieces.stream().filter(p -> !p.root().carries()).toList().forEach(only::join);
    }
  }
}
