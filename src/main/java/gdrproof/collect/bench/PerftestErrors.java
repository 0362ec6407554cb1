package gdrproof.collect.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Error lines of perftest 4.4 to 26.x, by mechanism. */
final class PerftestErrors {
  /** An error of one line: its slug and what the named groups of the line tell. */
  record Found(String error, Map<String, String> fields) {}

  /** One literal of each line below: a cheap look before the patterns, since every line of a log comes by. */
  private static final List<String> HINTS = List.of("Couldn't", "DMA-BUF is not", "unrecognized option", "Did not detect", "IB device ", "Failed to modify",
      "Completion with", "mismatch: local", "not compatible with versions", "Incompatibility issue", "is below", "not known for", "name resolution for", "socket/rdma_cm");

  private record Line(String error, Pattern pattern, List<String> groups) {}

  private static final List<Line> LINES = List.of(
      line("mr-register", "Couldn't allocate MR(?: with error=(?<errno>\\d+)|\\W*$)", "errno"),
      line("dmabuf-unsupported", "DMA-BUF is not supported on this GPU"),
      line("no-cuda-build", "unrecognized option ['`‘\"]?--use_cuda"),
      line("no-rdma-device", "Did not detect devices"),
      line("device-not-found", "IB device (?<device>\\S+) not found", "device"),
      line("connect", "Couldn't connect to (?<peer>\\S+):(?<tcpPort>\\d+)", "peer", "tcpPort"),
      line("connect", "^(?:Name or service not known|Temporary failure in name resolution) for (?<peer>\\S+):(?<tcpPort>\\d+)", "peer", "tcpPort"),
      line("modify-qp", "Failed to modify (?:\\w+ )?QP(?: \\w+)? to (?<qpState>INIT|RTR|RTS)", "qpState"),
      line("completion", "Completion with error at (?<side>client|server)", "side"),
      line("peer-closed", "ethernet_(?:read|write)_keys: Couldn't (?:read|write) (?:remote|local) address|Unable to (?:read|write) (?:to|from) socket/rdma_cm"),
      line("param-mismatch", "^ ?(?<param>\\w+) mismatch: local=(?<paramLocal>[^,]+), remote=(?<paramRemote>\\S+)", "param", "paramLocal", "paramRemote"),
      line("version-mismatch", "Current implementation is not compatible with versions older"),
      line("gid-type", "Found Incompatibility issue with GID types"),
      line("below-limit", "(?:BW result|Msg rate) +is below (?:bw|msg_rate) limit"));
  private static final Pattern STATUS = Pattern.compile("Failed status (?<code>\\d+): (?:\\w+ \\S+ ){1,4}syndrom (?<syndrome>0x[0-9a-fA-F]+)");
  private static final Pattern STATUS_TEXT = Pattern.compile("Failed status-(?<text>.+?) \\((?<code>\\d+)\\): (?:\\w+ \\S+ ){1,4}syndrom (?<syndrome>0x[0-9a-fA-F]+)");
  private static final Pattern COUNTS = Pattern.compile("scnt=(?<scnt>\\d+), ?ccnt=(?<ccnt>\\d+)");

  private PerftestErrors() {}

  private static Line line(String error, String regex, String... groups) {
    return new Line(error, Pattern.compile(regex), List.of(groups));
  }

  /** The error of a line, or null. */
  static Found find(String text) {
    if (HINTS.stream().noneMatch(text::contains)) {
      return null;
    }
    for (Line line : LINES) {
      Matcher m = line.pattern().matcher(text);
      if (m.find()) {
        Map<String, String> fields = new HashMap<>();
        for (String group : line.groups()) {
          if (m.group(group) != null) {
            fields.put(group, m.group(group));
          }
        }
        if (line.error().equals("mr-register") && !fields.containsKey("errno")) {
          fields.put("errno", "none");
        }
        return new Found(line.error(), fields);
      }
    }
    return null;
  }

  /** What a line after a completion error adds. */
  static Map<String, String> detail(String text) {
    Map<String, String> fields = new HashMap<>();
    Matcher m = STATUS_TEXT.matcher(text);
    if (m.find()) {
      fields.put("wcStatusText", m.group("text"));
      fields.put("wcStatus", m.group("code"));
      fields.put("syndrome", m.group("syndrome"));
    } else if ((m = STATUS.matcher(text)).find()) {
      fields.put("wcStatus", m.group("code"));
      fields.put("syndrome", m.group("syndrome"));
    } else if ((m = COUNTS.matcher(text)).find()) {
      fields.put("scnt", m.group("scnt"));
      fields.put("ccnt", m.group("ccnt"));
    }
    return fields;
  }
}
