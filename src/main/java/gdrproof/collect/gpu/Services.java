package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.FabricManager;
import gdrproof.facts.Gpu.ServiceEvent;
import gdrproof.facts.Num;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fabric manager and IMEX services: `systemctl status` and `is-active`, their journal and their own logs. */
final class Services implements Collector {
  private static final Pattern UNIT = Pattern.compile("^\\W*nvidia-(?<service>fabricmanager|imex)\\.service(?: - .*)?$");
  private static final Pattern ACTIVE = Pattern.compile("^\\s*Active: (?<state>active|inactive|failed|activating|deactivating)\\b.*$");
  private static final Pattern MISSING = Pattern.compile("Unit nvidia-(?<service>fabricmanager|imex)(?:\\.service)? could not be found");
  private static final Pattern IS_ACTIVE = Pattern.compile("systemctl is-active (?:--\\S+ )?nvidia-(?<service>fabricmanager|imex)");
  private static final Pattern SYSLOG = Pattern.compile("^[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d (?<host>[A-Za-z0-9][\\w.-]*) \\S+: .*$|^\\d{4}-\\d\\d-\\d\\dT\\S+ (?<iso>[A-Za-z0-9][\\w.-]*) \\S+: .*$");
  private static final Pattern EVENT = Pattern.compile(
      "systemd\\[\\d+\\]: (?:nvidia-(?<unit>fabricmanager|imex)\\.service: )?(?<verb>Started|Starting|Stopped|Stopping|Failed to start|Failed with result|Main process exited|Deactivated successfully)\\b(?<rest>.*)$");
  private static final Pattern NAME = Pattern.compile("(?i)fabric ?manager|nvidia-(?<other>imex)|NVIDIA IMEX");
  private static final Pattern VERSIONS = Pattern.compile(
      "(?i)fabric manager NVIDIA GPU driver interface version (?<fm>[\\d.]+) don'?t match with driver version (?<driver>[\\d.]+)");
  private static final Pattern VERSION = Pattern.compile("Fabric Manager version is ?: ?(?<version>[\\d.]+)");

  @Override
  public String tool() {
    return "systemctl status nvidia-fabricmanager";
  }

  @Override
  public List<String> hints() {
    return List.of("nvidia-fabricmanager", "nvidia-imex", "abric manager", "abric Manager", "ABRIC MANAGER", "systemd[");
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      read(view, sink);
    }
  }

  private static void read(Section section, Sink sink) {
    String unit = "";
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      String host = host(section, line);
      Matcher m;
      if ((m = UNIT.matcher(line)).matches()) {
        unit = m.group("service");
        sink.understood(section, i);
      } else if (!unit.isEmpty() && (m = ACTIVE.matcher(line)).matches()) {
        state(section, i, section.node(), unit, m.group("state"), sink);
        unit = "";
      } else if ((m = MISSING.matcher(line)).find()) {
        state(section, i, section.node(), m.group("service"), "not-found", sink);
      } else if (line.strip().matches("active|inactive|failed|activating|unknown") && (m = IS_ACTIVE.matcher(section.command())).find()) {
        state(section, i, section.node(), m.group("service"), line.strip(), sink);
      } else if ((m = VERSIONS.matcher(line)).find()) {
        event(section, i, host, "fabricmanager", "version-mismatch", m.group("fm") + " against driver " + m.group("driver"), counts, sink);
      } else if ((m = VERSION.matcher(line)).find()) {
        sink.fact(new FabricManager(host, Fact.UNKNOWN, m.group("version")), section.at(i));
      } else if ((m = EVENT.matcher(line)).find()) {
        service(section, i, host, m, counts, sink);
      }
    }
  }

  private static void service(Section section, int i, String host, Matcher m, Map<String, Integer> counts, Sink sink) {
    Matcher name = NAME.matcher(m.group("rest"));
    String service = m.group("unit");
    if (service == null) {
      if (!name.find()) {
        return;
      }
      service = name.group().toLowerCase(Locale.ROOT).contains("imex") ? "imex" : "fabricmanager";
    }
    String event = switch (m.group("verb")) {
      case "Started" -> "started";
      case "Stopped", "Deactivated successfully" -> "stopped";
      case "Failed to start", "Failed with result", "Main process exited" -> "failed";
      default -> "";
    };
    sink.understood(section, i);
    if (!event.isEmpty()) {
      event(section, i, host, service, event, m.group().strip(), counts, sink);
    }
  }

  private static void state(Section section, int i, String node, String service, String state, Sink sink) {
    if (service.equals("fabricmanager")) {
      sink.fact(new FabricManager(node, state, Fact.UNKNOWN), section.at(i));
    } else {
      sink.fact(new ServiceEvent(node, service, state.equals("active") ? "started" : "stopped", Num.of(0), state), section.at(i));
    }
  }

  private static void event(Section section, int i, String host, String service, String event, String text, Map<String, Integer> counts, Sink sink) {
    int order = counts.merge(host + service, 1, Integer::sum) - 1;
    sink.fact(new ServiceEvent(host, service, event, Num.of(order), text), section.at(i));
  }

  private static String host(Section section, String line) {
    Matcher syslog = SYSLOG.matcher(line);
    if (!syslog.matches()) {
      return section.node();
    }
    return Sections.shortName(syslog.group("host") != null ? syslog.group("host") : syslog.group("iso"));
  }
}
