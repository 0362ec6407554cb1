package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.SecurityGroup;
import gdrproof.facts.Tri;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * `aws ec2 describe-security-groups` and `describe-security-group-rules` (AWS CLI 2, JSON; the former as text too): whether a group lets all protocols pass between its own members, which
 * EFA needs. A rule for addresses does not count: EFA bypasses IP, so only a rule that names the group itself lets its packets pass.
 */
final class SecurityGroups implements Collector {
  @Override
  public String tool() {
    return "aws ec2 describe-security-groups";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().anyMatch(l -> l.contains("\"SecurityGroupRules\""))) {
      rules(section, sink);
      return;
    }
    if (section.lines().stream().anyMatch(l -> l.startsWith("SECURITYGROUPS\t"))) {
      text(section, sink);
      return;
    }
    if (section.lines().stream().noneMatch(l -> l.contains("\"IpPermissions\""))) {
      return;
    }
    JsonNode root = Json.read(section);
    if (root == null) {
      sink.unread(section, 0, "security groups are no whole JSON");
      return;
    }
    JsonNode groups = root.has("SecurityGroups") ? root.get("SecurityGroups") : root;
    int number = 0;
    for (JsonNode group : groups.isArray() ? groups : java.util.List.of(groups)) {
      String id = Json.text(group, "GroupId");
      int at = Json.line(section, "\"IpPermissions\"", number++);
      boolean rules = group.has("IpPermissions");
      boolean inward = rules && all(group.get("IpPermissions"), id);
      // The rule that falls short is what a reader wants to see.
      int begin = inward && group.has("IpPermissionsEgress") ? Math.max(at, Json.line(section, "\"IpPermissionsEgress\"", number - 1)) : at;
      int shown = begin;
      for (int i = begin; i < Math.min(begin + 4, section.lines().size()); i++) {
        shown = section.lines().get(i).contains("IpProtocol") ? i : shown;
        if (shown != begin) {
          break;
        }
      }
      sink.fact(new SecurityGroup(section.node(), id, rules ? Tri.of(inward) : Tri.UNKNOWN,
          group.has("IpPermissionsEgress") ? Tri.of(all(group.get("IpPermissionsEgress"), id)) : Tri.UNKNOWN), section.at(shown));
    }
  }

  /** `--output text`: a line for each object, the group's before its rules, a rule's before its pairs; fields by the alphabet, so that a rule for all has its protocol alone. */
  private static void text(Section section, Sink sink) {
    String id = "";
    int at = 0;
    boolean rules = false;
    boolean[] both = new boolean[2];
    int way = -1;
    for (int i = 0; i <= section.lines().size(); i++) {
      String[] fields = i < section.lines().size() ? section.lines().get(i).split("\t") : new String[] {"SECURITYGROUPS"};
      switch (fields[0]) {
        case "SECURITYGROUPS" -> {
          // Outward rules stand behind all inward ones: without any the text may be cut, or a query left them out.
          if (!id.isEmpty() && (rules || both[0])) {
            sink.fact(new SecurityGroup(section.node(), id, Tri.of(both[0]), rules ? Tri.of(both[1]) : Tri.UNKNOWN), section.at(at, i - 1));
          }
          id = java.util.Arrays.stream(fields).filter(f -> f.matches("sg-[0-9a-f]{8,17}")).findFirst().orElse("");
          at = i;
          rules = false;
          both = new boolean[2];
          way = -1;
        }
        case "IPPERMISSIONS", "IPPERMISSIONSEGRESS" -> {
          rules |= fields[0].endsWith("EGRESS");
          boolean all = fields.length == 2 && fields[1].strip().equals("-1");
          way = all ? fields[0].endsWith("EGRESS") ? 1 : 0 : -1;
        }
        case "USERIDGROUPPAIRS" -> {
          if (way >= 0 && java.util.List.of(fields).contains(id)) {
            both[way] = true;
          }
        }
        default -> {
          if (!fields[0].matches("IPRANGES|IPV6RANGES|PREFIXLISTIDS|TAGS|")) {
            way = -1;
          }
        }
      }
    }
  }

  /** One entry for each rule, of the groups that were asked for. */
  private static void rules(Section section, Sink sink) {
    JsonNode root = Json.read(section);
    if (root == null) {
      sink.unread(section, 0, "security group rules are no whole JSON");
      return;
    }
    Map<String, boolean[]> open = new TreeMap<>();
    for (JsonNode rule : root.path("SecurityGroupRules")) {
      String id = Json.text(rule, "GroupId");
      boolean[] both = open.computeIfAbsent(id, k -> new boolean[2]);
      if (Json.text(rule, "IpProtocol").equals("-1") && rule.path("ReferencedGroupInfo").toString().contains("\"" + id + "\"")) {
        both[rule.path("IsEgress").asBoolean() ? 1 : 0] = true;
      }
    }
    int at = Json.line(section, "\"SecurityGroupRules\"", 0);
    open.forEach((id, both) -> sink.fact(new SecurityGroup(section.node(), id, Tri.of(both[0]), Tri.of(both[1])), section.at(at)));
  }

  /** A rule for every protocol from or to the group itself. */
  private static boolean all(JsonNode rules, String id) {
    for (JsonNode rule : rules) {
      if (!Json.text(rule, "IpProtocol").equals("-1")) {
        continue;
      }
      if (rule.path("UserIdGroupPairs").toString().contains("\"" + id + "\"")) {
        return true;
      }
    }
    return false;
  }
}
