package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When a line of a section was printed: `before` or `after` a run where file name or heading say so, else a time stamp. */
final class Moments {
  private static final Pattern LABEL = Pattern.compile("(?:^|[^a-z])(before|pre|prior|after|post)(?:[^a-z]|$)");
  private static final Pattern HEADING = Pattern.compile("\\s*(?:[#=*>-].*|.*[:=-]\\s*|(?:snapshot|counters|values|state)?\\s*(?:before|after)\\b.*)", Pattern.CASE_INSENSITIVE);
  private static final int LONGEST_HEADING = 70;
  private static final Pattern CLOCK = Pattern.compile("\\s*+(\\d{1,2}:\\d{2}:\\d{2}(?:\\.\\d+)?)\\s*+");
  private static final Pattern STAMP = Pattern.compile("\\s*+[#=*-]*+\\s*+(?:date|time|timestamp)?[:= ]*+(\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}\\S*|[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d{1,2} [\\d:]{8} (?:[AP]M )?(?:[A-Z]{2,5} )?\\d{4})\\s*+[#=*-]*+\\s*+");
  private static final Pattern DAY_CLOCK = Pattern.compile("[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\\d{1,2}) (\\d{2}:\\d{2}:\\d{2}) (?:[AP]M )?(?:[A-Z]{2,5} )?(\\d{4})");

  private final Section section;
  private final String ofFile;
  /** Label and time of the nearest line that has one, at or above each line that was read so far. */
  private final String[] labels;
  private final String[] times;
  private int read;

  Moments(Section section) {
    this.section = section;
    String found = label(section.file().toLowerCase(Locale.ROOT));
    this.ofFile = found.equals(Fact.UNKNOWN) ? label(section.command().toLowerCase(Locale.ROOT)) : found;
    this.labels = new String[section.lines().size()];
    this.times = new String[labels.length];
  }

  /** The moment of a line: the nearest heading or time above it counts, then the file's name, then the section's own time. */
  String at(int index) {
    int line = Math.min(index, section.lines().size() - 1);
    read(line);
    String label = line < 0 ? Fact.UNKNOWN : labels[line];
    String time = line < 0 ? Fact.UNKNOWN : times[line];
    return !label.equals(Fact.UNKNOWN) ? label : !ofFile.equals(Fact.UNKNOWN) ? ofFile : !time.equals(Fact.UNKNOWN) ? time : section.time();
  }

  /** Reads on to a line, each line once: readers ask for line after line, and looking back from each would take the square of their number. */
  private void read(int last) {
    for (; read <= last; read++) {
      String line = section.lines().get(read);
      boolean heading = line.length() <= LONGEST_HEADING && HEADING.matcher(line).matches() && !line.contains("/sys/");
      labels[read] = known(heading ? label(line.toLowerCase(Locale.ROOT)) : Fact.UNKNOWN, labels);
      times[read] = known(stamp(line), times);
    }
  }

  private String known(String own, String[] before) {
    return own.equals(Fact.UNKNOWN) && read > 0 ? before[read - 1] : own;
  }

  private static String label(String text) {
    Matcher label = LABEL.matcher(text);
    String last = Fact.UNKNOWN;
    // The last word of a path says it: `before/` may hold `after-boot.txt`, never the other way round in practice.
    while (label.find()) {
      last = label.group(1).startsWith("a") || label.group(1).equals("post") ? "after" : "before";
    }
    return last;
  }

  private static String stamp(String line) {
    Matcher clock = CLOCK.matcher(line);
    Matcher stamp = STAMP.matcher(line);
    return clock.matches() ? clock.group(1) : stamp.matches() ? stamp.group(1) : Fact.UNKNOWN;
  }

  /** Seconds of a moment on some clock, for differences between moments of one form; unknown for words. */
  static Num seconds(String moment) {
    Matcher clock = CLOCK.matcher(moment);
    if (clock.matches()) {
      String[] parts = clock.group(1).split(":");
      return Num.of(Integer.parseInt(parts[0]) * 3600 + Integer.parseInt(parts[1]) * 60 + Double.parseDouble(parts[2]));
    }
    try {
      Matcher day = DAY_CLOCK.matcher(moment);
      if (day.matches()) {
        return Num.of(LocalDateTime.parse(day.group(4) + " " + day.group(1) + " " + day.group(2) + " " + day.group(3),
            DateTimeFormatter.ofPattern("yyyy MMM d HH:mm:ss", Locale.ROOT)).toEpochSecond(ZoneOffset.UTC));
      }
      String iso = moment.strip().replace(' ', 'T');
      if (iso.matches(".*(?:Z|[+-]\\d{2}:?\\d{2})$") && iso.contains("T")) {
        return Num.of(iso.endsWith("Z") ? Instant.parse(iso).toEpochMilli() / 1000.0
            : OffsetDateTime.parse(iso.replaceFirst("([+-]\\d{2})(\\d{2})$", "$1:$2")).toInstant().toEpochMilli() / 1000.0);
      }
      return iso.contains("T") ? Num.of(LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC).toEpochMilli() / 1000.0) : Num.parse(moment);
    } catch (DateTimeParseException e) {
      return Num.UNKNOWN;
    }
  }
}
