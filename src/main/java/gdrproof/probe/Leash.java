package gdrproof.probe;

import java.time.Duration;

/**
 * Shell text that runs a command so that nothing of it outlives whoever asked for it: the command gets its own session, and a watcher beside it ends the whole group
 * as soon as standard input reaches its end (the asking process died, the connection broke, or it was told to stop) or the time is over. POSIX sh, one line, for any
 * login shell.
 */
final class Leash {
  /** Environment variable that marks everything that was started, also what moved to a session of its own. */
  static final String MARK = "GDRPROOF_LEASH";
  /** Seconds between the polite signal and the other one. */
  static final int GRACE_SECONDS = 2;

  private Leash() {}

  /**
   * The command on its leash; exit status and output are the command's.
   *
   * @param mark value of the marking variable: letters and digits
   * @param limit after which the watcher ends the command even when nobody asks, a safety net behind the asker's own limit
   */
  static String wrap(String command, String mark, Duration limit) {
    long seconds = Math.max(1, limit.toSeconds());
    String watch = "if command -v timeout >/dev/null 2>&1; then timeout " + seconds + " cat; else cat; fi >/dev/null 2>&1; " + end("$1") + "sleep " + GRACE_SECONDS + "; " + kill("$1");
    return MARK + "=" + mark + "; export " + MARK + "; exec 3<&0; "
        // Without setsid the command stays in this group, and only the sweep by mark finds its children.
        + "if command -v setsid >/dev/null 2>&1; then s=setsid; else s=; fi; "
        + "$s /bin/sh -c " + quote(command) + " </dev/null 3<&- & c=$!; exec 2>/dev/null; "
        + "$s /bin/sh -c " + quote(watch) + " watch $c <&3 3<&- >/dev/null 2>&1 & w=$!; exec 3<&-; "
        + "wait $c; e=$?; kill -s KILL -- -$w 2>/dev/null || kill -s KILL $w 2>/dev/null; "
        + "if kill -s TERM -- -$c 2>/dev/null; then sleep 1; kill -s KILL -- -$c 2>/dev/null; fi; exit $e";
  }

  /** Ends everything that carries the mark, wherever it has moved; needs /proc. */
  static String sweep(String mark) {
    return "for f in /proc/[0-9]*/environ; do p=${f#/proc/}; p=${p%/environ}; [ \"$p\" = $$ ] || { tr '\\0' '\\n' <\"$f\" 2>/dev/null | grep -qx '" + MARK + "=" + mark
        + "' && kill -s KILL \"$p\" 2>/dev/null; }; done; :";
  }

  private static String end(String group) {
    return "kill -s TERM -- -" + group + " 2>/dev/null || kill -s TERM " + group + " 2>/dev/null; ";
  }

  private static String kill(String group) {
    return "kill -s KILL -- -" + group + " 2>/dev/null || kill -s KILL " + group + " 2>/dev/null";
  }

  static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
