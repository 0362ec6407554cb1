package gdrproof.collect;

import gdrproof.bundle.CommandLine;
import gdrproof.bundle.ProbeHeader;
import gdrproof.bundle.ProbeHeader.Status;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What `gdrproof collect` and its script say of their own work: the head of each file, and `collection.jsonl`, which names what could not be
 * had and why. None of it may pass for output of a tool.
 */
final class Collected {
  private static final String SCHEMA = "{\"schema\":\"gdrproof/collection/v1\"";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Probes whose output is kept for people; no reader for it is missing. */
  private static final class People {
    private static final Set<String> NAMES = Policies.read("probes.yaml").entrySet().stream().filter(e -> Boolean.TRUE.equals(Policies.map(e.getValue()).get("people")))
        .map(Map.Entry::getKey).collect(Collectors.toSet());

    private People() {}
  }

  private record Missing(String node, String boundary, String probe, String reason, int line) {}

  private Collected() {}

  static boolean index(List<String> lines) {
    return !lines.isEmpty() && lines.get(0).startsWith(SCHEMA);
  }

  /** Outputs that were not had at all; those that were, in part, say so themselves. */
  static void read(String file, List<String> lines, Ledger ledger) {
    Map<String, Missing> missing = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        JsonNode line = JSON.readTree(lines.get(i));
        String node = line.path("node").asString("-");
        String probe = line.path("probe").asString(Fact.UNKNOWN);
        String key = node + "/" + line.path("boundary").asString("") + "/" + probe;
        if (line.path("file").asString("").isEmpty() && !line.path("status").asString("").equals(Status.DONE.text())) {
          missing.put(key, new Missing(node.equals("-") ? Fact.UNKNOWN : node, line.path("boundary").asString(""), probe, line.path("reason").asString("no reason given"), i + 1));
        } else {
          missing.remove(key);
        }
      } catch (JacksonException e) {
        // The collection may have been killed in the middle of a line.
        ledger.add(new Unread(Fact.UNKNOWN, file, i + 1, "damaged line of the collection's index"), Evidence.of(file, i + 1, ""));
      }
    }
    // One program that is not installed is one thing to say, however many probes need it.
    Map<String, List<Missing>> byReason = new LinkedHashMap<>();
    missing.values().forEach(m -> byReason.computeIfAbsent(m.node() + "/" + m.boundary() + "/" + m.reason(), r -> new ArrayList<>()).add(m));
    byReason.values().forEach(same -> {
      Missing first = same.get(0);
      String probes = same.stream().map(m -> m.probe().replaceFirst("-(?:before|after)$", "")).distinct().collect(Collectors.joining(", "));
      String where = first.boundary().equals("host") || first.boundary().isEmpty() ? "" : " (" + first.boundary() + ")";
      ledger.add(new Unread(first.node(), file, first.line(), "not collected" + where + ": " + probes + ": " + first.reason()), Evidence.of(file, first.line(), lines.get(first.line() - 1)));
    });
  }

  static void header(String file, ProbeHeader header, List<String> lines, boolean understood, Ledger ledger) {
    List<String> body = lines.stream().skip(1).filter(l -> !l.isBlank() && !l.startsWith("$ ")).toList();
    String reason = header.status().reason();
    if (header.exit() > 0 && header.status().whole()) {
      ledger.add(new Ended(header.host(), CommandLine.tool(header.command()), Fact.UNKNOWN, Num.of(header.exit()), "printed"),
          Evidence.of(file, 1, lines.get(0)).from(header.host(), header.command(), header.time()));
    }
    if (reason.isEmpty() && !understood && !People.NAMES.contains(header.probe().replaceFirst("-(?:before|after)$", ""))) {
      // Nothing printed and no error is an answer: there is nothing of that kind.
      reason = body.isEmpty() ? header.exit() == 0 ? "" : header.probe() + " printed nothing and ended with exit status " + header.exit()
          : header.status() == Status.FAILED ? header.probe() + " failed with exit status " + header.exit() + ": " + first(body) : "no known tool output recognised";
    }
    if (!reason.isEmpty()) {
      ledger.add(new Unread(header.host(), file, 1, reason), Evidence.of(file, 1, lines.get(0)).from(header.host(), header.command(), header.time()));
    }
  }

  private static String first(List<String> body) {
    String line = body.get(0).strip();
    return line.length() > 160 ? line.substring(0, 160) + "…" : line;
  }
}
