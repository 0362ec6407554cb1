package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.HcaSetting;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `mlxreg -d DEVICE --reg_name NAME --get` of MFT 4.x (`mstreg` of mstflint): fields of an adapter's register as they are now. Fields of registers that decide about RDMA
 * are taken; the name of the register is known where the command is.
 */
final class RegisterDump implements Collector {
  private static final Pattern HEAD = Pattern.compile("Field Name\\s*\\|\\s*Data\\s*");
  private static final Pattern ROW = Pattern.compile("(?<name>[a-z][a-z0-9_]+(?:\\[\\d+])?)\\s*\\|\\s*0x(?<value>[0-9a-fA-F]{1,16})\\s*");
  private static final Pattern WANTED = Pattern.compile("adaptive_routing_forced_en|selective_repeat_forced_en|roce_\\w+_en\\w*|cc_\\w+|\\w*relaxed_ordering\\w*");
  private static final Pattern COMMAND = Pattern.compile("\\bm(?:lx|st)reg\\b.*?\\s(?:-d|--device)[ =]?(?<device>\\S+)");
  private static final Pattern TARGET = Pattern.compile("(?:mlx|ib|roce|rocep|ibp)\\w*\\d");

  @Override
  public String tool() {
    return "mlxreg";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = false;
    Matcher command = COMMAND.matcher(section.command());
    String device = command.find() ? command.group("device").replaceAll("^[\"']|[\"']$", "") : Fact.UNKNOWN;
    String hca = TARGET.matcher(device).matches() ? device : Fact.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher row = ROW.matcher(line);
      if (HEAD.matcher(line).matches()) {
        open = true;
        sink.understood(section, i);
      } else if (open && row.matches()) {
        if (WANTED.matcher(row.group("name")).matches()) {
          sink.fact(new HcaSetting(section.node(), device, Fact.UNKNOWN, hca, row.group("name"), String.valueOf(Num.of(Long.parseUnsignedLong(row.group("value"), 16))), Fact.UNKNOWN), section.at(i));
        } else {
          sink.understood(section, i);
        }
      }
    }
  }
}
