package gdrproof.collect.log;

import gdrproof.facts.Fact;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What launchers, container runtimes and log shippers put before a line. They stack (kubectl, then mpirun, then a rank tag), so they are taken off
 * until nothing changes.
 *
 * @param text the rest of the line
 * @param rank rank of the launcher's tag, or unknown
 * @param tag which tag: `mpirun`, `srun`, `torchrun`, `hydra`, `ray` (whose tag has no rank), or unknown
 * @param pod pod name, or unknown
 * @param time outermost time stamp as printed, or unknown
 */
public record LinePrefix(String text, String rank, String tag, String pod, String time) {
  private record Form(String tag, Pattern pattern) {}

  private static final List<Form> FORMS = List.of(
      new Form("cri", Pattern.compile("^(?<time>\\d{4}-\\d{2}-\\d{2}T[\\d:.]+(?:Z|[+-]\\d{2}:\\d{2})) (?:stdout|stderr) [FP] ")),
      new Form("kubectl", Pattern.compile("^\\[pod/(?<pod>[^/\\]]+)/[^\\]]+\\] ")),
      new Form("stamp", Pattern.compile("^(?<time>\\d{4}-\\d{2}-\\d{2}T[\\d:.]+(?:Z|[+-]\\d{2}:?\\d{2})?) ")),
      new Form("stamp", Pattern.compile("^\\[(?<time>\\d{4}-\\d{2}-\\d{2}[ T][^\\]]{5,40})\\]\\s*")),
      new Form("mpirun", Pattern.compile("^(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4})(?=\\[|<)")),
      new Form("mpirun", Pattern.compile("^\\[(?:[^\\]@]+@)?\\d+,(?<rank>\\d+)\\](?:\\[[^\\]]*\\])?<(?:stdout|stderr|stddiag)>: ?")),
      new Form("torchrun", Pattern.compile("^\\[(?:rank|default|trainer|worker)(?<rank>\\d+)\\]:? ?")),
      new Form("glog", Pattern.compile("^\\[[IWEF](?:\\d{3,4} (?<time>[\\d:.]+) )? ?\\S+:\\d+\\] ")),
      new Form("python", Pattern.compile("^[IWEF]\\d{4} (?<time>[\\d:.]+) \\d+ \\S+:\\d+\\] ")),
      new Form("ray", Pattern.compile("^\\([^)]*pid=\\d+[^)]*\\) ")),
      new Form("hydra", Pattern.compile("^\\[(?<rank>\\d+)\\] (?=\\[|\\S+:\\d+:\\d+ |NCCL |nccl|torch|terminate|RuntimeError|Last error)")),
      new Form("srun", Pattern.compile("^\\s*(?<rank>\\d+): (?=\\[|\\S+:\\d+:\\d+ |NCCL |nccl|torch|terminate|RuntimeError|Last error)")));

  public static LinePrefix strip(String line) {
    String text = line;
    String rank = Fact.UNKNOWN;
    String tag = Fact.UNKNOWN;
    String pod = Fact.UNKNOWN;
    String time = Fact.UNKNOWN;
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Form form : FORMS) {
        Matcher matcher = form.pattern.matcher(text);
        if (!matcher.find()) {
          continue;
        }
        if (form.pattern.pattern().contains("?<rank>")) {
          rank = matcher.group("rank");
          tag = form.tag;
        } else if (form.tag.equals("ray") && tag.equals(Fact.UNKNOWN)) {
          tag = form.tag;
        }
        if (form.pattern.pattern().contains("?<pod>")) {
          pod = matcher.group("pod");
        }
        if (form.pattern.pattern().contains("?<time>") && time.equals(Fact.UNKNOWN) && matcher.group("time") != null) {
          time = matcher.group("time");
        }
        text = text.substring(matcher.end());
        changed = true;
        break;
      }
    }
    return new LinePrefix(text, rank, tag, pod, time);
  }
}
