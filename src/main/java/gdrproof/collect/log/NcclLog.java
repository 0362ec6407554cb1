package gdrproof.collect.log;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines of NCCL, its plugins and frameworks, by the catalogue in `policies/log-messages.yaml`. */
final class NcclLog implements Collector {
  private static final Pattern PREFIX = Pattern.compile(
      "(?<host>[A-Za-z0-9][A-Za-z0-9._-]*):(?<pid>\\d+):(?<tid>\\d+) (?:\\[(?<dev>-?\\d+)\\] )?(?:(?<msec>\\d+\\.\\d+) )?(?:(?<src>\\S.*?):(?<line>\\d+) (?:\\((?<fn>[^)]*)\\) )?)?NCCL (?<level>INFO|WARN|TRACE|CALL|VERSION|ABORT) ?(?<body>.*)$");
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z][a-zA-Z0-9]*)>");

  private record Message(String id, Pattern pattern, List<String> groups, boolean anchored) {}

  private static final List<Message> CATALOGUE = load();

  private static List<Message> load() {
    List<Message> messages = new ArrayList<>();
    Policies.read("log-messages.yaml").forEach((id, entry) -> {
      String regex = String.valueOf(Policies.map(entry).get("pattern"));
      List<String> groups = new ArrayList<>();
      Matcher group = GROUP.matcher(regex);
      while (group.find()) {
        groups.add(group.group(1));
      }
      messages.add(new Message(id, Pattern.compile(regex), groups, regex.startsWith("^")));
    });
    return messages;
  }

  @Override
  public String tool() {
    return "NCCL_DEBUG=INFO";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher prefix = PREFIX.matcher(line);
      boolean own = line.contains("NCCL ") && prefix.find();
      String body = own ? prefix.group("body").strip() : line.strip();
      String node = own ? Sections.shortName(prefix.group("host")) : section.node();
      String process = own ? node + ":" + prefix.group("pid") : Fact.UNKNOWN;
      if (body.isEmpty()) {
        continue;
      }
      for (Message message : CATALOGUE) {
        Matcher matcher = message.pattern().matcher(body);
        if (!own && message.anchored() && !message.id().equals("version") && !message.id().startsWith("nccl-result") || !matcher.find()) {
          continue;
        }
        Map<String, String> fields = new HashMap<>();
        for (String group : message.groups()) {
          String value = matcher.group(group);
          if (value != null) {
            fields.put(group, value);
          }
        }
        sink.fact(new NcclMessage(node, Fact.UNKNOWN, process, message.id(), own ? prefix.group("level") : "TEXT", fields), section.at(i));
      }
    }
  }
}
