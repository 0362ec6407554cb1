package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Num;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** The locked memory limit that machine configuration (Ignition 3, as in a MachineConfig of OpenShift) gives the container runtime, whose containers inherit it. */
final class NodeLimits {
  private static final Pattern RUNTIME = Pattern.compile("(?:crio|containerd|docker)[.]service");
  private static final Pattern UNIT_FILE = Pattern.compile("/(?:etc|usr/lib|usr/local/lib|run)/systemd/system/" + RUNTIME.pattern() + "(?:[.]d/.*[.]conf)?");
  private static final Pattern CRIO_FILE = Pattern.compile("/etc/crio/crio[.]conf(?:[.]d/.*)?");
  private static final Pattern UNIT_LIMIT = Pattern.compile("(?m)^\\s*LimitMEMLOCK\\s*=\\s*infinity\\s*$");
  private static final Pattern CRIO_LIMIT = Pattern.compile("(?ms)^\\s*default_ulimits\\s*=\\s*\\[[^\\]]*\"memlock=-1(?::-1)?\"");

  private NodeLimits() {}

  static void add(Manifest m, Facts facts) {
    Value config = m.spec().at("config");
    for (Value unit : config.at("systemd", "units").items()) {
      if (RUNTIME.matcher(unit.at("name").text()).matches()) {
        add(m, unit.at("contents"), UNIT_LIMIT, unit.at("contents").text(), facts);
        unit.at("dropins").items().forEach(dropin -> add(m, dropin.at("contents"), UNIT_LIMIT, dropin.at("contents").text(), facts));
      }
    }
    for (Value file : config.at("storage", "files").items()) {
      String path = file.at("path").text();
      Pattern limit = UNIT_FILE.matcher(path).matches() ? UNIT_LIMIT : CRIO_FILE.matcher(path).matches() ? CRIO_LIMIT : null;
      if (limit != null) {
        Value source = file.at("contents", "source");
        add(m, source, limit, data(source.text()), facts);
      }
    }
  }

  private static void add(Manifest m, Value at, Pattern limit, String text, Facts facts) {
    if (limit.matcher(text).find()) {
      facts.add(new Limit(Fact.UNKNOWN, "config", "memlock", Num.of(Double.POSITIVE_INFINITY)), m.document(), at);
    }
  }

  /** Text of a data URL (RFC 2397); "" for other URLs and for what is compressed. */
  private static String data(String url) {
    int comma = url.indexOf(',');
    if (!url.startsWith("data:") || comma < 0) {
      return "";
    }
    try {
      byte[] bytes = url.substring(0, comma).endsWith(";base64") ? Base64.getMimeDecoder().decode(url.substring(comma + 1))
          : URLDecoder.decode(url.substring(comma + 1).replace("+", "%2B"), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
