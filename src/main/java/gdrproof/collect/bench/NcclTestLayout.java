package gdrproof.collect.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Columns of an nccl-tests table, by the names in its header line; without a header, by the number of tokens (layouts A0 to
 * I-S of nccl-tests 2.0 to 2.19).
 *
 * @param names column names of one row, in order: size, count, type, (redop), (root), then one or two groups
 */
record NcclTestLayout(List<String> names) {
  /** Element types nccl-tests prints. */
  static final Set<String> TYPES = Set.of("int8", "char", "uint8", "int32", "int", "uint32", "int64", "uint64", "half", "float", "double", "bfloat16", "f8e4m3",
      "f8e5m2", "fp8_e4m3", "fp8_e5m2");
  private static final Pattern WORD = Pattern.compile("[a-z_]+");
  private static final Pattern WHOLE = Pattern.compile("-?\\d+");
  private static final Pattern DEVIATION = Pattern.compile("\\d+(?:\\.\\d+)?e-\\d+|0e\\+00");
  private static final List<String> GROUP = List.of("time", "algbw", "busbw", "wrong");
  private static final List<String> LONG = List.of("time", "algbw", "busbw", "wrong", "i_min", "i_max", "i_p99", "i_cv%");

  /** A placement's figures in a row. */
  record Group(String time, String algbw, String busbw, String wrong, String min, String max, String p99, String cv) {}

  /** A row split into its parts; groups holds out-of-place and in-place, null where a placement was not run. */
  record Row(String size, String count, String type, String redop, Group outOfPlace, Group inPlace, boolean deviation) {}

  static NcclTestLayout ofHeader(String line) {
    List<String> names = new ArrayList<>();
    for (String name : line.strip().replaceFirst("^#\\s*", "").split("\\s+")) {
      names.add(name.equals("cputime") ? "time" : name.equals("#wrong") ? "wrong" : name);
    }
    return new NcclTestLayout(names);
  }

  private boolean deviation() {
    return names.contains("error");
  }

  /** Whether these tokens begin a row: size, count and type. */
  static boolean begins(List<String> tokens) {
    return tokens.size() >= 3 && WHOLE.matcher(tokens.get(0)).matches() && WHOLE.matcher(tokens.get(1)).matches() && TYPES.contains(tokens.get(2));
  }

  /** The row of these tokens; null if they are too few or too many for the layout. */
  Row row(List<String> tokens) {
    int at = 3;
    String redop = "";
    if (at < tokens.size() && WORD.matcher(tokens.get(at)).matches()) {
      redop = tokens.get(at++);
    }
    // Without a header: groups have an even number of figures, so an odd rest begins with the root.
    boolean hasRoot = names.isEmpty() ? (tokens.size() - at) % 2 == 1 : names.contains("root");
    if (hasRoot) {
      if (at >= tokens.size() || !WHOLE.matcher(tokens.get(at)).matches()) {
        return null;
      }
      at++;
    }
    // A last column may count the iterations; it belongs to no placement.
    int rest = tokens.size() - at - (!names.isEmpty() && names.get(names.size() - 1).equals("#iters") ? 1 : 0);
    int wide = names.isEmpty() ? (rest == 16 || rest == 18 ? 8 : 4) : names.contains("i_min") ? 8 : 4;
    boolean stamped = rest == 2 * wide + 2 && tokens.get(tokens.size() - 2).matches("\\d{4}-\\d{2}-\\d{2}");
    if (stamped) {
      rest -= 2;
    }
    if (rest == 2 * wide) {
      Group first = group(tokens, at, wide);
      Group second = group(tokens, at + wide, wide);
      return first == null || second == null ? null : new Row(tokens.get(0), tokens.get(1), tokens.get(2), redop, first, second, deviation(first, second));
    }
    if (rest == wide) {
      Group only = group(tokens, at, wide);
      return only == null ? null : new Row(tokens.get(0), tokens.get(1), tokens.get(2), redop, null, only, deviation(only, only));
    }
    return null;
  }

  /** Whether a token may be one of a row's figures. */
  static boolean figure(String token) {
    return token.equals("N/A") || token.equals("-nan") || token.equals("nan") || token.equals("inf") || token.matches("-?[\\d.]+(?:e[-+]?\\d+)?")
        || token.matches("\\d{4}-\\d{2}-\\d{2}|\\d{2}:\\d{2}:\\d{2}");
  }

  private boolean deviation(Group first, Group second) {
    return names.isEmpty() ? DEVIATION.matcher(first.wrong()).matches() || DEVIATION.matcher(second.wrong()).matches() : deviation();
  }

  private static Group group(List<String> tokens, int at, int wide) {
    for (int i = at; i < at + wide; i++) {
      if (!figure(tokens.get(i))) {
        return null;
      }
    }
    List<String> t = tokens.subList(at, at + wide);
    return wide == LONG.size() ? new Group(t.get(0), t.get(1), t.get(2), t.get(3), t.get(4), t.get(5), t.get(6), t.get(7))
        : new Group(t.get(0), t.get(1), t.get(2), t.get(GROUP.size() - 1), "", "", "", "");
  }
}
