package gdrproof.probe;

import gdrproof.bundle.HostList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Targets by the words of `--node`. */
public final class Targets {
  /** A name before the place; host names hold no `=`. */
  private static final Pattern NAMED = Pattern.compile("([\\w.-]+)=(.+)");

  private Targets() {}

  /**
   * `local`, `srun:NODE`, `HOST`, `[ssh:]USER@HOST[:PORT]`; host lists (`gpu[01-04]`) stand for each. `NAME=` before one of them is the node's name in the evidence,
   * where it is reached under another.
   *
   * @throws IllegalArgumentException if it is none, with a message for the user
   */
  public static List<String> expand(List<String> words) {
    List<String> all = new ArrayList<>();
    for (String word : words) {
      Matcher named = NAMED.matcher(word);
      if (named.matches()) {
        List<String> place = expand(List.of(named.group(2)));
        if (place.size() != 1) {
          throw new IllegalArgumentException(word + ": one name stands for one node, here are " + place.size());
        }
        all.add(named.group(1) + "=" + place.get(0));
        continue;
      }
      int colon = word.startsWith("ssh:") || word.startsWith("srun:") ? word.indexOf(':') + 1 : 0;
      int at = Math.max(colon, word.indexOf('@') + 1);
      String hosts = word.substring(at);
      if (hosts.matches(".*[\\w-]\\[[\\d,-]+\\].*")) {
        int port = hosts.lastIndexOf(':') > hosts.lastIndexOf(']') ? hosts.lastIndexOf(':') : hosts.length();
        HostList.expand(hosts.substring(0, port)).forEach(host -> all.add(word.substring(0, at) + host + hosts.substring(port)));
      } else {
        all.add(word);
      }
      if (!word.equals("local") && !word.startsWith("srun:")) {
        SshTarget.Address.parse(all.get(all.size() - 1));
      }
    }
    return all;
  }

  public static Target open(String word, SshTarget.Access access) throws ProbeException {
    Matcher named = NAMED.matcher(word);
    if (named.matches()) {
      return new NamedTarget(named.group(1), open(named.group(2), access));
    }
    if (word.equals("local")) {
      return new LocalTarget();
    }
    if (word.startsWith("srun:")) {
      return new SrunTarget(word.substring(5));
    }
    return SshTarget.open(SshTarget.Address.parse(word), access);
  }
}
