package gdrproof.collect;

import gdrproof.bundle.Section;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NCCL's own lines (the thin thread: one message). */
final class NcclLog implements Collector {
  private static final Pattern PREFIX =
      Pattern.compile("^(?<host>[A-Za-z0-9][A-Za-z0-9._-]*):(?<pid>\\d+):(?<tid>\\d+) \\[(?<dev>-?\\d+)\\] NCCL (?<level>INFO|WARN) (?<body>.*)$");
  private static final Pattern NETWORK = Pattern.compile("^Using network (?<net>.+)$");

  @Override
  public String tool() {
    return "NCCL_DEBUG=INFO";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher prefix = PREFIX.matcher(section.lines().get(i));
      if (prefix.matches()) {
        Matcher network = NETWORK.matcher(prefix.group("body"));
        if (network.matches()) {
          sink.fact(new NcclMessage(prefix.group("host"), Fact.UNKNOWN, prefix.group("host") + ":" + prefix.group("pid"), "using-network",
              prefix.group("level"), Map.of("net", network.group("net"))), section.at(i));
        }
      }
    }
  }
}
