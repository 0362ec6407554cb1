package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.HostMessage;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `ldconfig -p`, whole or through grep: whether the loader knows the CUDA driver library. A container gets it from the NVIDIA runtime, and only with the
 * compute capability. That it is not listed is said only where the shown part of the list would have had its line. A {@link HostMessage} `library-cache` has
 * the fields `library` and `listed` (`yes`, `no`).
 */
final class LibraryCache implements Collector {
  private static final Pattern COMMAND = Pattern.compile("\\bldconfig\\s+(?:-p|--print-cache)\\b(?<after>.*)$");
  private static final Pattern ENTRY = Pattern.compile("^\\s*(?<name>lib\\S+\\.so\\S*) \\([^)]*\\) => /\\S+\\s*$");
  private static final Pattern HEADER = Pattern.compile("^\\d+ libs found in cache [`'].*");
  /** The only filter whose effect is known: words, one of which must stand in a line. */
  private static final Pattern GREP = Pattern.compile("^(?:\\s*2>\\S+)?\\s*\\|\\s*(?:e?grep)(?:\\s+-[Eiw]+)*\\s+(?<words>'[^']*'|\"[^\"]*\"|[^\\s|;&'\"]+)[\\s'\"]*$");
  private static final String DRIVER = "libcuda.so.1";

  @Override
  public String tool() {
    return "ldconfig -p";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher command = COMMAND.matcher(section.command());
    if (!command.find()) {
      return;
    }
    int first = -1;
    int driver = -1;
    boolean whole = false;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher entry = ENTRY.matcher(section.lines().get(i));
      whole |= HEADER.matcher(section.lines().get(i)).matches();
      if (entry.matches()) {
        sink.understood(section, i);
        first = first < 0 ? i : first;
        driver = driver < 0 && entry.group("name").startsWith("libcuda.so") ? i : driver;
      }
    }
    if (driver >= 0) {
      sink.fact(new HostMessage(section.node(), "library-cache", Map.of("library", "libcuda", "listed", "yes")), section.at(driver));
    } else if (first >= 0 && shown(command.group("after").strip(), whole)) {
      sink.fact(new HostMessage(section.node(), "library-cache", Map.of("library", "libcuda", "listed", "no")), section.at(first));
    }
  }

  /** Whether the line of the driver library would stand among those shown. */
  private static boolean shown(String after, boolean whole) {
    if (after.replaceAll("[\\s'\"]", "").isEmpty() || after.matches("2>\\S+")) {
      return whole;
    }
    Matcher grep = GREP.matcher(after);
    if (!grep.matches()) {
      return false;
    }
    String words = grep.group("words").replaceAll("['\"\\\\()]", "").toLowerCase(Locale.ROOT);
    for (String word : words.split("\\|")) {
      if (!word.isEmpty() && DRIVER.contains(word)) {
        return true;
      }
    }
    return false;
  }
}
