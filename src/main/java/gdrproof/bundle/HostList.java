package gdrproof.bundle;

import java.util.List;

/** Lists of hosts as Slurm and clush fold them. */
public final class HostList {
  private HostList() {}

  /** `gpu-n[1-3,7],head1` or `r[01-02]n[08-10]` as single names, the last group counting fastest; empty for a list that is none, or of more names than asked for. */
  public static List<String> expand(String list, int most) {
    List<String> hosts = Banners.expand(list.strip(), most);
    return hosts.stream().anyMatch(h -> h.isEmpty() || h.indexOf('[') >= 0 || h.indexOf(']') >= 0) ? List.of() : hosts;
  }

  /** The same for lists as long as outputs of one command have them. */
  public static List<String> expand(String list) {
    return Banners.expand(list.strip());
  }
}
