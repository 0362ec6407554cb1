package gdrproof.collect.env;

import gdrproof.facts.Texts;
import gdrproof.policy.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The catalogue of variables, `policies/nccl-env.tsv`. */
final class NcclNames {
  private static final int FIELDS = 10;
  /** Letters a misspelt name may differ by; more finds other variables. */
  private static final int NEAR = 3;
  /** Names that were sought: the jobs of a large file misspell the same ones. */
  private static final Map<String, String> NEAREST = new ConcurrentHashMap<>();
  private static final int MOST_HELD = 4096;
  /** Prefixes whose further names belong to plugins, wrappers and other libraries, which may read what we do not know. */
  private static final List<String> PLUGINS = List.of("NCCL_FASTRAK_", "NCCL_GPUDIRECTTCPX_", "NCCL_OFI_", "OFI_NCCL_", "NCCL_TESTS_", "NCCL_SHIMNET_",
      "NCCL_UCX_", "NCCL_SHARP_", "NCCL_INSPECTOR_", "NCCL_PROFILE_", "NCCL_TUNER_", "NCCL_PLUGIN_", "TORCH_NCCL_", "RCCL_", "NCCL_GIB_", "NCCL_MSCCL",
      "NCCL_RCCL_", "NCCL_ANP_", "NCCL_EP_");
  /** Names of versions, paths and switches of build scripts and wrappers; nothing to do with the library's own variables. */
  private static final Predicate<String> SCRIPT_NAME = name -> name.endsWith("_VERSION") || name.endsWith("_HOME") || name.endsWith("_DIR")
      || name.endsWith("_PATH") || name.endsWith("_ROOT") || name.endsWith("_LIB") || name.endsWith("_SCRIPT") || name.endsWith("_ARGS")
      || name.endsWith("_INCLUDE") || name.startsWith("NCCL_TEST") || name.endsWith("_BIN") || name.endsWith("_IMAGE") || name.endsWith("_FLAGS");

  private static final Map<String, Name> NAMES = load();

  /** A line of the catalogue. */
  record Name(String name, String library, String kind, String group, String production, String form, String accepted, String standard, String gone,
      String instead) {}

  private NcclNames() {}

  private static Map<String, Name> load() {
    Map<String, Name> names = new HashMap<>(1024);
    for (String line : Policies.lines("nccl-env.tsv")) {
      String[] f = line.split("\t", -1);
      if (f.length != FIELDS) {
        throw new IllegalStateException("policies/nccl-env.tsv: not " + FIELDS + " fields: " + line);
      }
      names.put(f[0], new Name(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9]));
    }
    return names;
  }

  static Optional<Name> find(String name) {
    return Optional.ofNullable(NAMES.get(name));
  }

  static boolean ofPlugin(String name) {
    return PLUGINS.stream().anyMatch(name::startsWith);
  }

  static boolean ofScript(String name) {
    return SCRIPT_NAME.test(name);
  }


  /** The catalogued name that was likely meant, or "". */
  static String nearest(String name) {
    String known = NEAREST.get(name);
    if (known != null) {
      return known;
    }
    String found = sought(name);
    if (NEAREST.size() < MOST_HELD) {
      NEAREST.put(name, found);
    }
    return found;
  }

  private static String sought(String name) {
    String best = "";
    int distance = NEAR + 1;
    String plain = plain(name);
    for (Name each : NAMES.values()) {
      if (each.kind().equals("unread") || each.kind().equals("removed") || !each.name().startsWith("NCCL_")) {
        continue;
      }
      int d = plain.equals(plain(each.name())) ? 0 : Texts.distance(name, each.name(), NEAR);
      if (d < distance || d == distance && each.name().compareTo(best) < 0) {
        best = each.name();
        distance = d;
      }
    }
    return distance <= Math.min(NEAR, name.length() / 6) ? best : "";
  }

  private static String plain(String name) {
    return name.replace("_", "").toUpperCase(java.util.Locale.ROOT);
  }
}
