package gdrproof.finding;

import java.util.List;
import java.util.Locale;

/** What a change does, worst first. `unknown` ranks last and is never hidden behind `benign`. */
public enum Consequence {
  FORBIDDEN,
  UNSUPPORTED,
  RESOURCE_GONE,
  NEEDS_REBOOT,
  NEEDS_DRAIN,
  NEEDS_MANUAL_STEP,
  RISKY,
  SILENT,
  BENIGN,
  UNKNOWN;

  public static Consequence parse(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The worst of several; benign changes beside unknown ones are unknown together. */
  public static Consequence worst(List<Consequence> all) {
    Consequence worst = all.stream().min(Consequence::compareTo).orElse(BENIGN);
    return worst == BENIGN && all.contains(UNKNOWN) ? UNKNOWN : worst;
  }

  /** Whether this is as bad as a limit; an unknown reaches only the limit unknown, which everything reaches. */
  public boolean reaches(Consequence limit) {
    return compareTo(limit) <= 0;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
