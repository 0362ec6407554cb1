package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Host.ModuleRefused;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Messages of the operating system, container runtimes and verbs libraries, by the catalogue in `policies/host-messages.yaml`. */
final class HostMessages implements Collector {
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z][a-zA-Z0-9]*)>");
  /** The file that `ldd` was asked about, or the pattern that a search for it had. */
  private static final Pattern LDD = Pattern.compile("(?:-name '|\\bldd (?:-\\w+ )*)(?:\\S*/)?(?<file>[\\w.*+-]+)");
  private static final int LONGEST_LINE = 4_000;

  private record Message(String id, String literal, Pattern pattern, List<String> groups) {}

  private static final List<Message> CATALOGUE = load();

  private static List<Message> load() {
    List<Message> messages = new ArrayList<>();
    Policies.read("host-messages.yaml").forEach((id, entry) -> {
      String regex = String.valueOf(Policies.map(entry).get("pattern"));
      List<String> groups = new ArrayList<>();
      Matcher group = GROUP.matcher(regex);
      while (group.find()) {
        groups.add(group.group(1));
      }
      messages.add(new Message(id, String.valueOf(Policies.map(entry).get("literal")), Pattern.compile(regex), groups));
    });
    return messages;
  }

  @Override
  public String tool() {
    return "dmesg";
  }

  @Override
  public List<String> hints() {
    return CATALOGUE.stream().map(Message::literal).distinct().toList();
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      if (line.length() > LONGEST_LINE) {
        continue;
      }
      for (Message message : CATALOGUE) {
        if (!line.contains(message.literal())) {
          continue;
        }
        Matcher matcher = message.pattern().matcher(line);
        if (matcher.find()) {
          Map<String, String> fields = new HashMap<>();
          for (String group : message.groups()) {
            String value = matcher.group(group);
            if (value != null) {
              fields.put(group, value.strip());
            }
          }
          Matcher loaded = LDD.matcher(section.command());
          if (message.id().equals("ldd-not-found") && loaded.find()) {
            fields.put("of", loaded.group("file"));
          }
          // Programs that write their host into each line are read from one file of a whole job.
          String host = fields.remove("host");
          put(section, sink, i, new HostMessage(host == null || !section.node().equals(Fact.UNKNOWN) ? section.node() : Sections.shortName(host), message.id(), fields));
        }
      }
    }
  }

  private static void put(Section section, Sink sink, int index, HostMessage message) {
    sink.fact(message, section.at(index));
    String module = message.field("module").replace('-', '_');
    switch (message.id()) {
      case "module-unknown-symbol", "module-symbol-version" -> refused(section, sink, index, module, "symbol", message.field("symbol"));
      case "module-version-magic" -> refused(section, sink, index, module, "kernel-version", Fact.UNKNOWN);
      case "modprobe-insert" -> refused(section, sink, index, module, reason(message.field("error")), Fact.UNKNOWN);
      case "driver-container-load" -> refused(section, sink, index, module, "unknown", Fact.UNKNOWN);
      default -> {
      }
    }
  }

  /** What the error of the load call means; EINVAL and ENOEXEC have several causes, so their text stays. */
  private static String reason(String error) {
    return switch (error) {
      case "Required key not available", "Key was rejected by service" -> "signature";
      case "Unknown symbol in module, or unknown parameter (see dmesg)" -> "symbol";
      default -> error;
    };
  }

  private static void refused(Section section, Sink sink, int index, String module, String reason, String symbol) {
    sink.fact(new ModuleRefused(section.node(), module, reason, symbol), section.at(index));
  }
}
