package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;

/**
 * What a conclusion is about. Two subjects are related when one may be part of the other or they are the same thing;
 * an unattributed part (node unknown) may be any.
 *
 * @param kind what sort of thing
 * @param node node name, or unknown; for a pair the first node
 * @param name name of the thing on the node: `mlx5_0:1`, `GPU3`, `host:pid`, an object's id; "" for the node itself
 */
public record Subject(Kind kind, String node, String name) implements Comparable<Subject> {
  /** Sorts of subjects, widest first. */
  public enum Kind {
    RUN,
    NODE,
    PAIR,
    PORT,
    GPU,
    PATH,
    LINK,
    PROCESS,
    CONTAINER,
    OBJECT,
    SETTING
  }

  public static Subject run() {
    return new Subject(Kind.RUN, Fact.UNKNOWN, "");
  }

  public static Subject node(String node) {
    return new Subject(Kind.NODE, node, "");
  }

  public static Subject port(String node, String hca, Num port) {
    return new Subject(Kind.PORT, node, port.known() ? hca + ":" + port : hca);
  }

  public static Subject hca(String node, String hca) {
    return new Subject(Kind.PORT, node, hca);
  }

  public static Subject gpu(String node, String gpu) {
    return new Subject(Kind.GPU, node, gpu);
  }

  /** The way between two devices of a node. */
  public static Subject path(String node, String from, String to) {
    return new Subject(Kind.PATH, node, from + "-" + to);
  }

  /** A link between two switches or a switch and an HCA, by its end's name. */
  public static Subject link(String node, String name) {
    return new Subject(Kind.LINK, node, name);
  }

  public static Subject pair(String nodeA, String nodeB) {
    return nodeA.compareTo(nodeB) <= 0 ? new Subject(Kind.PAIR, nodeA, nodeB) : new Subject(Kind.PAIR, nodeB, nodeA);
  }

  public static Subject process(String node, String process) {
    return new Subject(Kind.PROCESS, node, process);
  }

  public static Subject container(String object, String container) {
    return new Subject(Kind.CONTAINER, Fact.UNKNOWN, object + "/" + container);
  }

  public static Subject object(String id) {
    return new Subject(Kind.OBJECT, Fact.UNKNOWN, id);
  }

  public static Subject setting(String name) {
    return new Subject(Kind.SETTING, Fact.UNKNOWN, name);
  }

  /** Whether a statement about one may bear on the other. */
  public boolean related(Subject other) {
    if (kind == Kind.RUN || other.kind == Kind.RUN || kind == Kind.SETTING || other.kind == Kind.SETTING) {
      return true;
    }
    if (kind == Kind.PAIR || other.kind == Kind.PAIR) {
      return touches(other.node) || other.touches(node) || kind == other.kind && (touches(other.name) || other.touches(name));
    }
    if (!sameNode(other)) {
      return false;
    }
    if (kind == Kind.NODE || other.kind == Kind.NODE || kind == Kind.PROCESS || other.kind == Kind.PROCESS) {
      return true;
    }
    return kind != other.kind || within(name, other.name) || within(other.name, name);
  }

  /** Whether one name is the other or a part of it: `mlx5_1:1` lies within `mlx5_1`, `mlx5_10` does not. */
  private static boolean within(String part, String whole) {
    return part.startsWith(whole) && (part.length() == whole.length() || whole.isEmpty() || !Character.isLetterOrDigit(part.charAt(whole.length())));
  }

  private boolean touches(String host) {
    return host.equals(Fact.UNKNOWN) || node.equals(Fact.UNKNOWN) || node.equals(host) || kind == Kind.PAIR && name.equals(host);
  }

  private boolean sameNode(Subject other) {
    return node.equals(other.node) || node.equals(Fact.UNKNOWN) || other.node.equals(Fact.UNKNOWN);
  }

  @Override
  public int compareTo(Subject other) {
    int byKind = kind.compareTo(other.kind);
    int byNode = byKind != 0 ? byKind : node.compareTo(other.node);
    return byNode != 0 ? byNode : name.compareTo(other.name);
  }

  /** As a report prints it: `node07 mlx5_0:1`, `run`, `n1 <-> n2`. */
  @Override
  public String toString() {
    String host = node.equals(Fact.UNKNOWN) ? "" : node;
    return switch (kind) {
      case RUN -> "run";
      case NODE -> host.isEmpty() ? "unattributed node" : host;
      case PAIR -> node + " <-> " + name;
      case PROCESS -> name.startsWith(node) ? name : (host + " " + name).strip();
      case PORT, GPU, PATH, LINK -> (host + " " + name).strip();
      case CONTAINER, OBJECT, SETTING -> name;
    };
  }
}
