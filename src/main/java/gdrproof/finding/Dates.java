package gdrproof.finding;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The day of a time stamp as tools print it; null where the text names none. */
final class Dates {
  private static final Pattern ISO = Pattern.compile("(?<year>\\d{4})[-/.](?<month>\\d{2})[-/.](?<day>\\d{2})");
  /** `Sun Nov 29 17:35:25 2026`, `Sun Nov 29 17:35:25 UTC 2026`. */
  private static final Pattern CTIME = Pattern.compile("(?<month>[A-Z][a-z]{2}) +(?<day>\\d{1,2}) \\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?: [A-Z]{2,5})? (?<year>\\d{4})");
  /** `20261129T173525` and `20261129-173525`. */
  private static final Pattern COMPACT = Pattern.compile("(?<!\\d)(?<year>20\\d{2})(?<month>\\d{2})(?<day>\\d{2})(?=[T_-]\\d{4})");
  private static final List<String> MONTHS = List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  private Dates() {}

  static LocalDate day(String text) {
    for (Pattern form : List.of(ISO, CTIME, COMPACT)) {
      Matcher date = form.matcher(text);
      if (date.find()) {
        String month = date.group("month");
        int number = Character.isDigit(month.charAt(0)) ? Integer.parseInt(month) : MONTHS.indexOf(month.toLowerCase(Locale.ROOT)) + 1;
        try {
          return LocalDate.of(Integer.parseInt(date.group("year")), number, Integer.parseInt(date.group("day")));
        } catch (DateTimeException e) {
          return null;
        }
      }
    }
    return null;
  }
}
