package gdrproof.collect.launch;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Launch.MpiVersion;
import gdrproof.facts.Launch.SlurmJob;
import gdrproof.facts.Launch.TaggedOutput;
import gdrproof.facts.Ledger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Facts of launchers in the keys of the sample list. */
public final class LaunchSampleKeys extends SampleKeys {
  private static final Map<String, String> ERRORS = Map.of("rank-exit", "rank-exit", "ranks-returned", "rank-exit", "no-executable", "no-executable", "no-hostfile", "no-hostfile",
      "not-enough-slots", "not-enough-slots", "rank-signal", "rank-signal", "daemon-launch", "daemon-launch", "daemon-lost", "daemon-lost", "root-refused", "root-refused");

  @Override
  protected void translate(String tool, Ledger ledger) {
    Set<String> ids = new TreeSet<>();
    ledger.all(LaunchMessage.class).forEach(m -> ids.add(m.id()));
    Set<String> hosts = new TreeSet<>();
    for (LaunchMessage m : ledger.all(LaunchMessage.class)) {
      // "Primary job terminated" only announces what the next box says.
      if (ERRORS.containsKey(m.id()) && !(m.id().equals("ranks-returned") && ids.contains("rank-signal"))) {
        put("error", ERRORS.get(m.id()));
      }
      if (m.level().equals("warning")) {
        put("level", "warning");
      }
      known("device", m.field("localdevice"));
      known("localHost", m.field("localhost"));
      known("signal", m.field("signal"));
      known("slotsRequested", m.field("slots"));
      if (m.id().equals("tcp-unreachable")) {
        put("peerAddress", m.field("message").replaceAll(".*connect\\(\\) to (\\S+) failed.*", "$1"));
        put("errno", m.field("error").replaceAll(".*\\((\\d+)\\).*", "$1"));
      }
      if (m.id().startsWith("ssh-")) {
        put("cause", m.id().equals("ssh-resolve") ? "name-resolution" : m.field("why").contains("refused") ? "connection-refused" : "other");
      }
      for (String field : List.of("host", "node", "remotedaemonnode")) {
        if (m.fields().containsKey(field)) {
          hosts.add(m.field(field));
        }
      }
    }
    if (!hosts.isEmpty()) {
      put("hostList", String.join(",", hosts));
    }
    ledger.all(MpiVersion.class).forEach(v -> {
      put("impl", v.implementation());
      put("version", v.version());
    });
    ledger.all(TaggedOutput.class).forEach(t -> {
      put("ranks", t.ranks());
      put("tagged", "true");
    });
    for (SlurmJob job : ledger.all(SlurmJob.class)) {
      known("nodeList", job.nodeList());
      known("hostList", job.hosts());
      known("nodeCount", job.nodes());
      known("tasks", job.tasks());
      known("tasksPerNode", job.tasksPerNode());
      known("gpusPerNode", job.gpusPerNode());
      known("procId", job.procId());
      known("localId", job.localId());
    }
    ledger.all(Limit.class).forEach(l -> put((l.node().equals(Fact.UNKNOWN) ? "" : l.node() + "@") + "memlockBytes", l.bytes()));
  }
}
