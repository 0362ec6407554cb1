package gdrproof.collect.log;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * NCCL's own prefix `host:pid:tid [dev] ... NCCL LEVEL body` inside a line, found from its middle, so that whatever stands before it (tags, time
 * stamps, the torn end of another line) does no harm. Mutable and reused: one per reader.
 */
final class Anchor {
  private static final List<String> NAMES = List.of("INFO", "WARN", "TRACE", "CALL", "VERSION", "ABORT");
  private static final byte[][] LEVELS = NAMES.stream().map(n -> n.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);

  /** First byte of the host, or of the level mark if the line names no process. */
  int host;
  /** Behind the host; -1 without a process. */
  int hostEnd;
  /** Behind the process id. */
  int pidEnd;
  int level;
  int body;

  String levelName() {
    return NAMES.get(level);
  }

  boolean warn() {
    return level == 1;
  }

  boolean named() {
    return hostEnd >= 0;
  }

  /** Finds the first level mark in a range and the process before it. @return whether there is one */
  boolean find(byte[] b, int from, int to) {
    for (int i = from; i + 9 <= to; i++) {
      if (b[i] == 'N' && b[i + 1] == 'C' && b[i + 2] == 'C' && b[i + 3] == 'L' && b[i + 4] == ' ') {
        int found = level(b, i + 5, to);
        if (found >= 0) {
          level = found;
          body = Math.min(to, i + 5 + LEVELS[found].length + 1);
          process(b, from, i);
          return true;
        }
      }
    }
    return false;
  }

  private static int level(byte[] b, int at, int to) {
    for (int l = 0; l < LEVELS.length; l++) {
      byte[] name = LEVELS[l];
      int end = at + name.length;
      if (end <= to && b[at] == name[0] && b[at + 1] == name[1] && b[at + 2] == name[2] && b[end - 1] == name[name.length - 1] && (end == to || b[end] == ' ')) {
        return l;
      }
    }
    return -1;
  }

  /** The last `host:digits:digits ` before the mark: a time of day further left looks alike. */
  private void process(byte[] b, int from, int mark) {
    hostEnd = -1;
    host = mark;
    for (int i = mark - 1; i > from; i--) {
      if (b[i] != ' ' || !digit(b[i - 1])) {
        continue;
      }
      int tid = digits(b, from, i);
      int pid = tid - 1 > from && b[tid - 1] == ':' ? digits(b, from, tid - 1) : -1;
      if (pid <= from || pid >= tid - 1 || b[pid - 1] != ':') {
        continue;
      }
      int start = pid - 1;
      while (start > from && name(b[start - 1])) {
        start--;
      }
      if (start < pid - 1) {
        host = start;
        hostEnd = pid - 1;
        pidEnd = tid - 1;
        return;
      }
    }
  }

  private static int digits(byte[] b, int from, int end) {
    int i = end;
    while (i > from && digit(b[i - 1])) {
      i--;
    }
    return i;
  }

  private static boolean digit(byte c) {
    return c >= '0' && c <= '9';
  }

  private static boolean name(byte c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c) || c == '.' || c == '-' || c == '_';
  }
}
