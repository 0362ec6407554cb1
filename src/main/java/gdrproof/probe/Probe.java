package gdrproof.probe;

import gdrproof.policy.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A read-only command of `policies/probes.yaml`, where the words are explained.
 *
 * @param name name of its file in the bundle, without `.txt`
 * @param shell what runs, may use the functions of `prelude.sh`
 * @param command how a reader would type it
 * @param tool program without which it is not run; "" for none
 * @param measures names in `policies/measurements.yaml`
 * @param shared whether every container of a pod sees the same there
 * @param counters whether it is taken before and after a run
 */
public record Probe(String name, String group, Where where, String shell, String command, String tool, List<String> measures, boolean counters, boolean people, boolean shared, int seconds, int kib,
    String why) {
  /** Which boundary it belongs to. */
  public enum Where {
    NODE,
    HOST,
    CONTAINER,
    CLUSTER
  }

  private static final int SECONDS = 30;
  private static final int KIB = 1024;

  /** All, in the order of the file. */
  public static List<Probe> all() {
    List<Probe> all = new ArrayList<>();
    Policies.read("probes.yaml").forEach((name, entry) -> all.add(of(name, Policies.map(entry))));
    return all;
  }

  private static Probe of(String name, Map<String, Object> entry) {
    String shell = String.valueOf(entry.get("sh")).strip();
    String tool = entry.containsKey("tool") ? String.valueOf(entry.get("tool")) : "";
    String command = entry.containsKey("command") ? String.valueOf(entry.get("command")) : shell.replaceFirst("^as_root ", "");
    Where where = entry.containsKey("where") ? Where.valueOf(String.valueOf(entry.get("where")).toUpperCase(Locale.ROOT)) : Where.NODE;
    return new Probe(name, String.valueOf(entry.get("group")), where, shell, command, tool, Policies.texts(entry.get("measures")), Boolean.TRUE.equals(entry.get("counters")),
        Boolean.TRUE.equals(entry.get("people")), Boolean.TRUE.equals(entry.get("shared")), number(entry.get("seconds"), SECONDS), number(entry.get("kib"), KIB), String.valueOf(entry.get("why")));
  }

  private static int number(Object value, int otherwise) {
    return value == null ? otherwise : Integer.parseInt(String.valueOf(value));
  }

  /** A file of shell text beside this class. */
  static String resource(String name) {
    try (InputStream stream = Probe.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(name + " is missing from the program");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The functions, in one line. */
  static String prelude() {
    return resource("prelude.sh").lines().filter(line -> !line.isEmpty() && line.charAt(0) != '#').collect(Collectors.joining("; ")) + "; ";
  }
}
