package gdrproof.collect.log;

import gdrproof.bundle.Sections;
import gdrproof.collect.Automaton;
import gdrproof.collect.Line;
import gdrproof.collect.Sink;
import gdrproof.collect.StreamCollector.LineReader;
import gdrproof.collect.StreamCollector.Source;
import gdrproof.collect.log.LogCatalogue.Message;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one file. A line whose body its process has printed before costs a hash; only new bodies meet the patterns. Connection lines are
 * remembered by their end (`[send] via NET/IB/0/GDRDMA`), since what comes before names channel and ranks and is only summed up.
 */
final class NcclReader implements LineReader {
  private static final Pattern ANSI = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]");
  private static final int LONGEST_PART = 1 << 20;
  private static final byte[] VIA = " via ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OPERATION = ": opCount ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COMM = " comm 0x".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STREAM = " stream ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COLON = {' ', ':', ' '};
  private static final byte[] ARROW = {']', ' ', '-', '>', ' '};
  private static final byte[] RECEIVE = "[receive]".getBytes(StandardCharsets.US_ASCII);
  private static final Hit[] NOTHING = {};

  private final LogCatalogue catalogue;
  private final Source source;
  private final Sink sink;
  private final Automaton inner;
  private final Anchor anchor = new Anchor();
  private final Processes processes;
  private final Memo memo = new Memo();
  private final List<Hit> found = new ArrayList<>();
  private StringBuilder partial;
  private boolean lastError;

  NcclReader(LogCatalogue catalogue, Automaton inner, Source source, Sink sink) {
    this.catalogue = catalogue;
    this.inner = inner;
    this.source = source;
    this.sink = sink;
    this.processes = new Processes(catalogue.size());
  }

  @Override
  public boolean wantsNext() {
    return partial != null || lastError;
  }

  @Override
  public void line(Line line) {
    read(line.buffer(), line.from(), line.to(), line.number());
  }

  private void read(byte[] buffer, int from, int to, int number) {
    if (!lastError && partial == null && anchor.find(buffer, from, to) && anchor.named() && clean(buffer, from, to)) {
      own(buffer, from, to, number);
    } else {
      slow(new String(buffer, from, to - from, StandardCharsets.UTF_8), number, false);
    }
  }

  /** No escapes, and no wrapper whose text has escapes of its own. */
  private static boolean clean(byte[] b, int from, int to) {
    if (b[from] == '{') {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (b[i] == 0x1B) {
        return false;
      }
    }
    return !partial(b, from, to);
  }

  private static boolean partial(byte[] b, int from, int to) {
    // "TIME stdout P text": the flag stands behind the second blank.
    int blanks = 0;
    for (int i = from; i < Math.min(to - 2, from + 60); i++) {
      if (b[i] == ' ' && ++blanks == 2) {
        return b[i + 1] == 'P' && b[i + 2] == ' ' && (b[i - 1] == 't' || b[i - 1] == 'r');
      }
    }
    return false;
  }

  private void own(byte[] b, int from, int to, int number) {
    ProcessLog process = processes.find(b, anchor.host, anchor.hostEnd, anchor.pidEnd);
    int end = to;
    while (end > anchor.body && b[end - 1] <= ' ') {
      end--;
    }
    int via = connection(b, anchor.body, end);
    int operation = via >= 0 ? -1 : indexOf(b, anchor.body, Math.min(end, anchor.body + 40), OPERATION);
    long hash = process == null || anchor.warn() && process.failedAt == null ? 0 : hash(b, via, operation, end, process);
    Hit[] known = hash == 0 ? null : memo.get(hash);
    if (known == null) {
      known = fresh(b, from, to, number);
      if (process != null && hash != 0 && known != null) {
        memo.put(hash, known);
      }
      if (known == null) {
        return;
      }
    } else {
      for (Hit hit : known) {
        hit.count++;
      }
    }
    if (via >= 0) {
      peers(b, anchor.body, end, known);
    } else if (operation >= 0) {
      operation(b, operation + OPERATION.length, end, known);
    }
  }

  private long hash(byte[] b, int via, int operation, int end, ProcessLog process) {
    long seed = process.index * 8L + anchor.level;
    if (via >= 0) {
      return Memo.hash(b, via, end, seed);
    }
    if (operation >= 0) {
      // The name of the collective and its communicator; numbers between them change with every call.
      int comm = indexOf(b, operation, end, COMM);
      int stream = comm < 0 ? -1 : indexOf(b, comm, end, STREAM);
      return stream < 0 ? 0 : Memo.hash(b, comm, stream, Memo.hash(b, anchor.body, operation, seed));
    }
    return Memo.hash(b, anchor.body, end, seed);
  }

  private static void operation(byte[] b, int from, int end, Hit[] hits) {
    long value = 0;
    for (int i = from; i < end && i < from + 15 && Character.digit(b[i], 16) >= 0; i++) {
      value = value << 4 | Character.digit(b[i], 16);
    }
    for (Hit hit : hits) {
      hit.operation = Math.max(hit.operation, value);
    }
  }

  /** Where the remembered end of a connection line begins, or -1. */
  private static int connection(byte[] b, int from, int end) {
    if (end - from < 30 || b[from] != 'C' || b[from + 1] != 'h' && b[from + 1] != 'o') {
      return -1;
    }
    int via = indexOf(b, from, end, VIA);
    if (via < 0) {
      return -1;
    }
    int at = via;
    if (b[via - 1] == ']') {
      while (at > from && b[at] != '[') {
        at--;
      }
    }
    return b[at] == '[' && b[at + 1] > '9' ? at : via;
  }

  private static int indexOf(byte[] b, int from, int end, byte[] text) {
    for (int i = from; i + text.length <= end; i++) {
      int j = 0;
      while (j < text.length && b[i + j] == text[j]) {
        j++;
      }
      if (j == text.length) {
        return i;
      }
    }
    return -1;
  }

  private static void peers(byte[] b, int from, int end, Hit[] hits) {
    int colon = indexOf(b, from, end, COLON);
    int arrow = colon < 0 ? -1 : indexOf(b, colon, end, ARROW);
    if (arrow < 0 || hits.length == 0) {
      return;
    }
    boolean receive = indexOf(b, arrow, end, RECEIVE) >= 0;
    int peer = number(b, receive ? colon + 3 : arrow + 5, end);
    if (peer >= 0 && peer < 1 << 20) {
      for (Hit hit : hits) {
        if (hit.peers == null) {
          hit.peers = new java.util.BitSet();
        }
        hit.peers.set(peer);
      }
    }
  }

  private static int number(byte[] b, int from, int end) {
    int value = -1;
    for (int i = from; i < end && b[i] >= '0' && b[i] <= '9' && value < 1 << 24; i++) {
      value = Math.max(value, 0) * 10 + b[i] - '0';
    }
    return value;
  }

  /** Meets the patterns; a glued line is cut at each further anchor. @return null when the line must not be remembered as a whole */
  private Hit[] fresh(byte[] b, int from, int to, int number) {
    String excerpt = new String(b, from, to - from, StandardCharsets.UTF_8);
    Evidence at = Evidence.of(source.file(), number, excerpt.strip());
    List<Hit> all = new ArrayList<>();
    boolean glued = false;
    int start = from;
    while (start < to && anchor.find(b, start, to)) {
      int body = anchor.body;
      String level = anchor.levelName();
      ProcessLog process = anchor.named() ? processes.get(b, anchor.host, anchor.hostEnd, anchor.pidEnd, start == from) : processes.nobody(source.node().apply(number));
      if (anchor.named() && process.tagAt == null) {
        tag(process, new String(b, start, anchor.host - start, StandardCharsets.UTF_8), at);
      }
      int next = to;
      if (anchor.find(b, body, to)) {
        glued = true;
        next = anchor.named() ? Math.max(body, processes.knownStart(b, anchor.host, anchor.hostEnd)) : anchor.host;
      }
      String text = new String(b, body, next - body, StandardCharsets.UTF_8).strip();
      Evidence stamped = level.equals("WARN") ? at.from(process.node, Fact.UNKNOWN, LinePrefix.strip(excerpt).time()) : at.from(process.node, Fact.UNKNOWN, Fact.UNKNOWN);
      all.addAll(match(process, text, level, stamped));
      start = next;
    }
    anchor.find(b, from, to);
    sink.understoodLine(number);
    return glued ? null : all.toArray(NOTHING);
  }

  private void tag(ProcessLog process, String before, Evidence at) {
    process.tagAt = at;
    LinePrefix prefix = LinePrefix.strip(before + process.name + ":1 ");
    process.tagRank = prefix.rank();
    process.tag = prefix.tag();
  }

  private List<Hit> match(ProcessLog process, String body, String level, Evidence at) {
    found.clear();
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String id = "uncatalogued";
    for (Message message : catalogue.candidates(inner.scan(bytes, 0, bytes.length), 0)) {
      Matcher matcher = message.match(body);
      if (matcher == null) {
        continue;
      }
      add(process, message, message.fields(matcher), level, at);
      if (message.id().equals("ib-using")) {
        parts(process, "ib-using-dev", matcher.group("devs"), level, at);
      } else if (message.id().equals("topo-paths")) {
        processes.paths(process, matcher.group("kind") + "/" + matcher.group("node"), matcher.group("paths"), at);
      }
      id = message.id();
      break;
    }
    if (level.equals("WARN") && process.failedAt == null) {
      process.failedAt = at;
      process.failedId = id;
      process.failedText = body;
    }
    return List.copyOf(found);
  }

  private void parts(ProcessLog process, String id, String text, String level, Evidence at) {
    Message message = catalogue.byId(id);
    Matcher matcher = message.pattern().matcher(text);
    while (matcher.find()) {
      add(process, message, message.fields(matcher), level, at);
    }
  }

  private Hit add(ProcessLog process, Message message, Map<String, String> fields, String level, Evidence at) {
    Hit hit = process.see(message.index(), new NcclMessage(process.node, Fact.UNKNOWN, process.name, message.id(), level, fields), at);
    if (hit != null) {
      found.add(hit);
    }
    return hit;
  }

  /** Lines that NCCL did not write, or wrote through something that changed them. */
  private void slow(String raw, int number, boolean unwrapped) {
    String text = raw.indexOf('\u001B') < 0 ? raw : ANSI.matcher(raw).replaceAll("");
    String inside = unwrapped ? null : Wrapped.unwrap(text);
    if (inside != null) {
      boolean whole = inside.endsWith("\n");
      join(inside, whole, number);
      return;
    }
    boolean part = text.length() < LONGEST_PART && partialFlag(text);
    if (part || partial != null && !unwrapped) {
      LinePrefix prefix = LinePrefix.strip(text);
      join(partial == null ? text.replaceFirst(" P ", " F ") : prefix.text(), !part, number);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (anchor.find(bytes, 0, bytes.length)) {
      lastError = false;
      fresh(bytes, 0, bytes.length, number);
    } else {
      foreign(text, bytes, number);
    }
  }

  private static boolean partialFlag(String text) {
    byte[] head = text.substring(0, Math.min(80, text.length())).getBytes(StandardCharsets.UTF_8);
    return partial(head, 0, head.length);
  }

  private void join(String text, boolean whole, int number) {
    if (partial == null) {
      partial = new StringBuilder();
    }
    partial.append(text);
    if (!whole && partial.length() < LONGEST_PART) {
      return;
    }
    String joined = partial.toString();
    partial = null;
    for (String line : joined.split("\n")) {
      slow(line, number, true);
    }
  }

  private void foreign(String text, byte[] bytes, int number) {
    LinePrefix prefix = LinePrefix.strip(text);
    String body = prefix.text().strip();
    // PyTorch repeats the process's last warning on the line behind "Last error:".
    boolean repeated = lastError;
    lastError = false;
    ProcessLog process = processes.tagged(source.node().apply(number), prefix.rank());
    Evidence at = Evidence.of(source.file(), number, text.strip()).from(process.node, Fact.UNKNOWN, prefix.time());
    for (Message message : catalogue.candidates(inner.scan(bytes, 0, bytes.length), 0)) {
      if (message.part() || !message.text() && !repeated) {
        continue;
      }
      Matcher matcher = message.match(body);
      if (matcher == null) {
        continue;
      }
      Map<String, String> fields = new TreeMap<>(message.fields(matcher));
      if (!prefix.rank().equals(Fact.UNKNOWN)) {
        fields.putIfAbsent("rank", prefix.rank());
      }
      found.clear();
      add(process, message, fields, message.id().equals("version") ? "VERSION" : "TEXT", at);
      sink.understoodLine(number);
      lastError |= message.id().equals("pt-last-error");
      if (repeated) {
        break;
      }
    }
  }

  @Override
  public void end() {
    if (partial != null) {
      String rest = partial.toString();
      partial = null;
      slow(rest, 0, true);
    }
    new NcclFacts(processes, sink).emit();
  }
}
