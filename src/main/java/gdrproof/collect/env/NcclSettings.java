package gdrproof.collect.env;

import gdrproof.collect.env.NcclNames.Name;
import gdrproof.collect.env.NcclValues.Reading;
import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Host.NcclSetting;
import gdrproof.facts.Ledger;
import gdrproof.facts.Tri;
import java.util.Collection;
import java.util.Optional;

/** Reads variables as the libraries would: an {@link EnvValue} becomes an {@link NcclSetting}. */
public final class NcclSettings {
  private NcclSettings() {}

  /** Whether a variable may stand in a production manifest: ok, justify, never; unknown for a name that the catalogue does not have. */
  public static String production(String name) {
    return NcclNames.find(name).map(NcclNames.Name::production).orElse(gdrproof.facts.Fact.UNKNOWN);
  }

  /** Whether a variable may concern NCCL, a network plugin of it, or the CUDA runtime below. */
  public static boolean concerns(String name) {
    return name.startsWith("NCCL_") || name.startsWith("OFI_NCCL_") || name.startsWith("TORCH_NCCL_") || NcclNames.find(name).isPresent();
  }

  /** The setting of a variable, or nothing if it is none of NCCL's. */
  public static Optional<NcclSetting> of(EnvValue env, String pods, String purpose, String excuse) {
    Optional<Name> found = NcclNames.find(env.name());
    if (found.isEmpty()) {
      if (!env.name().startsWith("NCCL_")) {
        return Optional.empty();
      }
      boolean foreign = NcclNames.ofPlugin(env.name()) || NcclNames.ofScript(env.name());
      return Optional.of(new NcclSetting(env.node(), env.scope(), env.owner(), pods, env.name(), env.value(), foreign ? "plugin" : "unknown-name",
          Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, "", "", foreign ? "" : NcclNames.nearest(env.name()), "", Tri.UNKNOWN, purpose, excuse));
    }
    Name name = found.get();
    String standing = switch (name.kind()) {
      case "unread" -> "unread-name";
      case "removed", "deprecated" -> name.kind();
      default -> "known";
    };
    Reading reading = name.library().equals("nccl") ? NcclValues.read(name, env.value()) : Reading.RIGHT;
    Tri standard = name.standard().isEmpty() || env.value().indexOf('$') >= 0 ? Tri.of(false)
        : Tri.of(name.standard().equalsIgnoreCase(env.value().strip()) && reading.flaw().isEmpty());
    return Optional.of(new NcclSetting(env.node(), env.scope(), env.owner(), pods, env.name(), env.value(), standing, known(name.library()), known(name.kind()),
        known(name.group()), known(name.production()), reading.flaw(), reading.readAs(), name.instead(), name.gone(), standard, purpose, excuse));
  }

  private static String known(String text) {
    return text.isEmpty() ? Fact.UNKNOWN : text;
  }

  /** Adds the settings of every variable of logs and shells that no manifest has judged, and those of command lines that are read otherwise than they are written. */
  public static void judge(Ledger ledger) {
    for (NcclTestCommand command : ledger.all(NcclTestCommand.class)) {
      Collection<Evidence> at = ledger.of(command);
      command.settings().forEach((name, value) -> of(new EnvValue(command.node(), "command-line", command.run(), name, value), Fact.UNKNOWN, Fact.UNKNOWN, "")
          .filter(setting -> !setting.flaw().isEmpty()).ifPresent(setting -> ledger.add(setting, at)));
    }
    for (EnvValue env : ledger.all(EnvValue.class)) {
      if (!concerns(env.name())) {
        continue;
      }
      Collection<Evidence> at = ledger.of(env);
      boolean container = env.scope().equals("container");
      // What was printed inside a container no manifest has judged either; of it only what is misread is news.
      boolean printed = container && at.stream().anyMatch(e -> e.file().equals(env.owner()));
      of(env, Fact.UNKNOWN, Fact.UNKNOWN, "").filter(setting -> !container || printed && !setting.flaw().isEmpty()).ifPresent(setting -> ledger.add(setting, at));
    }
  }
}
