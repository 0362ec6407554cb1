package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Kube.ClusterGap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What kubectl says instead of objects: refused, not installed, none there, no connection (kubectl 1.20 to 1.34). */
final class KubectlRefusals implements Collector {
  private static final Pattern FORBIDDEN = Pattern.compile("Error from server \\(Forbidden\\): .*cannot (list|get) resource \"([a-z.-]{1,80})\" in API group \"([a-z0-9.-]{0,80})\"");
  private static final Pattern ABSENT = Pattern.compile("error: the server doesn't have a resource type \"([a-z.-]{1,80})\"");
  private static final Pattern ASKED = Pattern.compile("kubectl(?: -\\S+| --\\S+)* get ([a-z][a-z0-9.-]{1,120})");
  private static final Pattern EVERYWHERE = Pattern.compile("(?:^| )(?:-A|--all-namespaces)(?: |$)");

  @Override
  public String tool() {
    return "kubectl get";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher asked = ASKED.matcher(section.command());
    String resource = asked.find() ? asked.group(1) : "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher command = ASKED.matcher(line);
      if (command.find()) {
        resource = command.group(1);
      } else if (line.startsWith("Error from server") || line.startsWith("error: the server") || line.startsWith("Unable to connect") || line.startsWith("No resources found")
          || line.startsWith("The connection to the server")) {
        said(section, i, line, resource, sink);
      }
    }
  }

  private static void said(Section section, int i, String line, String resource, Sink sink) {
    Matcher forbidden = FORBIDDEN.matcher(line);
    Matcher absent = ABSENT.matcher(line);
    if (forbidden.find()) {
      String plural = forbidden.group(2);
      String full = forbidden.group(3).isEmpty() ? plural : plural + "." + forbidden.group(3);
      gap(section, i, plural, full, "the permission " + forbidden.group(1) + " on " + full + " is missing", sink);
    } else if (absent.find()) {
      looked(section, i, plural(absent.group(1)), sink);
    } else if (line.startsWith("No resources found") && !line.contains(" namespace") && EVERYWHERE.matcher(section.command()).find()) {
      looked(section, i, plural(resource), sink);
    } else if (!resource.isEmpty() && (line.startsWith("Unable to connect") || line.startsWith("The connection to the server") || line.startsWith("Error from server"))) {
      gap(section, i, plural(resource), resource, line, sink);
    }
  }

  private static String plural(String resource) {
    return resource.contains(".") ? resource.substring(0, resource.indexOf('.')) : resource;
  }

  private static void gap(Section section, int i, String plural, String resource, String reason, Sink sink) {
    String checks = ClusterKinds.checks(plural);
    if (!checks.isEmpty()) {
      String looked = ClusterKinds.lookedByPlural(plural);
      sink.fact(new ClusterGap(looked.isEmpty() ? plural : looked, resource, reason, checks), section.at(i));
    }
  }

  private static void looked(Section section, int i, String plural, Sink sink) {
    String looked = ClusterKinds.lookedByPlural(plural);
    if (!looked.isEmpty()) {
      sink.looked(section, looked, i);
      sink.understood(section, i);
    }
  }
}
