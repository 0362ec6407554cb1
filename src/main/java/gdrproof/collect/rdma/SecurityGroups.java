package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.SecurityGroup;
import gdrproof.facts.Tri;
import tools.jackson.databind.JsonNode;

/** `aws ec2 describe-security-groups` (AWS CLI 2, JSON): whether a group lets all protocols pass between its own members, which EFA needs. */
final class SecurityGroups implements Collector {
  @Override
  public String tool() {
    return "aws ec2 describe-security-groups";
  }

  @Override
  public void collect(Section section, Sink sink) {
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
      int shown = at;
      for (int i = at; i < Math.min(at + 4, section.lines().size()); i++) {
        shown = section.lines().get(i).contains("IpProtocol") ? i : shown;
        if (shown != at) {
          break;
        }
      }
      sink.fact(new SecurityGroup(section.node(), id, rules ? Tri.of(all(group.get("IpPermissions"), id)) : Tri.UNKNOWN,
          group.has("IpPermissionsEgress") ? Tri.of(all(group.get("IpPermissionsEgress"), id)) : Tri.UNKNOWN), section.at(shown));
    }
  }

  /** A rule for every protocol from or to the group itself, or everywhere. */
  private static boolean all(JsonNode rules, String id) {
    for (JsonNode rule : rules) {
      if (!Json.text(rule, "IpProtocol").equals("-1")) {
        continue;
      }
      boolean self = rule.path("UserIdGroupPairs").toString().contains("\"" + id + "\"");
      boolean everywhere = rule.path("IpRanges").toString().contains("0.0.0.0/0") || rule.path("Ipv6Ranges").toString().contains("::/0");
      if (self || everywhere) {
        return true;
      }
    }
    return false;
  }
}
