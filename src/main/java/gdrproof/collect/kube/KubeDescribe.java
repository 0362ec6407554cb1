package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.KubeEvent;
import gdrproof.facts.Kube.NodeCapacity;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Kube.Shortage;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `kubectl describe node` (what it has and what can be allocated) and events, below `describe pod` or of `kubectl get events`, kubectl 1.20 to 1.34; whole, or cut to
 * the lines that matter.
 */
final class KubeDescribe implements Collector {
  private static final Pattern COMMAND = Pattern.compile("\\bdescribe\\s+(?<kind>nodes?|no|pods?|po)[ /]+(?<name>[a-z0-9][a-z0-9.-]*)");
  private static final Pattern CONTAINERS = Pattern.compile("^Containers:\\s*$");
  private static final Pattern NAME = Pattern.compile("^Name:\\s+(?<name>[a-z0-9][a-z0-9.-]*)\\s*$");
  private static final Pattern AMOUNT = Pattern.compile("^\\s+(?<resource>[a-zA-Z0-9][\\w./-]*):\\s+(?<amount>\\d\\S*)\\s*$");
  private static final Pattern BELOW = Pattern.compile("^\\s+(?<type>Normal|Warning)\\s{2,}(?<reason>[A-Z]\\w+)\\s{2,}(?<age>.+?)\\s{2,}(?<from>\\S.*?)\\s{2,}(?<message>\\S.*)$");
  private static final Pattern LISTED = Pattern.compile(
      "^(?:(?<namespace>[a-z0-9][a-z0-9-]*)\\s{2,})?(?<age>\\S+(?: \\(x.*?\\))?)\\s{2,}(?<type>Normal|Warning)\\s{2,}(?<reason>[A-Z]\\w+)\\s{2,}(?<object>[a-z.]+/[a-z0-9.-]+)\\s{2,}(?<message>\\S.*)$");
  private static final Pattern SHORT = Pattern.compile("(?<nodes>\\d+) Insufficient (?<resource>[a-zA-Z0-9][\\w./-]*[\\w])");

  @Override
  public String tool() {
    return "kubectl describe node";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher command = COMMAND.matcher(section.command());
    boolean named = command.find();
    String object = named ? command.group("name") : Fact.UNKNOWN;
    String part = "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher name = NAME.matcher(line);
      Matcher amount = AMOUNT.matcher(line);
      if (name.matches()) {
        object = name.group("name");
        sink.understood(section, i);
      } else if (line.startsWith("Allocatable:") || line.startsWith("Capacity:")) {
        part = line.substring(0, line.indexOf(':'));
        sink.understood(section, i);
      } else if (part.equals("Capacity") && amount.matches()) {
        if (ResourceFamily.extended(amount.group("resource"))) {
          sink.fact(new NodeCapacity(Sections.shortName(object), amount.group("resource"), Quantity.of(amount.group("amount"))), section.at(i));
        }
      } else if (part.equals("Allocatable") && amount.matches()) {
        String resource = amount.group("resource");
        if (ResourceFamily.extended(resource) || resource.equals("cpu") || resource.equals("memory")) {
          sink.fact(new NodeOffer(Sections.shortName(object), resource, Quantity.of(amount.group("amount"))), section.at(i));
        }
      } else if (!line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
        part = "";
      }
      event(section, i, line, object, sink);
    }
    if (named && command.group("kind").startsWith("po") || section.lines().stream().anyMatch(l -> CONTAINERS.matcher(l).matches())) {
      DescribedPod.read(section, object, sink);
    }
  }

  private static void event(Section section, int index, String line, String object, Sink sink) {
    Matcher below = BELOW.matcher(line);
    Matcher listed = LISTED.matcher(line);
    boolean own = below.matches();
    if (!own && !listed.matches()) {
      return;
    }
    Matcher event = own ? below : listed;
    String about = own ? object : listed.group("object").substring(listed.group("object").indexOf('/') + 1);
    String message = event.group("message").strip();
    if (event.group("type").equals("Normal")) {
      sink.understood(section, index);
      return;
    }
    sink.fact(new KubeEvent(about, event.group("reason"), message), section.at(index));
    if (event.group("reason").equals("FailedScheduling")) {
      // What comes after "preemption:" repeats the count for evicting others.
      Matcher lack = SHORT.matcher(message.replaceFirst("\\bpreemption:.*", ""));
      while (lack.find()) {
        sink.fact(new Shortage(about, lack.group("resource"), Num.parse(lack.group("nodes"))), section.at(index));
      }
    }
  }
}
