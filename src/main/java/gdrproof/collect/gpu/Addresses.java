package gdrproof.collect.gpu;

import gdrproof.facts.Fact;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PCI addresses in one form: lower case, four digits of domain, with function: `0000:19:00.0`. */
final class Addresses {
  private static final Pattern ADDRESS = Pattern.compile("(?:(?<domain>[0-9a-fA-F]{4,8}):)?(?<bus>[0-9a-fA-F]{2}):(?<device>[0-9a-fA-F]{2})(?:\\.(?<function>[0-7]))?");

  private Addresses() {}

  /** The normal form, or unknown for what is no address. A missing function is 0, a missing domain 0000. */
  static String normal(String text) {
    Matcher matcher = ADDRESS.matcher(text.strip());
    if (!matcher.matches()) {
      return Fact.UNKNOWN;
    }
    String domain = matcher.group("domain") == null ? "0000" : matcher.group("domain");
    String function = matcher.group("function") == null ? "0" : matcher.group("function");
    // nvidia-smi writes eight digits; a domain behind a VMD has five of its own.
    return (domain.replaceFirst("^0+(?=.{4})", "") + ":" + matcher.group("bus") + ":" + matcher.group("device") + "." + function).toLowerCase(Locale.ROOT);
  }
}
