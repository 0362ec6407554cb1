package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.ReadyState;
import gdrproof.facts.Kube.NetworkDefinition;
import gdrproof.facts.Kube.NodeCapacity;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Kube.PodNetworks;
import gdrproof.facts.Kube.PodStatus;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of kubectl 1.20 to 1.34: `get pods` (also `-o wide`), `get network-attachment-definitions`, `get nicclusterpolicies`, `-o custom-columns`, and rows that `jq` makes
 * of `-o json` (`@tsv`, `@csv`), whose columns only the command names.
 */
final class KubeTables implements Collector {
  private static final Pattern COLUMNS = Pattern.compile("custom-columns=(?:'(?<single>[^']*)'|\"(?<double>[^\"]*)\"|(?<bare>\\S+))");
  private static final Pattern ROWS = Pattern.compile("\\[(?<fields>\\s*\\.[^|]*)\\]\\s*\\|\\s*@(?<form>tsv|csv)");
  private static final Pattern AMOUNT = Pattern.compile("\\.?status\\.(?:allocatable|capacity)(?:\\.|\\[[\"'])[\"']?(?<resource>[^\"'\\]]+)[\"']?\\]?");
  private static final Pattern NETWORKS = Pattern.compile("\\.?metadata\\.annotations.*k8s\\.v1\\.cni\\.cncf\\.io/networks(?!-status).*");
  private static final Pattern MAP = Pattern.compile("\\bget\\s+(?:nodes?|no)(?:\\s+|/)(?<node>[a-z0-9][a-z0-9.-]*)\\s.*jsonpath=\\S*\\{\\.status\\.(?<what>allocatable|capacity)\\}");
  private static final Pattern ENTRY = Pattern.compile("\"(?<resource>[A-Za-z0-9][\\w./-]*)\"\\s*:\\s*\"(?<amount>\\d+[A-Za-z]*)\"");
  private static final Pattern POLICY_STATE = Pattern.compile("ready|notReady|ignore|error|disabled");
  private static final Pattern GAP = Pattern.compile("\\s{2,}|\\t");

  @Override
  public String tool() {
    return "kubectl get pods -o wide";
  }

  @Override
  public List<String> hints() {
    return List.of("custom-columns=", "jsonpath=", "@tsv", "@csv", "NAME  ", "NAME\t", "NAME \t", "  NAME", "\tNAME");
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher columns = COLUMNS.matcher(section.command());
    Matcher rows = ROWS.matcher(section.command());
    Matcher map = MAP.matcher(section.command());
    if (columns.find()) {
      String spec = columns.group("single") != null ? columns.group("single") : columns.group("double") != null ? columns.group("double") : columns.group("bare");
      List<String> paths = Arrays.stream(spec.split(",")).map(c -> c.substring(c.indexOf(':') + 1).replace("\\", "").strip()).toList();
      chosen(section, sink, paths, GAP, 1);
    } else if (rows.find()) {
      List<String> paths = Arrays.stream(rows.group("fields").split(",")).map(String::strip).toList();
      chosen(section, sink, paths, rows.group("form").equals("tsv") ? Pattern.compile("\\t|\\s{2,}") : Pattern.compile(","), 0);
    } else if (map.find()) {
      amounts(section, sink, Sections.shortName(map.group("node")), map.group("what").equals("capacity"));
    } else {
      printed(section, sink);
    }
  }

  /** `{"cpu":"8","nvidia.com/gpu":"8"}`: the whole map of one node. */
  private static void amounts(Section section, Sink sink, String node, boolean capacity) {
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher entry = ENTRY.matcher(section.lines().get(i));
      while (entry.find()) {
        String resource = entry.group("resource");
        if (ResourceFamily.extended(resource) || resource.equals("cpu")) {
          sink.fact(capacity ? new NodeCapacity(node, resource, Quantity.of(entry.group("amount"))) : new NodeOffer(node, resource, Quantity.of(entry.group("amount"))), section.at(i));
        }
      }
    }
  }

  /** Rows whose columns the command chose. */
  private static void chosen(Section section, Sink sink, List<String> paths, Pattern gap, int from) {
    for (int i = from; i < section.lines().size(); i++) {
      List<String> cells = cells(section.lines().get(i), gap, paths.size());
      if (cells.size() != paths.size()) {
        continue;
      }
      int name = paths.indexOf(".metadata.name") < 0 ? paths.indexOf("metadata.name") : paths.indexOf(".metadata.name");
      if (name < 0) {
        return;
      }
      String object = cells.get(name).replace("\"", "");
      String namespace = cell(paths, cells, ".metadata.namespace");
      for (int c = 0; c < paths.size(); c++) {
        Matcher amount = AMOUNT.matcher(paths.get(c));
        String text = cells.get(c).replace("\"", "");
        if (amount.matches() && (ResourceFamily.extended(amount.group("resource")) || amount.group("resource").equals("cpu"))) {
          // Nothing printed and <none> both mean that the node does not have it.
          sink.fact(new NodeOffer(Sections.shortName(object), amount.group("resource"), text.isEmpty() || text.equals("<none>") || text.equals("null") ? Num.of(0) : Quantity.of(text)), section.at(i));
        } else if (NETWORKS.matcher(paths.get(c)).matches()) {
          sink.fact(new PodNetworks(namespace, object, text.equals("<none>") || text.equals("null") ? "" : text), section.at(i));
        } else if (paths.get(c).endsWith("status.phase")) {
          sink.fact(new PodStatus(namespace, object, text, Num.UNKNOWN, Num.UNKNOWN, cell(paths, cells, ".spec.nodeName")), section.at(i));
        }
      }
    }
  }

  private static String cell(List<String> paths, List<String> cells, String path) {
    int at = paths.indexOf(path) < 0 ? paths.indexOf(path.substring(1)) : paths.indexOf(path);
    return at < 0 || cells.get(at).startsWith("<") ? Fact.UNKNOWN : cells.get(at).replace("\"", "");
  }

  /** Tables with their own headings. */
  private static void printed(Section section, Sink sink) {
    List<String> heads = List.of();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      List<String> words = List.of(line.strip().split("\\s{2,}|\\t"));
      if (words.contains("NAME") && words.size() > 1 && words.stream().allMatch(w -> w.matches("[A-Z][A-Z0-9 /()%-]*"))) {
        heads = words;
        sink.understood(section, i);
        continue;
      }
      if (heads.isEmpty() || line.isBlank()) {
        heads = List.of();
        continue;
      }
      List<String> cells = cells(line, GAP, heads.size());
      String policy = policy(section, heads, cells);
      if (cells.size() != heads.size() && cutPod(section, i, heads, line, sink)) {
        sink.unread(section, i, "row of a table of kubectl is cut");
      } else if (cells.size() != heads.size()) {
        heads = List.of();
      } else if (heads.contains("READY") && heads.contains("STATUS") && heads.contains("RESTARTS")) {
        pod(section, i, heads, cells, sink);
      } else if (!policy.isEmpty()) {
        sink.fact(new ReadyState(Fact.UNKNOWN, policy, object(at(heads, cells, "NAME")), at(heads, cells, "STATUS"), List.of()), section.at(i));
      } else if (section.command().matches(".*\\bget\\s+(?:\\S+\\s+)*?(?:net-attach-def|network-attachment-definitions?(?:\\.k8s\\.cni\\.cncf\\.io)?)\\b.*")) {
        sink.fact(new NetworkDefinition(at(heads, cells, "NAMESPACE"), at(heads, cells, "NAME"), "", "NetworkAttachmentDefinition"), section.at(i));
      }
    }
  }

  /** Which operator's policy a row tells of: the command or the prefix of the name says so, or its name, which the operators prescribe; "" where it is another object. */
  private static String policy(Section section, List<String> heads, List<String> cells) {
    if (cells.size() != heads.size() || !heads.contains("STATUS") || !heads.contains("AGE")) {
      return "";
    }
    String name = at(heads, cells, "NAME");
    String asked = section.command().toLowerCase(Locale.ROOT);
    if (!POLICY_STATE.matcher(at(heads, cells, "STATUS")).matches()) {
      return "";
    }
    boolean nic = name.startsWith("nicclusterpolicy.") || object(name).equals("nic-cluster-policy") || !name.contains("/") && asked.matches(".*\\bget\\b.* nicclusterpolic(?:y|ies)\\b.*");
    boolean node = name.startsWith("nicnodepolicy.") || !name.contains("/") && asked.matches(".*\\bget\\b.* nicnodepolic(?:y|ies)\\b.*");
    boolean gpu = name.startsWith("clusterpolicy.nvidia.com/") || !name.contains("/") && asked.matches(".*\\bget\\b.* clusterpolic(?:y|ies)(?:\\.nvidia\\.com)?(?:[ /].*)?");
    return node ? "NicNodePolicy" : nic ? "NicClusterPolicy" : gpu ? "ClusterPolicy" : "";
  }

  private static String object(String name) {
    return name.substring(name.indexOf('/') + 1);
  }

  /** A row that ends early: its last cell may be cut, too, and what is behind it is not known. */
  private static boolean cutPod(Section section, int index, List<String> heads, String line, Sink sink) {
    List<String> cells = new ArrayList<>(Arrays.asList(GAP.split(line.strip(), -1)));
    int ready = heads.indexOf("READY");
    if (ready < 0 || !heads.contains("STATUS") || !heads.contains("RESTARTS") || cells.size() >= heads.size() || cells.size() < ready + 3 || !cells.get(ready).matches("\\d+/\\d+")) {
      return false;
    }
    cells.remove(cells.size() - 1);
    while (cells.size() < heads.size()) {
      cells.add("<cut>");
    }
    pod(section, index, heads, cells, sink);
    return true;
  }

  private static void pod(Section section, int index, List<String> heads, List<String> cells, Sink sink) {
    String restarts = at(heads, cells, "RESTARTS").replaceFirst(" .*", "");
    String ready = at(heads, cells, "READY");
    Num whole = ready.matches("\\d+/\\d+") ? Num.of(ready.substring(0, ready.indexOf('/')).equals(ready.substring(ready.indexOf('/') + 1)) ? 1 : 0) : Num.UNKNOWN;
    sink.fact(new PodStatus(at(heads, cells, "NAMESPACE"), at(heads, cells, "NAME"), at(heads, cells, "STATUS"), whole, Num.parse(restarts), at(heads, cells, "NODE")), section.at(index));
  }

  private static String at(List<String> heads, List<String> cells, String head) {
    int at = heads.indexOf(head);
    return at < 0 || cells.get(at).startsWith("<") ? Fact.UNKNOWN : cells.get(at);
  }

  /** Cells of a row; a copy that lost its alignment is split at single blanks where that gives the right number. */
  private static List<String> cells(String line, Pattern gap, int count) {
    List<String> cells = new ArrayList<>(Arrays.asList(gap.split(line.strip(), -1)));
    return cells.size() == count ? cells : List.of(line.strip().split("\\s+"));
  }
}
