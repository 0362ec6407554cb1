package gdrproof.collect.env;

import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Host.NcclSetting;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;

/** `NAME=VALUE` files that NCCL reads by itself: NCCL_CONF_FILE, ~/.nccl.conf, /etc/nccl.conf. */
public final class ConfFile {
  private ConfFile() {}

  /** Whether the lines look like such a file: assignments of NCCL variables, comments, nothing else. */
  public static boolean looksLike(List<String> lines) {
    boolean any = false;
    for (String line : lines) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      if (!text.matches("[A-Z][A-Z0-9_]*\\s*=.*")) {
        return false;
      }
      any |= text.startsWith("NCCL_");
    }
    return any;
  }

  /**
   * Facts of the lines. NCCL takes all before the equals sign for the name, a blank too (`setEnvFile` of its `src/misc/param.cc`), so that is part of it here as well.
   * `place` turns an index into a line of the file.
   */
  public static void read(String owner, List<String> lines, IntUnaryOperator place, BiConsumer<Fact, Integer> target) {
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).strip();
      int equals = text.indexOf('=');
      if (equals <= 0 || text.startsWith("#")) {
        continue;
      }
      EnvValue env = new EnvValue(Fact.UNKNOWN, "config-file", owner, text.substring(0, equals), text.substring(equals + 1).strip());
      if (NcclSettings.concerns(env.name())) {
        int line = place.applyAsInt(i);
        target.accept(env, line);
        Optional<NcclSetting> setting = NcclSettings.of(env, Fact.UNKNOWN, "production", "");
        setting.ifPresent(s -> target.accept(s, line));
      }
    }
  }
}
