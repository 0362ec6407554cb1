package gdrproof.collect.gate;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Gate.ServerModel;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maker and product of a machine: `dmidecode -t system` (3.x), and the DMI line of the kernel log, which prints the same strings. */
final class ServerModels implements Collector {
  private static final Pattern DMI = Pattern.compile("^(?:\\[[^\\]]*\\] |.*kernel: )?DMI: (?<product>[^,]+?)(?:/[^,/]+)?, BIOS ");
  private static final Pattern FIELD = Pattern.compile("^\\s+(?<name>Manufacturer|Product Name): (?<value>\\S.*)$");

  @Override
  public String tool() {
    return "dmidecode -t system";
  }

  @Override
  public List<String> hints() {
    return List.of("DMI: ", "System Information");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean system = false;
    String maker = "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher dmi = DMI.matcher(line);
      if (dmi.find()) {
        sink.fact(new ServerModel(section.node(), dmi.group("product").strip()), section.at(i));
        continue;
      }
      if (line.equals("System Information")) {
        system = true;
        maker = "";
        sink.understood(section, i);
        continue;
      }
      Matcher field = FIELD.matcher(line);
      if (system && field.matches()) {
        if (field.group("name").equals("Manufacturer")) {
          maker = field.group("value").strip() + " ";
          sink.understood(section, i);
        } else {
          sink.fact(new ServerModel(section.node(), maker + field.group("value").strip()), section.at(i));
          system = false;
        }
      } else if (!line.startsWith("\t") && !line.startsWith(" ")) {
        system = false;
      }
    }
  }
}
