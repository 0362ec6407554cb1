package gdrproof.cli;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.probe.Cluster.Access;
import gdrproof.probe.LiveObjects;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A live look at the cluster as a bundle in memory. A class of its own, so that no other lint loads the Kubernetes client. */
final class LintLive {
  private LintLive() {}

  static List<Entry> entries(Access access, PrintWriter err) throws IOException {
    LiveObjects.Read live = LiveObjects.read(access, "lint");
    live.unread().forEach(gap -> err.println("gdrproof: " + gap));
    List<Entry> entries = new ArrayList<>();
    live.asBundle().forEach((name, text) -> {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      entries.add(new Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes)));
    });
    return entries;
  }
}
