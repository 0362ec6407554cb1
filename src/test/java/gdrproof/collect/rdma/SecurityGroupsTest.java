package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Net.SecurityGroup;
import gdrproof.facts.Tri;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecurityGroupsTest {
  private static final String GROUP = "SECURITYGROUPS\tefa nodes\tsg-0aa11bb22cc33dd44\tefa\t111122223333\tvpc-0123\n";
  private static final String SELF = "USERIDGROUPPAIRS\tsg-0aa11bb22cc33dd44\t111122223333\n";

  private static List<SecurityGroup> read(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("sg.txt", List.of(text.split("\n", -1)))) {
      new SecurityGroups().collect(section, new Sink(ledger));
    }
    return ledger.all(SecurityGroup.class);
  }

  private static SecurityGroup group(Tri in, Tri out) {
    return new SecurityGroup("unknown", "sg-0aa11bb22cc33dd44", in, out);
  }

  @Test
  void textTellsARuleOfTheGroupForItself() {
    assertEquals(List.of(group(Tri.YES, Tri.YES)), read(GROUP + "IPPERMISSIONS\t22\ttcp\t22\nIPRANGES\t10.0.0.0/8\nIPPERMISSIONS\t-1\n" + SELF + "IPPERMISSIONSEGRESS\t-1\nIPRANGES\t0.0.0.0/0\n" + SELF));
    // Addresses are no rule for the group, and another group is not it.
    assertEquals(List.of(group(Tri.YES, Tri.NO)), read(GROUP + "IPPERMISSIONS\t-1\n" + SELF + "IPPERMISSIONSEGRESS\t-1\nIPRANGES\t0.0.0.0/0\n"));
    assertEquals(List.of(group(Tri.NO, Tri.NO)), read(GROUP + "IPPERMISSIONS\t-1\n" + SELF.replace("0aa1", "0bb1") + "IPPERMISSIONSEGRESS\t443\ttcp\t443\n" + SELF));
  }

  @Test
  void aGroupWithoutAnyRuleInTheTextIsNotJudged() {
    assertEquals(List.of(), read(GROUP));
    assertEquals(List.of(), read("SECURITYGROUPS\tx\n"));
    assertEquals(List.of(), read(GROUP + "IPPERMISSIONS\t-1\n"));
    assertEquals(List.of(group(Tri.YES, Tri.UNKNOWN)), read(GROUP + "IPPERMISSIONS\t-1\n" + SELF));
  }
}
