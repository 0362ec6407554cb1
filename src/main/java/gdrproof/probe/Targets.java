package gdrproof.probe;

import gdrproof.bundle.HostList;
import java.util.ArrayList;
import java.util.List;

/** Targets by the words of `--node`. */
public final class Targets {
  private Targets() {}

  /**
   * `local`, `srun:NODE`, `HOST`, `[ssh:]USER@HOST[:PORT]`; host lists (`gpu[01-04]`) stand for each.
   *
   * @throws IllegalArgumentException if it is none, with a message for the user
   */
  public static List<String> expand(List<String> words) {
    List<String> all = new ArrayList<>();
    for (String word : words) {
      int colon = word.startsWith("ssh:") || word.startsWith("srun:") ? word.indexOf(':') + 1 : 0;
      int at = Math.max(colon, word.indexOf('@') + 1);
      String hosts = word.substring(at);
      if (hosts.matches(".*[\\w-]\\[[\\d,-]+\\].*")) {
        HostList.expand(hosts).forEach(host -> all.add(word.substring(0, at) + host));
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
    if (word.equals("local")) {
      return new LocalTarget();
    }
    if (word.startsWith("srun:")) {
      return new SrunTarget(word.substring(5));
    }
    return SshTarget.open(SshTarget.Address.parse(word), access);
  }
}
