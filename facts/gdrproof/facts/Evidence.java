package gdrproof.facts;

/**
 * Where a statement comes from.
 *
 * @param file path inside the bundle, with `/`
 * @param line first line, 1-based; 0 if the file has no lines (archives, JSON without positions)
 * @param endLine last line; equal to line for one line
 * @param column 1-based column of a YAML key or value, 0 where it has no meaning
 * @param path YAML or JSON path (`spec.containers[0].env[2]`), or ""
 * @param excerpt the text as in the file, at most 300 characters, redacted
 * @param host node the evidence was taken on, or unknown
 * @param command command that printed it, or unknown
 * @param time time stamp as printed, or unknown
 */
public record Evidence(String file, int line, int endLine, int column, String path, String excerpt, String host, String command, String time)
    implements Comparable<Evidence> {
  private static final int LONGEST_EXCERPT = 300;

  public Evidence {
    excerpt = excerpt.length() > LONGEST_EXCERPT ? excerpt.substring(0, LONGEST_EXCERPT) + "…" : excerpt;
  }

  public static Evidence of(String file, int line, String excerpt) {
    return new Evidence(file, line, line, 0, "", excerpt, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN);
  }

  public static Evidence of(String file, int line, int endLine, String excerpt) {
    return new Evidence(file, line, endLine, 0, "", excerpt, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN);
  }

  public Evidence at(int newColumn, String newPath) {
    return new Evidence(file, line, endLine, newColumn, newPath, excerpt, host, command, time);
  }

  /** The same place in a file that lies in another folder. */
  public Evidence within(String folder) {
    return new Evidence(folder + "/" + file, line, endLine, column, path, excerpt, host, command, time);
  }

  public Evidence from(String newHost, String newCommand, String newTime) {
    return new Evidence(file, line, endLine, column, path, excerpt, newHost, newCommand, newTime);
  }

  @Override
  public int compareTo(Evidence other) {
    // By hand, since facts are sorted by it: a chain of comparators takes four times as long.
    int order = file.compareTo(other.file);
    order = order != 0 ? order : Integer.compare(line, other.line);
    order = order != 0 ? order : Integer.compare(endLine, other.endLine);
    order = order != 0 ? order : Integer.compare(column, other.column);
    order = order != 0 ? order : path.compareTo(other.path);
    order = order != 0 ? order : excerpt.compareTo(other.excerpt);
    order = order != 0 ? order : host.compareTo(other.host);
    order = order != 0 ? order : command.compareTo(other.command);
    return order != 0 ? order : time.compareTo(other.time);
  }
}
