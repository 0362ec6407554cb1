package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Repairs of manifests by editing their lines: comments, order and layout of everything else stay. What is written in a form that cannot be edited line by line (flow
 * lists, values over several lines) is left alone. The result is read again and held against what it should say ({@link RepairedContent}): a repair that breaks the file,
 * or changes what an alias or a merge key brings to another place, is dropped.
 */
public final class Repairs {
  private static final Pattern TOKEN = Pattern.compile("[^\\s#,}\\]]+");
  static final String SHM_PATH = "/dev/shm";
  static final String MEDIUM = "Memory";

  /**
   * A wish.
   *
   * @param operation quote, rename, remove or add-shm
   * @param line line and column of the finding, 1-based
   * @param to new name, for rename
   */
  public record Wish(String operation, int line, int column, String to) {}

  /**
   * @param lines lines after the repairs
   * @param done how many wishes were met
   */
  public record Repaired(List<String> lines, int done) {}

  /** Lines that replace those from `from` up to, not including, `to` (1-based). */
  private record Edit(int from, int to, List<String> lines) {}

  private final List<Document> documents;
  private final List<String> lines;
  private final List<Edit> edits = new ArrayList<>();
  private final Set<String> volumes = new HashSet<>();
  private final RepairedContent content = new RepairedContent();

  private Repairs(List<Document> documents, List<String> lines) {
    this.documents = documents;
    this.lines = lines;
  }

  /**
   * @param file its name, for reading
   * @param lines lines of one file as they are, with carriage returns where it has them
   */
  public static Repaired apply(String file, List<String> lines, List<Wish> wishes) {
    List<Document> documents = read(file, lines);
    Repairs repairs = new Repairs(documents, lines);
    int done = repairs.meet(wishes);
    if (repairs.harmless(file)) {
      return new Repaired(repairs.edited(), done);
    }
    // One of them does harm: those that do, after the ones before them, are left out.
    List<Wish> good = new ArrayList<>();
    for (Wish wish : wishes) {
      good.add(wish);
      Repairs tried = new Repairs(documents, lines);
      tried.meet(good);
      if (!tried.harmless(file)) {
        good.remove(good.size() - 1);
      }
    }
    Repairs rest = new Repairs(documents, lines);
    done = rest.meet(good);
    return new Repaired(rest.edited(), done);
  }

  private static List<Document> read(String file, List<String> lines) {
    return Yaml.read(file, lines.stream().map(line -> line.replace("\r", "")).toList(), 1);
  }

  private boolean harmless(String file) {
    return edits.isEmpty() || content.same(documents, read(file, edited()));
  }

  private int meet(List<Wish> wishes) {
    int done = 0;
    for (Wish wish : wishes) {
      done += meet(wish) ? 1 : 0;
    }
    return done;
  }

  private boolean meet(Wish wish) {
    Value value = find(wish.line(), wish.column());
    return value.exists() && switch (wish.operation()) {
      case "quote" -> replace(value, (text) -> '"' + text + '"') && content.text(value, value.text());
      case "rename" -> !wish.to().isEmpty() && rename(value, wish.to());
      case "remove" -> remove(value.parent());
      case "add-shm" -> addShm(value);
      default -> false;
    };
  }

  private Value find(int line, int column) {
    for (Document document : documents) {
      Value found = find(document.root(), line, column);
      if (found.exists()) {
        return found;
      }
    }
    return Value.MISSING;
  }

  private static Value find(Value value, int line, int column) {
    List<Value> below = new ArrayList<>(value.items());
    below.addAll(value.entries().values());
    for (Value each : below) {
      Value found = find(each, line, column);
      if (found.exists()) {
        return found;
      }
    }
    // The innermost value at the place is asked first, but a list's item and its first key share a place: the finding means the item.
    boolean item = value.isMap() && value.parent().isList();
    return value.line() == line && value.column() == column && (item || value.isScalar()) ? value : Value.MISSING;
  }

  private boolean replace(Value value, java.util.function.UnaryOperator<String> change) {
    if (!(value instanceof Value.Scalar scalar) || scalar.style() != Value.Style.PLAIN || taken(value.line(), value.line() + 1)) {
      return false;
    }
    String line = lines.get(value.line() - 1);
    Matcher token = TOKEN.matcher(line);
    if (!token.find(value.column() - 1) || token.start() != value.column() - 1 || !token.group().equals(value.text())) {
      return false;
    }
    edits.add(new Edit(value.line(), value.line() + 1, List.of(line.substring(0, token.start()) + change.apply(token.group()) + line.substring(token.end()))));
    return true;
  }

  private boolean rename(Value value, String to) {
    Value entry = value.parent();
    Value name = entry.at("name");
    boolean there = entry.parent().items().stream().anyMatch(e -> e.at("name").text().equals(to));
    return name.isScalar() && !there && replace(name, text -> to) && content.text(name, to);
  }

  /** Takes an entry out of a block list, and the list's key with its last entry. */
  private boolean remove(Value entry) {
    Value list = entry.parent();
    if (!entry.isMap() || !list.isList() || !block(list)) {
      return false;
    }
    int from = entry.line();
    int to = last(entry) + 1;
    if (entry.entries().values().stream().anyMatch(v -> v instanceof Value.Scalar s && s.style() != Value.Style.PLAIN && s.style() != Value.Style.QUOTED)) {
      return false;
    }
    boolean whole = list.items().size() == 1 && list.keyLine() == from - 1;
    if (whole) {
      from = list.keyLine();
    }
    if (taken(from, to)) {
      return false;
    }
    content.without(whole ? list : entry);
    edits.add(new Edit(from, to, List.of()));
    return true;
  }

  private boolean addShm(Value container) {
    Value containers = container.parent();
    Value pod = containers.parent();
    if (!container.isMap() || !containers.isList() || !block(containers) || !pod.isMap() || !ownLine(containers)) {
      return false;
    }
    String inContainer = " ".repeat(container.column() - 1);
    String inPod = " ".repeat(containers.keyColumn() - 1);
    String end = lines.get(container.line() - 1).endsWith("\r") ? "\r" : "";
    Value mounts = container.at("volumeMounts");
    Value listed = pod.at("volumes");
    Value image = container.at("image");
    boolean mountsFit = mounts.exists() ? block(mounts) : image instanceof Value.Scalar s && s.line() == image.keyLine() && s.style() != Value.Style.FOLDED && s.style() != Value.Style.LITERAL
        && image.keyColumn() == container.column();
    if (!mountsFit || listed.exists() && !block(listed)) {
      return false;
    }
    Set<String> used = new HashSet<>();
    listed.items().forEach(v -> used.add(v.at("name").text()));
    String name = used.contains("shm") ? "dshm" : "shm";
    if (used.contains(name)) {
      return false;
    }
    String item = "- name: " + name;
    content.mount(container, name);
    if (mounts.exists()) {
      String indent = indent(mounts.items().get(0).line());
      insert(mounts.items().get(0).line(), List.of(indent + item + end, indent + "  mountPath: " + SHM_PATH + end));
    } else {
      insert(image.line() + 1, List.of(inContainer + "volumeMounts:" + end, inContainer + item + end, inContainer + "  mountPath: " + SHM_PATH + end));
    }
    if (!volumes.add(pod.path() + "@" + pod.line())) {
      return true;
    }
    content.volume(pod, name);
    if (listed.exists()) {
      String indent = indent(listed.items().get(0).line());
      insert(listed.items().get(0).line(), List.of(indent + item + end, indent + "  emptyDir:" + end, indent + "    medium: " + MEDIUM + end));
    } else {
      int at = containers.keyLine();
      while (at > 1 && lines.get(at - 2).strip().startsWith("#")) {
        at--;
      }
      insert(at, List.of(inPod + "volumes:" + end, inPod + item + end, inPod + "  emptyDir:" + end, inPod + "    medium: " + MEDIUM + end));
    }
    return true;
  }

  private void insert(int before, List<String> added) {
    edits.add(new Edit(before, before, added));
  }

  /** Whether each item of a list begins a line of its own with a dash. */
  private boolean block(Value list) {
    return !list.items().isEmpty() && list.items().stream().allMatch(item -> {
      int line = item.line();
      return line > 0 && lines.get(line - 1).strip().startsWith("- ") && indent(line).length() + 2 <= item.column() - 1 + 1;
    });
  }

  private boolean ownLine(Value value) {
    return lines.get(value.keyLine() - 1).substring(0, value.keyColumn() - 1).isBlank();
  }

  private String indent(int line) {
    String text = lines.get(line - 1);
    return text.substring(0, text.length() - text.stripLeading().length());
  }

  private static int last(Value value) {
    int line = value.line();
    for (Value each : value.entries().values()) {
      line = Math.max(line, last(each));
    }
    for (Value each : value.items()) {
      line = Math.max(line, last(each));
    }
    return line;
  }

  private boolean taken(int from, int to) {
    return edits.stream().anyMatch(e -> e.from() < to && from < e.to());
  }

  private List<String> edited() {
    List<String> result = new ArrayList<>(lines);
    edits.stream().sorted(Comparator.comparingInt(Edit::from).thenComparingInt(Edit::to).reversed()).forEach(edit -> {
      List<String> part = result.subList(edit.from() - 1, edit.to() - 1);
      part.clear();
      part.addAll(edit.lines());
    });
    return result;
  }
}
