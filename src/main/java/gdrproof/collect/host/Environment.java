package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Meta.Kind;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Environment dumps: `env`, `printenv`, `export -p`, `declare -x`, /proc/PID/environ, env files and nccl.conf. Secrets are never stored. */
final class Environment implements Collector {
  private static final Pattern LINE = Pattern.compile("^(?<found>(?:[\\w./-]+\\.\\w+:)?(?:\\d+[:-])?\\s*)(?<set>export\\s+|(?:declare|typeset) -[A-Za-z]*x[A-Za-z]*\\s+|set\\s+)?(?<name>[A-Za-z_][A-Za-z0-9_]*)=(?<value>.*)$");
  /** What a shell does not read of an assignment in a script. */
  private static final Pattern REMARK = Pattern.compile("^(?<value>\"[^\"]*\"|'[^']*'|[^\\s\"'#]*)\\s+#.*$");
  private static final Pattern DUMP = Pattern.compile("(?:^|[;&|'\"]\\s*|\\s)(?:env|printenv|export(?:\\s+-p)?|(?:declare|typeset)\\s+-[A-Za-z]*[xp]|set)\\s*(?:\\||$|;)|/environ\\b|nccl\\.conf");
  private static final Pattern NAMED = Pattern.compile("(?:^|[^a-z])env(?:ironment|iron)?(?:[^a-z]|$)|nccl\\.conf|\\.env$");
  private static final Pattern RELEVANT = Pattern.compile(
      "^(?:NCCL|RDMAV|IBV|MLX5|UCX|OMPI|PMIX|PMI|FI|OFI|CUDA|NVIDIA|NVSHMEM|TORCH|PYTORCH|GLOO|SHARP|HCOLL|SLURM|RCCL|HSA|MASTER|WORLD|LOCAL|RANK|LD|OMP|KUBERNETES|NODE|POD|HOSTNAME|LWS|JOB|PATH|HOROVOD|MPI|MV2|EFA|OPAL)(?:_|$)");
  private static final Pattern SECRET_NAME = Pattern.compile(
      "TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|_KEY(?:$|_ID$)|PRIVATE|COOKIE|SESSION|AUTH(?!OR)|SIGNATURE|_PAT$|DSN$|WEBHOOK|BEARER", Pattern.CASE_INSENSITIVE);
  private static final Pattern SECRET_VALUE = Pattern.compile(
      "://[^/\\s:@]+:[^/\\s@]+@|^(?:gh[pousr]_|glpat-|hf_|sk-|xox[abprs]-|AKIA|eyJ)[A-Za-z0-9_.-]{8,}|-----BEGIN ");
  static final String REDACTED = "[redacted]";
  /** What a collection writes in place of values that concern nobody. */
  private static final String NOT_KEPT = "(not kept)";

  @Override
  public String tool() {
    return "env";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean dump = Views.command(section, DUMP) && !section.command().contains("=") || section.command().equals(Fact.UNKNOWN) && NAMED.matcher(section.name()).find();
    boolean file = section.name().contains(".conf") || section.command().contains(".conf");
    String scope = file ? "config-file" : Views.scope(section, "shell");
    boolean whole = false;
    for (int i = 0; i < section.lines().size(); i++) {
      for (String item : section.lines().get(i).split("\u0000")) {
        Matcher m = LINE.matcher(item.strip());
        if (!m.matches() || !dump && !m.group("name").startsWith("NCCL_")) {
          continue;
        }
        String name = m.group("name");
        boolean script = m.group("set") != null || !m.group("found").isBlank();
        Matcher remark = REMARK.matcher(m.group("value"));
        String value = unquote(script && remark.matches() ? remark.group("value") : m.group("value"));
        boolean secret = secret(name, value);
        Evidence evidence = secret ? Views.redacted(section.at(i), name + "=" + REDACTED) : section.at(i);
        if (RELEVANT.matcher(name.toUpperCase(Locale.ROOT)).find() && !value.equals(NOT_KEPT)) {
          sink.fact(new EnvValue(section.node(), scope, section.file(), name, secret ? REDACTED : value), evidence);
        } else {
          sink.understood(section, i);
        }
        whole |= name.equals("PATH");
      }
    }
    // Every process has a PATH: a dump without one is an excerpt, whatever it is called.
    if (dump && whole && !Views.filtered(section) && !file) {
      sink.looked(section, Kind.ENVIRONMENT, 0);
    }
  }

  static boolean secret(String name, String value) {
    return SECRET_NAME.matcher(name).find() && !name.equals("XAUTHORITY") || SECRET_VALUE.matcher(value).find();
  }

  private static String unquote(String text) {
    String value = text.strip();
    return value.length() >= 2 && (value.startsWith("\"") && value.endsWith("\"") || value.startsWith("'") && value.endsWith("'"))
        ? value.substring(1, value.length() - 1) : value;
  }
}
