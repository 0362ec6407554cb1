package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ibdev2netdev`, plain and `-v`, of the vendor's tools. The state is the net device's, not the port's. */
final class Ibdev2netdev implements Collector {
  private static final Pattern PLAIN = Pattern.compile("\\s*(?<hca>[A-Za-z]\\S*) port (?<port>\\d+) (?:\\([A-Z_ ]+\\) )?==>\\s*(?<dev>\\S+)?\\s*\\((?<state>Up|Down)\\)\\s*");
  private static final Pattern VERBOSE = Pattern.compile("\\s*(?<pci>[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]) (?<hca>\\S+) \\((?<type>MT\\d+)(?: - (?<part>[^)]*))?\\)\\s*(?<text>.*?)\\s*"
      + "(?:\\bfw (?<fw>\\S+) )?\\bport (?<port>\\d+) \\((?<portState>[A-Z_]+)\\s*\\) ==>\\s*(?<dev>\\S+)?\\s*\\((?<state>Up|Down)\\)\\s*");

  @Override
  public String tool() {
    return "ibdev2netdev";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher verbose = VERBOSE.matcher(line);
      Matcher plain = PLAIN.matcher(line);
      Matcher row = verbose.matches() ? verbose : plain.matches() ? plain : null;
      if (row == null) {
        continue;
      }
      String hca = row.group("hca");
      String dev = row.group("dev") == null ? "none" : row.group("dev");
      sink.fact(new PortNetdev(section.node(), hca, Num.parse(row.group("port")), dev, row.group("state").toUpperCase(Locale.ROOT)), section.at(i));
      sink.fact(new RdmaDevice(section.node(), hca, row == verbose ? row.group("type") : Fact.UNKNOWN, row == verbose ? Words.orUnknown(row.group("fw")) : Fact.UNKNOWN, Fact.UNKNOWN),
          section.at(i));
      if (row == verbose && row.group("part") == null) {
        // Without the card's own product data (no right to read it, or cut away) the row still names the card's place.
        sink.fact(new DeviceAddress(section.node(), hca, row.group("pci").toLowerCase(Locale.ROOT)), section.at(i));
      } else if (row == verbose) {
        sink.fact(new HcaPart(section.node(), hca, row.group("pci").toLowerCase(Locale.ROOT), row.group("part").strip(), Words.orUnknown(row.group("text")), Words.orUnknown(row.group("fw"))),
            section.at(i));
      }
    }
  }
}
