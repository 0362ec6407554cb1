package gdrproof.collect.launch;

import gdrproof.collect.Line;
import gdrproof.collect.Sink;
import gdrproof.collect.StreamCollector;
import gdrproof.collect.log.LinePrefix;
import gdrproof.collect.log.Literals;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Launch.MpiVersion;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Messages of launchers, ssh, schedulers and frameworks by `policies/launcher-messages.yaml`, in logs of any length. */
public final class LauncherLog implements StreamCollector {
  private static final int SHORTEST = 4;
  private static final int LONGEST = 12;
  /** Lines below a message that may belong to its box. */
  private static final int BOX_LINES = 14;
  /** No launcher prints longer lines; patterns may need the square of the length, or more. */
  private static final int LONGEST_TEXT = 2048;
  /** Different statements kept of one message in one file. */
  private static final int MOST = 64;
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z][a-zA-Z0-9]*)>");
  private static final Pattern ENTRY = Pattern.compile("^[= |]*(?<key>[A-Za-z][A-Za-z ]{1,24}?) *: +(?<value>.*\\S) *$");
  private static final Pattern ON_NODE = Pattern.compile(".* on node (?<node>\\S+)$");

  /** @param next what the following line says, where the launcher breaks the sentence */
  private record Message(String id, Pattern pattern, List<String> groups, String level, boolean box, @Nullable Pattern next) {}

  private final List<Message> messages = new ArrayList<>();
  private final List<String> literals;

  public LauncherLog() {
    Set<String> texts = new TreeSet<>();
    Policies.read("launcher-messages.yaml").forEach((id, entry) -> {
      Map<String, Object> data = Policies.map(entry);
      String regex = String.valueOf(data.get("pattern"));
      List<String> groups = groups(regex);
      Pattern next = data.containsKey("next") ? Pattern.compile(String.valueOf(data.get("next"))) : null;
      messages.add(new Message(id.replaceFirst("\\..*", ""), Pattern.compile(regex), groups, String.valueOf(data.get("level")), Boolean.TRUE.equals(data.get("box")), next));
      Literals.required(regex, SHORTEST).forEach(t -> texts.add(t.length() > LONGEST ? t.substring(0, LONGEST) : t));
    });
    literals = List.copyOf(texts);
  }

  private static List<String> groups(String regex) {
    List<String> groups = new ArrayList<>();
    Matcher group = GROUP.matcher(regex);
    while (group.find()) {
      groups.add(group.group(1));
    }
    return groups;
  }

  @Override
  public String tool() {
    return "mpirun";
  }

  @Override
  public List<String> literals() {
    return literals;
  }

  @Override
  public LineReader open(Source source, Sink sink) {
    return new Reader(source, sink);
  }

  private final class Reader implements LineReader {
    private final Source source;
    private final Sink sink;
    private final Map<String, Set<LaunchMessage>> kept = new HashMap<>();
    private Message open;
    private Map<String, String> fields;
    private Evidence at;
    private int boxLines;
    private String openNode;

    Reader(Source source, Sink sink) {
      this.source = source;
      this.sink = sink;
    }

    @Override
    public boolean wantsNext() {
      return open != null;
    }

    @Override
    public void line(Line line) {
      String whole = line.text();
      LinePrefix prefix = LinePrefix.strip(whole.length() > LONGEST_TEXT ? whole.substring(0, LONGEST_TEXT) : whole);
      String text = prefix.text();
      if (open != null) {
        box(text, line.number());
      }
      for (Message message : messages) {
        Matcher matcher = message.pattern.matcher(text);
        if (matcher.find()) {
          close();
          begin(message, matcher, prefix, line);
          return;
        }
      }
    }

    private void begin(Message message, Matcher matcher, LinePrefix prefix, Line line) {
      fields = new HashMap<>();
      put(matcher, message.groups);
      if (!prefix.rank().equals(Fact.UNKNOWN)) {
        fields.putIfAbsent("rank", prefix.rank());
      }
      openNode = source.node().apply(line.number());
      at = Evidence.of(source.file(), line.number(), line.text().strip()).from(openNode, Fact.UNKNOWN, prefix.time());
      open = message;
      boxLines = 0;
      if (!message.box && message.next == null) {
        close();
      }
    }

    private void put(Matcher matcher, List<String> groups) {
      for (String group : groups) {
        String value = matcher.group(group);
        if (value != null) {
          fields.put(group, value);
        }
      }
    }

    private void box(String text, int number) {
      if (open.next != null) {
        Matcher next = open.next.matcher(text);
        if (next.find()) {
          put(next, groups(open.next.pattern()));
          sink.understoodLine(number);
        }
        close();
        return;
      }
      Matcher entry = ENTRY.matcher(text);
      if (entry.matches()) {
        String key = entry.group("key").toLowerCase(Locale.ROOT).replace(" ", "");
        fields.putIfAbsent(key, entry.group("value"));
        Matcher node = ON_NODE.matcher(entry.group("value"));
        if (node.matches()) {
          fields.putIfAbsent(key + "node", node.group("node"));
        }
        sink.understoodLine(number);
      }
      if (++boxLines >= BOX_LINES || text.startsWith("------")) {
        close();
      }
    }

    private void close() {
      if (open == null) {
        return;
      }
      LaunchMessage message = new LaunchMessage(openNode, Fact.UNKNOWN, open.id, open.level, fields);
      Set<LaunchMessage> known = kept.computeIfAbsent(open.id, i -> new HashSet<>());
      if (known.contains(message) || known.size() < MOST) {
        known.add(message);
        sink.fact(message, at);
        String version = message.field("version");
        if (!version.equals(Fact.UNKNOWN)) {
          String implementation = open.id.startsWith("hydra") ? "MPICH" : open.id.startsWith("intel") ? "Intel MPI" : "Open MPI";
          sink.fact(new MpiVersion(openNode, Fact.UNKNOWN, implementation, version), at);
        }
      }
      open = null;
    }

    @Override
    public void end() {
      close();
    }
  }
}
