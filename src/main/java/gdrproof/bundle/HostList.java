package gdrproof.bundle;

import java.util.List;

/** Lists of hosts as Slurm and clush fold them. */
public final class HostList {
  private HostList() {}

  /** `gpu-n[1-3,7],head1` as single names; empty for a list that is none. */
  public static List<String> expand(String list) {
    return Banners.expand(list.strip());
  }
}
