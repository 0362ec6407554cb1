package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.HostMessage;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The client of a raw libfabric test over EFA that got no answer and was stopped by hand: it prints nothing itself, so what stands below the command is `^C` or a
 * remark of who ran it. A server waits for its client for ever, so its end by hand says nothing.
 */
final class PingPongHangs implements Collector {
  private static final Pattern CLIENT = Pattern.compile(
      "(?:.*[\\s;&/])?fi_(?:pingpong|rdm_\\w+|msg_\\w+|dgram_\\w+)\\s(?:.*\\s)?-p\\s*\"?efa\\b(?:.*\\s)?(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[a-z][\\w.-]*\\d[\\w.-]*)\\s*(?:#.*)?");
  private static final Pattern HANGS = Pattern.compile("(?i)\\s*(?:[(#]\\s*)?(?:\\^C\\s*|(?:it |just )?(?:hangs?|hung|stuck|never returns)\\b.{0,60}|no (?:output|answer)\\b.{0,60})\\)?\\s*");

  @Override
  public String tool() {
    return "fi_pingpong";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (!CLIENT.matcher(section.command()).matches()) {
      return;
    }
    List<String> lines = section.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        if (HANGS.matcher(lines.get(i)).matches()) {
          sink.fact(new HostMessage(section.node(), "libfabric-timeout", Map.of("error", lines.get(i).strip())), section.at(i));
        }
        return;
      }
    }
  }
}
