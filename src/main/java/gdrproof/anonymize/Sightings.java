package gdrproof.anonymize;

import gdrproof.anonymize.Identifiers.Sort;
import gdrproof.bundle.HostList;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.KubeObject;
import gdrproof.facts.Kube.PodStatus;
import gdrproof.facts.Ledger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where names stand: in facts, which know what is a node, a namespace or a pod, and in the forms in which tools and people write them. */
public final class Sightings {
  private static final Set<String> HOSTS = Set.of("node", "nodes", "host", "hosts", "nodeList", "switchName", "placedOn", "localHost", "remoteHost", "peerNode");
  private static final Map<Class<?>, List<RecordComponent>> COMPONENTS = new ConcurrentHashMap<>();
  private static final String HOST = "([A-Za-z0-9][A-Za-z0-9._-]*)";
  private static final String WORD = "([A-Za-z_][A-Za-z0-9._-]*)";

  /**
   * A form of writing.
   *
   * @param hint a text that stands in every such line, so that most expressions never run
   * @param numbered whether the word counts only with a digit or a hyphen in it, since others stand there as well
   */
  private record Form(String hint, Pattern pattern, boolean numbered, Sort... sorts) {
    static Form of(String hint, String pattern, Sort... sorts) {
      return new Form(hint, Pattern.compile(pattern), false, sorts);
    }

    static Form numbered(String hint, String pattern, Sort... sorts) {
      return new Form(hint, Pattern.compile(pattern), true, sorts);
    }
  }

  private static final List<Form> FORMS = List.of(
      Form.of("/", "/(?:home|Users|users|homes)/" + WORD, Sort.USER),
      Form.of("=", "\\b(?:USER|LOGNAME|SUDO_USER|SLURM_JOB_USER|USERNAME|SLURM_JOB_ACCOUNT|Account)=\"?" + WORD, Sort.USER),
      Form.of("@", "(?:^|[\\s\\[(,])" + WORD + "@" + HOST + "(?=[:\\s\\]~>#$/]|$)", Sort.USER, Sort.HOST),
      Form.of("(", "\\b(?:uid|gid|groups|UserId|GroupId)=(?:\\d+\\()?" + WORD, Sort.USER),
      Form.of("ser", "(?i)^\\s*\"?(?:user|username|owner)\"?\\s*[:=]\\s*\"?" + WORD + "\"?\\s*,?$", Sort.USER),
      Form.of("Linux", "\\bLinux " + HOST + " \\d+\\.\\d+\\.", Sort.HOST),
      Form.of(":", "^(?:[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:[+-]\\d\\d:?\\d\\d|Z)?) " + HOST + " (?:kernel|systemd|[\\w./-]+\\[\\d+\\])(?:\\[\\d+\\])?:", Sort.HOST),
      Form.of("HCA", "[\"':.]\\s*" + HOST + " (?:HCA-\\d|mlx\\d)", Sort.HOST),
      Form.of("mlx", "[\"':.]\\s*" + HOST + " mlx\\d", Sort.HOST),
      Form.of(";", "\\b(?:MF0|SW);" + HOST + ":\\w+/", Sort.HOST),
      Form.of("witch", "\\b[Ss]witch:? 0x[0-9a-f]+ (?:\")?(?:MF0;)?" + HOST, Sort.HOST),
      Form.of("SysName", "SysName:\\s+" + HOST, Sort.HOST),
      Form.of("=", "\\b(?:MASTER_ADDR|HOSTNAME|SLURMD_NODENAME|SLURM_SUBMIT_HOST|NODE_NAME|MY_NODE_NAME|NODENAME|SLURM_TOPOLOGY_ADDR|BatchHost|NodeHostName)=\"?" + HOST, Sort.HOST),
      Form.of("ost", "(?i)\\b(?:static hostname|transient hostname|hostname|host name|nodeName|kubernetes\\.io/hostname|hostIP|node_name|host_name)\"?\\s*[:=]\\s*\"?" + HOST, Sort.HOST),
      Form.of("ode", "\\b(?:nodeName|NodeName|node_name)\"?\\s*[:=]\\s*\"?" + HOST, Sort.HOST),
      Form.numbered("ost", "(?i)\\b(?:on|from|to|remote|localhost|of) host(?: is)?:? \"?" + HOST, Sort.HOST),
      Form.numbered("ost", "(?i)\\b\"?hosts?\"?\\s*[:=]\\s*\"?" + HOST, Sort.HOST),
      Form.numbered("ode", "(?i)\\b\"?node\"?\\s*[:=]\\s*\"?" + HOST, Sort.HOST),
      Form.of("slots", "^\\s*" + HOST + "\\s+slots=\\d+", Sort.HOST),
      Form.of("ssh", "(?:connect to host|resolve hostname) " + HOST, Sort.HOST),
      Form.of("'", "Permanently added '" + HOST, Sort.HOST),
      Form.numbered(".", "^\\s*\\d+\\.\\d+\\.\\d+\\.\\d+\\s+" + HOST + "\\s*$", Sort.HOST),
      Form.of("amespace", "(?i)\\bnamespace\"?\\s*[:=]\\s*\"?([a-z0-9][a-z0-9-]*)", Sort.NAMESPACE),
      Form.of("kubectl", "\\s(?:-n|--namespace)[ =]([a-z0-9][a-z0-9-]*)", Sort.NAMESPACE),
      Form.of("=", "\\b(?:POD_NAMESPACE|NAMESPACE)=\"?([a-z0-9][a-z0-9-]*)", Sort.NAMESPACE),
      Form.of("=", "\\b(?:POD_NAME|SLURM_JOB_NAME|JobName|PYTORCHJOB_NAME|JOB_NAME)=\"?" + HOST, Sort.WORKLOAD),
      Form.of("job-name", "job-name\"?\\s*[:=]\\s*\"?" + HOST, Sort.WORKLOAD),
      Form.of("pod", "\\bpods?/" + HOST, Sort.WORKLOAD),
      Form.of("://", "://" + "(?:[^/\\s@]*@)?" + "([A-Za-z0-9][A-Za-z0-9-]*(?:\\.[A-Za-z0-9-]+)+)", Sort.DOMAIN),
      Form.of("@", "[\\w+-]+@([A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+)", Sort.DOMAIN),
      Form.of("image", "\\bimage\"?\\s*[:=]\\s*\"?([A-Za-z0-9][A-Za-z0-9-]*(?:\\.[A-Za-z0-9-]+)+)(?::\\d+)?/", Sort.DOMAIN),
      Form.of("", "(?i)(?:serial(?:[ _]?(?:number|no))?|\\b(?:vendor ?)?sn|asset ?tag|service ?tag|s/n)\"?\\s*[:=]\\s*\"?([A-Za-z0-9][A-Za-z0-9-]{4,})", Sort.SERIAL),
      Form.of("serial>", "serial>([A-Za-z0-9][A-Za-z0-9-]{4,})<", Sort.SERIAL),
      Form.of("[SN]", "\\[SN\\][^:]*:\\s*(\\S{5,})", Sort.SERIAL));
  private static final Pattern SERIAL = Pattern.compile("(?i)serial|\\bv?e?n?d?o?r? ?sn\\b|tag|s/n");
  private static final Pattern LIST = Pattern.compile("(?i)(?:node_?list|\\bnodes|-w|-H|--host|--nodelist|ReqNodeList)[ =:]\\s*\"?([A-Za-z0-9][\\w.-]*(?:\\[[\\d,-]+\\])?[\\w,.:\\[\\]-]*)");
  private static final Pattern IMAGE = Pattern.compile("\\bimage\"?\\s*[:=]\\s*\"?([A-Za-z0-9][A-Za-z0-9-]*(?:\\.[A-Za-z0-9-]+)+)(?::\\d+)?/([a-z0-9][a-z0-9._/-]*)");
  private static final Pattern PRODUCT = Pattern.compile("operator|mofed|doca|ofed|nccl|cuda|torch|nvidia|mellanox|sriov|rdma|ubuntu|k8s|kube|plugin|driver|device|cni|ipam|library|mpi|jax|tensorflow|cloud-native");
  private static final int LONGEST_LINE = 20_000;

  private Sightings() {}

  /** Names that the facts of a bundle hold. */
  public static void in(Ledger ledger, Identifiers into) {
    ledger.forEach((fact, sources) -> {
      sources.forEach(s -> host(s.host(), into));
      for (RecordComponent component : COMPONENTS.computeIfAbsent(fact.getClass(), c -> List.of(c.getRecordComponents()))) {
        if (component.getType() == String.class) {
          named(component.getName(), text(component, fact), into);
        }
      }
      if (fact instanceof KubeObject object && Kept.kind(object.kind()) && !Kept.namespace(object.namespace())) {
        into.add(object.kind().equals("Node") ? Sort.HOST : object.kind().equals("Namespace") ? Sort.NAMESPACE : Sort.WORKLOAD, object.name());
      }
      if (fact instanceof PodStatus pod && !Kept.namespace(pod.namespace())) {
        into.add(Sort.WORKLOAD, pod.pod());
      }
    });
  }

  private static void named(String component, String value, Identifiers into) {
    if (HOSTS.contains(component)) {
      host(value, into);
    } else if (component.equals("namespace")) {
      into.add(Sort.NAMESPACE, value);
    } else if (component.equals("process") && value.matches("[^:\\s]+:\\d+(?::\\d+)?")) {
      host(value.substring(0, value.indexOf(':')), into);
    }
  }

  private static String text(RecordComponent component, Fact fact) {
    try {
      return String.valueOf(component.getAccessor().invoke(fact));
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void host(String value, Identifiers into) {
    if (value.indexOf(',') < 0 && value.indexOf('[') < 0) {
      into.add(Sort.HOST, value);
    } else if (value.length() < LONGEST_LINE && value.matches("[\\w.,:\\[\\]-]+")) {
      HostList.expand(value).forEach(name -> into.add(Sort.HOST, name.replaceFirst(":\\d+$", "")));
    }
  }

  /** Names that a line writes in one of the known forms. */
  public static void in(String line, Identifiers into) {
    if (line.length() > LONGEST_LINE) {
      return;
    }
    for (Form form : FORMS) {
      if (form.hint().isEmpty() ? SERIAL.matcher(line).find() : line.contains(form.hint())) {
        Matcher matcher = form.pattern().matcher(line);
        while (matcher.find()) {
          for (int i = 0; i < form.sorts().length; i++) {
            String word = matcher.group(i + 1);
            if (!form.numbered() || word.matches(".*[A-Za-z].*[0-9-].*")) {
              into.add(form.sorts()[i], word);
            }
          }
        }
      }
    }
    Matcher image = line.contains("image") ? IMAGE.matcher(line) : LIST.matcher("");
    while (image.find()) {
      for (String part : Kept.domain(image.group(1)) ? new String[0] : image.group(2).split("/")) {
        // Products keep their names wherever they are mirrored, since rules judge them.
        if (!PRODUCT.matcher(part).find()) {
          into.add(Sort.WORKLOAD, part);
        }
      }
    }
    Matcher list = LIST.matcher(line);
    while (list.find()) {
      if (list.group(1).matches(".*[\\d\\[].*")) {
        host(list.group(1), into);
      }
    }
  }
}
