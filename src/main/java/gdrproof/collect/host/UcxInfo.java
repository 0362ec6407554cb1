package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.UcxDomain;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Memory domains of `ucx_info -d`, by src/tools/info/tl_info.c of UCX 1.10 to 1.20; older releases print no memory types. */
final class UcxInfo implements Collector {
  private static final Pattern DOMAIN = Pattern.compile("^# Memory domain: (?<name>\\S+)\\s*$");
  private static final Pattern FIELD = Pattern.compile("^#\\s{2,}(?<name>Component|register|memory types): (?<value>.*?)\\s*$");
  private static final Pattern CUDA = Pattern.compile("(?:^|, )cuda \\((?<how>[^)]*)\\)");

  @Override
  public String tool() {
    return "ucx_info -d";
  }

  @Override
  public List<String> hints() {
    return List.of("# Memory domain: ");
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher domain = DOMAIN.matcher(section.lines().get(i));
      if (domain.matches()) {
        domain(section, i, domain.group("name"), sink);
      }
    }
  }

  private static void domain(Section section, int first, String name, Sink sink) {
    String component = "";
    String register = "";
    for (int i = first + 1; i < section.lines().size(); i++) {
      Matcher field = FIELD.matcher(section.lines().get(i));
      if (!field.matches()) {
        // Lines of other abilities stand between; an empty comment ends the domain's own part.
        if (section.lines().get(i).strip().equals("#") || !section.lines().get(i).startsWith("#")) {
          break;
        }
        continue;
      }
      String value = field.group("value");
      switch (field.group("name")) {
        case "Component" -> component = value;
        case "register" -> register = value;
        default -> {
          Matcher cuda = CUDA.matcher(value);
          boolean registers = cuda.find() && List.of(cuda.group("how").split(",")).contains("reg");
          sink.fact(new UcxDomain(section.node(), Views.scope(section), name, component, Tri.of(registers), register.contains(", dmabuf") ? Tri.YES : Tri.UNKNOWN), section.at(first, i));
          return;
        }
      }
    }
    sink.unread(section, first, "memory domain of UCX without its memory types");
  }
}
