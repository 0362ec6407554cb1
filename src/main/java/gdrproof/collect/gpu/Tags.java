package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads XML that tools print, tag by tag, without demanding that it is whole: cut ends give what came before them. */
final class Tags {
  private static final Pattern TAG = Pattern.compile("<(?<close>/)?(?<name>[A-Za-z_][\\w.-]*)(?<attributes>[^<>]*?)(?<empty>/)?>(?<text>[^<]*)");
  private static final Pattern ATTRIBUTE = Pattern.compile("(?<key>[A-Za-z_][\\w.-]*)=\"(?<value>[^\"]*)\"");

  /** What a reader hears, with the index of the line. Paths are tag names joined by `/`. */
  interface Listener {
    void open(String path, Map<String, String> attributes, int index);

    default void value(String path, String text, int index) {}

    default void close(String path, int index) {}
  }

  private Tags() {}

  static void read(Section section, int from, Listener listener) {
    Deque<String> open = new ArrayDeque<>();
    for (int i = from; i < section.lines().size(); i++) {
      Matcher tag = TAG.matcher(section.lines().get(i));
      while (tag.find()) {
        String name = tag.group("name");
        if (tag.group("close") != null) {
          while (!open.isEmpty()) {
            String path = path(open);
            boolean own = open.removeLast().equals(name);
            listener.close(path, i);
            if (own) {
              break;
            }
          }
          continue;
        }
        open.addLast(name);
        String path = path(open);
        Map<String, String> attributes = new HashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(tag.group("attributes"));
        while (attribute.find()) {
          attributes.put(attribute.group("key"), attribute.group("value"));
        }
        listener.open(path, attributes, i);
        if (!tag.group("text").isBlank()) {
          listener.value(path, tag.group("text").strip(), i);
        }
        if (tag.group("empty") != null) {
          open.removeLast();
          listener.close(path, i);
        }
      }
    }
  }

  private static String path(Deque<String> open) {
    return String.join("/", open);
  }
}
