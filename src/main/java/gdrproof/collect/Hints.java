package gdrproof.collect;

import gdrproof.bundle.Section;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Tells from one pass over a section which collectors could take anything from it, by their {@link Collector#hints()}. */
final class Hints {
  private final List<Collector> collectors;
  private final int fewestLines;
  private volatile Found found;

  /** @param fewestLines of a section that is searched; for shorter ones a search costs more than it saves */
  Hints(List<Collector> collectors, int fewestLines) {
    this.collectors = List.copyOf(collectors);
    this.fewestLines = fewestLines;
  }

  /** The collectors to offer a section to, in their order. */
  List<Collector> of(Section section) {
    if (section.lines().size() < fewestLines) {
      return collectors;
    }
    Found searched = found;
    if (searched == null) {
      // Two threads may both make it, with the same result; most runs read short sections only and need none.
      searched = new Found(collectors);
      found = searched;
    }
    return searched.of(section);
  }

  private static final class Found {
    private final List<Collector> collectors;
    private final List<Integer> firsts = new ArrayList<>();
    private final Automaton automaton;

    Found(List<Collector> collectors) {
      this.collectors = collectors;
      List<String> texts = new ArrayList<>();
      for (Collector collector : collectors) {
        firsts.add(texts.size());
        texts.addAll(collector.hints());
      }
      firsts.add(texts.size());
      automaton = new Automaton(texts);
    }

    List<Collector> of(Section section) {
      byte[] text = (section.file() + "\n" + section.command() + "\n" + String.join("\n", section.lines())).getBytes(StandardCharsets.UTF_8);
      long[] hits = automaton.scan(text, 0, text.length);
      List<Collector> offered = new ArrayList<>();
      for (int i = 0; i < collectors.size(); i++) {
        if (firsts.get(i).equals(firsts.get(i + 1)) || any(hits, firsts.get(i), firsts.get(i + 1))) {
          offered.add(collectors.get(i));
        }
      }
      return offered;
    }

    private static boolean any(long[] hits, int from, int to) {
      for (int bit = from; bit < to; bit++) {
        if ((hits[bit >> 6] & 1L << bit) != 0) {
          return true;
        }
      }
      return false;
    }
  }
}
