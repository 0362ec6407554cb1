package gdrproof.rules;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.facts.Fact;
import gdrproof.policy.Policies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bundle made of another one by edits, in memory. An edit is a map: `file` (glob) and what to do with the files that match it: `find` with `replace`
 * (regular expression over the text, `once` for the first match), `delete` (lines that match), `append`, `content` (whole file), `remove`, `cut` (from the first line that matches to the end), `slow`
 * (factor on the bandwidth of benchmark rows, or `slower` on the microseconds of latency rows); `within` limits it to blocks that begin at a matching
 * line and end before the next prompt (or `to`). `copy` makes a new file of each (its name by `find` and `replace` on the path, `as`) before the rest is done to it.
 */
public final class Overlay {
  private static final Pattern NCCL_ROW = Pattern.compile("^\\s*\\d+\\s+\\d+\\s+\\w+\\s+\\w+\\s+-?\\d+\\s+.*");
  private static final Pattern BANDWIDTH_ROW = Pattern.compile("^ \\d+ +\\d+ +\\d+\\.\\d+ +\\d+\\.\\d+\\s+\\d+\\.\\d+\\s*$");
  private static final Pattern LATENCY_ROW = Pattern.compile("^ \\d+ +\\d+ +(?:\\d+\\.\\d+\\s*){7}$");

  private Overlay() {}

  /** Texts of a folder's files by their path. */
  public static Map<String, String> texts(Path bundle) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Entry entry : Bundle.open(bundle)) {
      texts.put(entry.name(), new String(entry.open().readAllBytes(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  /** Entries with the nodes that the base's folders name. */
  public static List<Entry> entries(Map<String, String> texts, Path base) throws IOException {
    Map<String, String> nodes = new LinkedHashMap<>();
    for (Entry entry : Bundle.open(base)) {
      nodes.put(entry.name().contains("/") ? entry.name().substring(0, entry.name().lastIndexOf('/')) : entry.name(), entry.node());
    }
    List<Entry> entries = new ArrayList<>();
    texts.forEach((name, text) -> {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      String folder = name.contains("/") ? name.substring(0, name.lastIndexOf('/')) : name;
      entries.add(new Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes), nodes.getOrDefault(folder, Fact.UNKNOWN)));
    });
    return entries;
  }

  public static List<Map<String, Object>> edits(Object list) {
    return list == null ? List.of() : ((List<?>) list).stream().map(Policies::map).toList();
  }

  /** An edit that changes nothing is a mistake of the overlay. */
  public static Map<String, String> apply(Map<String, String> base, List<Map<String, Object>> edits) {
    Map<String, String> texts = new TreeMap<>(base);
    for (Map<String, Object> edit : edits) {
      String glob = (String) edit.get("file");
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      List<String> files = texts.keySet().stream().filter(f -> matcher.matches(Path.of(f))).toList();
      if (files.isEmpty() && glob.indexOf('*') < 0) {
        files = List.of(glob);
      }
      boolean changed = false;
      for (String file : files) {
        String before = texts.getOrDefault(file, "");
        if (edit.containsKey("copy")) {
          String name = file.replaceFirst((String) edit.get("copy"), (String) edit.get("as"));
          changed |= !name.equals(file) && texts.put(name, edit(before, edit)) == null;
        } else if (Boolean.TRUE.equals(edit.get("remove"))) {
          changed |= texts.remove(file) != null;
        } else {
          String after = edit(before, edit);
          changed |= !after.equals(before);
          texts.put(file, after);
        }
      }
      if (!changed) {
        throw new IllegalArgumentException("edit changes nothing: " + edit);
      }
    }
    return texts;
  }

  private static String edit(String text, Map<String, Object> edit) {
    if (!edit.containsKey("within")) {
      return lines(text, edit);
    }
    Pattern from = Pattern.compile((String) edit.get("within"));
    Pattern to = Pattern.compile((String) edit.getOrDefault("to", "^\\S+[@:]\\S*[#$] "));
    StringBuilder out = new StringBuilder();
    StringBuilder block = null;
    for (String line : text.split("(?<=\n)")) {
      String bare = line.replaceAll("\\R$", "");
      if (block != null && to.matcher(bare).find()) {
        out.append(lines(block.toString(), edit));
        block = null;
      }
      if (block == null && from.matcher(bare).find()) {
        block = new StringBuilder();
      }
      (block == null ? out : block).append(line);
    }
    return block == null ? out.toString() : out.append(lines(block.toString(), edit)).toString();
  }

  private static String lines(String given, Map<String, Object> edit) {
    String text = edit.containsKey("content") ? (String) edit.get("content") : given;
    if (edit.containsKey("cut")) {
      Matcher cut = Pattern.compile((String) edit.get("cut"), Pattern.MULTILINE).matcher(text);
      text = cut.find() ? text.substring(0, cut.start()) : text;
    }
    if (edit.containsKey("delete")) {
      Pattern gone = Pattern.compile((String) edit.get("delete"));
      StringBuilder kept = new StringBuilder();
      for (String line : text.split("(?<=\n)")) {
        kept.append(gone.matcher(line.replaceAll("\\R$", "")).find() ? "" : line);
      }
      text = kept.toString();
    }
    if (edit.containsKey("find")) {
      Matcher find = Pattern.compile((String) edit.get("find"), Pattern.MULTILINE).matcher(text);
      String with = (String) edit.get("replace");
      text = Boolean.TRUE.equals(edit.get("once")) ? find.replaceFirst(with) : find.replaceAll(with);
    }
    if (edit.containsKey("slow")) {
      text = slow(text, ((Number) edit.get("slow")).doubleValue());
    }
    if (edit.containsKey("slower")) {
      text = slower(text, ((Number) edit.get("slower")).doubleValue());
    }
    return edit.containsKey("append") ? text + edit.get("append") : text;
  }

  private static String slow(String text, double factor) {
    StringBuilder out = new StringBuilder();
    for (String line : text.split("(?<=\n)")) {
      String[] cells = line.strip().split("\\s+");
      if (NCCL_ROW.matcher(line.stripTrailing()).matches() && cells.length == 13) {
        for (int i : new int[] {5, 9}) {
          cells[i] = number(Double.parseDouble(cells[i]) / factor);
          cells[i + 1] = number(Double.parseDouble(cells[i + 1]) * factor);
          cells[i + 2] = number(Double.parseDouble(cells[i + 2]) * factor);
        }
        out.append("  ").append(String.join("  ", cells)).append('\n');
      } else if (BANDWIDTH_ROW.matcher(line.stripTrailing()).matches()) {
        out.append(String.format(Locale.ROOT, " %-10s %s             %.2f             %.2f \t\t   %.6f%n", cells[0], cells[1], Double.parseDouble(cells[2]) * factor, Double.parseDouble(cells[3]) * factor,
            Double.parseDouble(cells[4]) * factor));
      } else {
        out.append(line);
      }
    }
    return out.toString();
  }

  private static String slower(String text, double factor) {
    StringBuilder out = new StringBuilder();
    for (String line : text.split("(?<=\n)")) {
      String[] cells = line.strip().split("\\s+");
      if (LATENCY_ROW.matcher(line.stripTrailing()).matches()) {
        out.append(' ').append(cells[0]).append("       ").append(cells[1]);
        for (int i = 2; i < cells.length; i++) {
          out.append("          ").append(number(Double.parseDouble(cells[i]) * factor));
        }
        out.append('\n');
      } else {
        out.append(line);
      }
    }
    return out.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Writes texts into a folder, for a look with the program itself. */
  static void write(Map<String, String> texts, Path folder) throws IOException {
    for (Map.Entry<String, String> text : texts.entrySet()) {
      Path file = folder.resolve(text.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, text.getValue());
    }
  }
}
