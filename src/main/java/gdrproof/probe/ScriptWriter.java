package gdrproof.probe;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the probes as one POSIX sh script, for nodes and images without a Java runtime. It makes the same bundle as `gdrproof collect`. */
public final class ScriptWriter {
  private ScriptWriter() {}

  /** @param version of this program, for the head of the script */
  public static String write(List<Probe> probes, String version) {
    StringBuilder script = new StringBuilder(64 << 10);
    script.append("#!/bin/sh\n# shellcheck disable=SC2016\n# Written by gdrproof ").append(version).append(" (gdrproof collect --script).\n").append(Probe.resource("collect-head.sh")).append('\n');
    script.append("# Functions of the probes, and the redaction.\n");
    script.append("prelude=").append(Leash.quote(Probe.resource("prelude.sh").lines().filter(l -> !l.isEmpty() && l.charAt(0) != '#').collect(Collectors.joining("\n")))).append('\n');
    script.append("# shellcheck disable=SC2016\nredaction=").append(Leash.quote(Probe.resource("redact.sed"))).append("\n\n");
    script.append(Probe.resource("collect-engine.sh")).append('\n');
    script.append(Probe.resource("collect-tail.sh").replace("@PROBES@\n", probes.stream().map(ScriptWriter::line).collect(Collectors.joining())));
    return script.toString();
  }

  private static String line(Probe probe) {
    return "  probe " + probe.name() + " " + probe.where().name().toLowerCase(Locale.ROOT) + " " + probe.group() + " " + (probe.counters() ? "counters" : "once") + " " + probe.seconds() + " "
        + probe.kib() + " " + Leash.quote(probe.tool()) + " " + Leash.quote(probe.command()) + " \\\n    " + Leash.quote(probe.shell()) + "\n";
  }
}
