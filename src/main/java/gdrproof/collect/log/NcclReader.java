package gdrproof.collect.log;

import gdrproof.bundle.Redaction;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads one file. A line whose body its process has printed before costs a hash; only new bodies meet the patterns. Connection lines are
 * remembered by their end (`[send] via NET/IB/0/GDRDMA`), since what comes before names channel and ranks and is only summed up.
 */
final class NcclReader implements LineReader {
  private static final Pattern ANSI = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]");
  private static final int LONGEST_PART = 1 << 20;
  /** NCCL cuts its lines at 1024 bytes, frameworks print longer ones; patterns may need the square of the length. */
  private static final int LONGEST_BODY = 4096;
  private static final String VERBS = "NET/IB";
  private static final String GIB = "NET/gIB";

  private final LogCatalogue catalogue;
  private final Source source;
  private final Sink sink;
  private final Automaton inner;
  private final Anchor anchor = new Anchor();
  private final Body body = new Body();
  private final int firstWord;
  private final Processes processes;
  private final Repeats repeats;
  private final List<Hit> found = new ArrayList<>();
  /** What a line comes to that no pattern takes. */
  private final Hit nothing;
  private StringBuilder partial;
  private boolean lastError;
  /** A line that no pattern takes: a paste may have wrapped it, so that its end stands on the next one. */
  private @Nullable Cut cut;

  private record Cut(ProcessLog process, String body, String level, Evidence at) {}

  NcclReader(LogCatalogue catalogue, Automaton inner, int firstWord, Source source, Sink sink) {
    this.firstWord = firstWord;
    this.catalogue = catalogue;
    this.inner = inner;
    this.source = source;
    this.sink = sink;
    this.processes = new Processes(catalogue.size());
    this.repeats = new Repeats(this::fresh, sink::understoodLine);
    ProcessLog nobody = new ProcessLog(-1, new byte[0], Fact.UNKNOWN, Fact.UNKNOWN, 0);
    nothing = new Hit(nobody, new NcclMessage(Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, "", "", Map.of()), Evidence.of(source.file(), 0, ""));
  }

  @Override
  public boolean wantsNext() {
    return partial != null || lastError || cut != null;
  }

  @Override
  public void line(Line line) {
    byte[] buffer = line.buffer();
    Cut before = cut;
    cut = null;
    boolean plain = !lastError && partial == null && !catalogue.disguised(line.hits(), firstWord);
    if (plain && anchor.find(buffer, line.from(), line.to()) && anchor.named()) {
      own(buffer, line.from(), line.to(), line.number());
    } else {
      cut = before;
      slow(new String(buffer, line.from(), line.to() - line.from(), StandardCharsets.UTF_8), line.number(), false);
    }
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
    long name = Processes.name(b, anchor.host, anchor.pidEnd);
    ProcessLog process = processes.find(name);
    int end = to;
    while (end > anchor.body && b[end - 1] <= ' ') {
      end--;
    }
    long hash = body.hash(b, anchor.body, end, name + anchor.level);
    if (process != null && hash != 0 && !(anchor.warn() && process.failedAt == null)) {
      repeats.add(b, from, to, number, hash, body);
      return;
    }
    repeats.flush();
    Hit hit = fresh(b, from, to, number);
    if (hit != null) {
      Body.add(hit, body.kind, body.value);
    }
  }

  @Override
  public void flush() {
    repeats.flush();
  }

  /** Meets the patterns; a glued line is cut at each further anchor. @return null when the line must not be remembered as a whole */
  private @Nullable Hit fresh(byte[] b, int from, int to, int number) {
    String raw = new String(b, from, to - from, StandardCharsets.UTF_8);
    String excerpt = Redaction.line(raw);
    if (!excerpt.equals(raw)) {
      byte[] redacted = excerpt.getBytes(StandardCharsets.UTF_8);
      return fresh(redacted, 0, redacted.length, number, excerpt);
    }
    return fresh(b, from, to, number, excerpt);
  }

  private @Nullable Hit fresh(byte[] b, int from, int to, int number, String excerpt) {
    Evidence at = Evidence.of(source.file(), number, excerpt.strip());
    List<Hit> all = new ArrayList<>();
    boolean glued = false;
    int start = from;
    while (start < to && anchor.find(b, start, to)) {
      int begin = anchor.body;
      String level = anchor.levelName();
      ProcessLog process = anchor.named() ? processes.get(b, anchor.host, anchor.hostEnd, anchor.pidEnd, start == from) : processes.nobody(source.node().apply(number));
      if (anchor.named() && process.tagAt == null) {
        tag(process, new String(b, start, anchor.host - start, StandardCharsets.UTF_8), at);
      }
      int next = to;
      if (anchor.find(b, begin, to)) {
        glued = true;
        next = anchor.named() ? Math.max(begin, processes.knownStart(b, anchor.host, anchor.hostEnd)) : anchor.host;
      }
      String text = new String(b, begin, next - begin, StandardCharsets.UTF_8).strip();
      Evidence stamped = level.equals("WARN") ? at.from(process.node, Fact.UNKNOWN, LinePrefix.strip(excerpt).time()) : at.from(process.node, Fact.UNKNOWN, Fact.UNKNOWN);
      all.addAll(match(process, text, level, stamped));
      start = next;
    }
    anchor.find(b, from, to);
    return glued || all.size() > 1 ? null : all.isEmpty() ? nothing : all.get(0);
  }

  private void tag(ProcessLog process, String before, Evidence at) {
    process.tagAt = at;
    LinePrefix prefix = LinePrefix.strip(before + process.name + ":1 ");
    process.tagRank = prefix.rank();
    process.tag = prefix.tag();
  }

  private List<Hit> match(ProcessLog process, String text, String level, Evidence at) {
    String told = text.length() > LONGEST_BODY ? text.substring(0, LONGEST_BODY) : text;
    // Google's gIB is NCCL's own verbs transport as a plugin and says the same under its name.
    String body = told.startsWith(GIB) ? VERBS + told.substring(GIB.length()) : told;
    found.clear();
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String id = "uncatalogued";
    for (Message message : catalogue.candidates(inner.scan(bytes, 0, bytes.length))) {
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
    if (found.isEmpty() && body.startsWith("NET/IB : Using")) {
      // Many devices make the line longer than NCCL's limit: its end is cut, the devices before it stand.
      parts(process, "ib-using-dev", body, level, at);
    }
    if (level.equals("WARN") && process.failedAt == null) {
      process.failedAt = at;
      process.failedId = id;
      process.failedText = told;
    }
    cut = found.isEmpty() ? new Cut(process, body, level, at) : null;
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
    sink.understoodLine(at.line());
    Hit hit = process.see(message.index(), new NcclMessage(process.node, Fact.UNKNOWN, process.name, message.id(), level, fields), at);
    if (hit != null) {
      found.add(hit);
    }
    return hit;
  }

  /** Lines that NCCL did not write, or wrote through something that changed them. */
  private void slow(String raw, int number, boolean unwrapped) {
    repeats.flush();
    String text = Redaction.line(raw.indexOf('\u001B') < 0 ? raw : ANSI.matcher(raw).replaceAll(""));
    Cut before = cut;
    cut = null;
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
    } else if (before == null || !joined(before, text)) {
      foreign(text, bytes, number);
    }
  }

  /** Reads the two halves of a wrapped line as one, cut between words or inside one. */
  private boolean joined(Cut before, String text) {
    String rest = LinePrefix.strip(text).text().strip();
    if (rest.isEmpty() || before.body().length() + rest.length() > LONGEST_BODY) {
      return false;
    }
    for (String between : List.of(" ", "")) {
      String body = before.body() + between + rest;
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      for (Message message : catalogue.candidates(inner.scan(bytes, 0, bytes.length))) {
        Matcher matcher = message.match(body);
        if (matcher != null) {
          add(before.process(), message, message.fields(matcher), before.level(), before.at());
          if (before.at().equals(before.process().failedAt)) {
            before.process().failedId = message.id();
            before.process().failedText = body;
          }
          return true;
        }
      }
    }
    return false;
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
    String stripped = prefix.text().strip();
    String body = stripped.length() > LONGEST_BODY ? stripped.substring(0, LONGEST_BODY) : stripped;
    // PyTorch repeats the process's last warning on the line behind "Last error:".
    boolean repeated = lastError;
    lastError = false;
    ProcessLog process = processes.tagged(source.node().apply(number), prefix.rank());
    Evidence at = Evidence.of(source.file(), number, text.strip()).from(process.node, Fact.UNKNOWN, prefix.time());
    for (Message message : catalogue.candidates(inner.scan(bytes, 0, bytes.length))) {
      if (!message.text() && !repeated) {
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
