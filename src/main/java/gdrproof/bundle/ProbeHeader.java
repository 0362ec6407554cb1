package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * First line of a file that `gdrproof collect` or its script wrote:
 * `# gdrproof-probe v=1 probe=ibstat host=node7 boundary=host time=2026-11-29T17:00:00Z exit=0 seconds=0.1 status=done command=ibstat`.
 *
 * @param probe name in `policies/probes.yaml`, with `-before` or `-after` where it was taken around a run
 * @param host where it ran, or unknown for the cluster's own objects
 * @param boundary `host`, `container`, `debug-container` or `cluster`
 * @param time UTC, ISO 8601
 * @param exit exit status, -1 where there is none
 * @param seconds how long it took
 * @param status one of {@link Status} in lower case with `-`
 * @param command how a reader would type it
 */
public record ProbeHeader(String probe, String host, String boundary, String time, int exit, double seconds, Status status, String command) {
  /** What became of a probe. */
  public enum Status {
    DONE,
    FAILED,
    MISSING_TOOL,
    NO_PERMISSION,
    TIMEOUT,
    CUT,
    STOPPED,
    UNREACHABLE;

    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@link #FAILED} for a word that this release does not know. */
    public static Status parse(String text) {
      for (Status status : values()) {
        if (status.text().equals(text)) {
          return status;
        }
      }
      return FAILED;
    }

    /** Whether the output is as long as the command had it, so that what is not in it is not there. */
    public boolean whole() {
      return this == DONE || this == FAILED;
    }

    /** What a reader of the report is told about an output that is not whole; "" for a whole one. */
    public String reason() {
      return switch (this) {
        case DONE, FAILED -> "";
        case MISSING_TOOL -> "a program that it needs was not installed";
        case NO_PERMISSION -> "permission was denied, at least for a part; collect it as root";
        case TIMEOUT -> "its time limit ended it; what came before is read";
        case CUT -> "its size limit cut it; what came before is read";
        case STOPPED -> "the collection was stopped; what came before is read";
        case UNREACHABLE -> "the connection broke; what came before is read";
      };
    }
  }

  private static final String MARK = "# gdrproof-probe v=1 ";
  private static final Pattern LINE = Pattern.compile(
      MARK + "probe=(?<probe>\\S+) host=(?<host>\\S+) boundary=(?<boundary>\\S+) time=(?<time>\\S+) exit=(?<exit>-?\\d{1,6}) seconds=(?<seconds>[\\d.]{1,12}) status=(?<status>\\S+) command=(?<command>.*)");

  /** The header in the first lines of a file, or null. */
  public static @Nullable ProbeHeader of(List<String> lines) {
    return lines.isEmpty() ? null : parse(lines.get(0));
  }

  public static @Nullable ProbeHeader parse(String line) {
    if (!line.startsWith(MARK)) {
      return null;
    }
    Matcher m = LINE.matcher(line.strip());
    if (!m.matches()) {
      return null;
    }
    String host = m.group("host").equals("-") ? Fact.UNKNOWN : Sections.shortName(m.group("host"));
    try {
      return new ProbeHeader(m.group("probe"), host, m.group("boundary"), m.group("time"), Integer.parseInt(m.group("exit")), Double.parseDouble(m.group("seconds")),
          Status.parse(m.group("status")), m.group("command"));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The line, without its end. */
  public String line() {
    return MARK + "probe=" + probe + " host=" + (host.equals(Fact.UNKNOWN) ? "-" : host) + " boundary=" + boundary + " time=" + time + " exit=" + exit + " seconds="
        + String.format(Locale.ROOT, "%.2f", seconds) + " status=" + status.text() + " command=" + command.replace('\n', ' ');
  }
}
