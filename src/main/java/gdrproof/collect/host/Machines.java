package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Host.Machine;
import gdrproof.facts.Host.Memory;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the node is a virtual machine (kernel log, `lscpu`, `systemd-detect-virt`, DMI), and its memory (/proc/meminfo). */
final class Machines implements Collector {
  private static final Pattern HYPERVISOR = Pattern.compile(
      "(?:Hypervisor detected:|Hypervisor vendor:|Booting paravirtualized kernel on|Detected virtualization)\\s+(?<name>\\S[^.]*?)\\.?\\s*$");
  private static final Pattern DMI = Pattern.compile("^(?:\\[[^\\]]*\\]\\s*)?(?:DMI:|\\s*(?:Manufacturer|Product Name|Vendor):)\\s+(?<name>.+?)\\s*$");
  private static final Pattern VIRTUAL_PRODUCT = Pattern.compile(
      "\\b(?:QEMU|KVM|VMware|VirtualBox|Xen|Virtual Machine|HVM domU|Google Compute Engine|Alibaba Cloud ECS|OpenStack|oVirt|RHEV|Nutanix AHV|Bochs)\\b", Pattern.CASE_INSENSITIVE);
  /** Memory encryption that only guests have; SME alone is the host's. */
  private static final Pattern ENCRYPTED = Pattern.compile("Memory Encryption Features active: (?:AMD )?(?<name>SEV\\b.*|Intel TDX.*)|(?<tdx>tdx: Guest detected)");
  private static final Pattern DETECT = Pattern.compile("systemd-detect-virt|\\bvirt-what\\b");
  private static final Pattern DETECTED = Pattern.compile("^(?:none|kvm|qemu|vmware|microsoft|xen|amazon|oracle|parallels|bhyve|docker|podman|lxc|systemd-nspawn|container-other|google)$");
  private static final Pattern CONTAINER = Pattern.compile("docker|podman|lxc|systemd-nspawn|container-other");
  private static final Pattern BARE = Pattern.compile("bare hardware|native_sched_clock-only", Pattern.CASE_INSENSITIVE);
  private static final Pattern MEMINFO = Pattern.compile("^(?<key>MemTotal|MemAvailable|HugePages_Total|HugePages_Free):\\s+(?<value>\\d+)(?<unit> kB)?\\s*$");

  @Override
  public String tool() {
    return "systemd-detect-virt";
  }

  @Override
  public List<String> hints() {
    return List.of("Hypervisor detected:", "Hypervisor vendor:", "Booting paravirtualized", "Detected virtualization", "DMI:", "Manufacturer:", "Product Name:", "Vendor:", "systemd-detect-virt", "virt-what", "MemTotal", "MemAvailable", "HugePages_", "Memory Encryption Features", "tdx: Guest");
  }

  @Override
  public void collect(Section section, Sink sink) {
    Num[] memory = {Num.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN};
    int first = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher m;
      if ((m = HYPERVISOR.matcher(line)).find()) {
        String name = m.group("name");
        sink.fact(new Machine(section.node(), Tri.of(!BARE.matcher(name).find()), name), section.at(i));
      } else if ((m = ENCRYPTED.matcher(line)).find()) {
        sink.fact(new Machine(section.node(), Tri.YES, m.group().strip()), section.at(i));
      } else if ((m = DMI.matcher(line)).matches() && VIRTUAL_PRODUCT.matcher(m.group("name")).find()) {
        sink.fact(new Machine(section.node(), Tri.YES, m.group("name")), section.at(i));
      } else if (m.matches()) {
        // A maker of real servers: read, and no proof of bare metal, since some hypervisors pass the name through.
        sink.understood(section, i);
      } else if (Views.command(section, DETECT) && DETECTED.matcher(line).matches() && !CONTAINER.matcher(line).matches()) {
        sink.fact(new Machine(section.node(), Tri.of(!line.equals("none")), "systemd-detect-virt: " + line), section.at(i));
      } else if ((m = MEMINFO.matcher(line)).matches()) {
        first = first < 0 ? i : first;
        memory[java.util.List.of("MemTotal", "MemAvailable", "HugePages_Total", "HugePages_Free").indexOf(m.group("key"))] =
            Num.of(Double.parseDouble(m.group("value")) * (m.group("unit") == null ? 1 : 1024));
        sink.understood(section, i);
      }
    }
    if (first >= 0) {
      sink.fact(new Memory(section.node(), memory[0], memory[1], memory[2], memory[3]), section.at(first));
    }
  }
}
