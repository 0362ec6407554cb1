package gdrproof.collect.log;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.ReleaseClash;
import gdrproof.facts.Versions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Finds runs whose processes print messages of different NCCL releases: the newest form that came with a release against the oldest form
 * that ended before it. Rank 0 alone prints its version, so on other ranks the forms are often all there is.
 */
public final class ReleaseClashes {
  private static final Pattern RELEASE = Pattern.compile("2\\.\\d+(?:\\.\\d+)?");

  private record Bound(NcclMessage message, String release) {}

  private ReleaseClashes() {}

  /** Adds a {@link ReleaseClash} for each run that has one, with the lines of both messages as evidence. */
  public static void derive(Ledger ledger) {
    LogCatalogue catalogue = LogCatalogue.load();
    Map<String, Bound> newest = new TreeMap<>();
    Map<String, Bound> oldest = new TreeMap<>();
    for (NcclMessage message : ledger.all(NcclMessage.class)) {
      LogCatalogue.Releases releases = catalogue.releases(message.id());
      if (releases == null || message.process().equals(Fact.UNKNOWN) || message.run().equals(Fact.UNKNOWN)) {
        continue;
      }
      if (RELEASE.matcher(releases.since()).matches()) {
        newest.merge(message.run(), new Bound(message, releases.since()), (a, b) -> Versions.below(a.release(), b.release()) ? b : a);
      }
      if (RELEASE.matcher(releases.until()).matches()) {
        oldest.merge(message.run(), new Bound(message, releases.until()), (a, b) -> Versions.below(b.release(), a.release()) ? b : a);
      }
    }
    newest.forEach((run, young) -> {
      Bound old = oldest.get(run);
      // `until 2.20` includes its patch releases, so only a later minor release contradicts it.
      if (old != null && !old.message().process().equals(young.message().process()) && Versions.below(old.release(), young.release())
          && !Versions.agree(old.release(), young.release())) {
        ReleaseClash clash = new ReleaseClash(young.message().node(), run, young.message().process(), young.message().id(), young.release(),
            old.message().process(), old.message().id(), old.release());
        List<Evidence> lines = new ArrayList<>(ledger.of(young.message()));
        lines.addAll(ledger.of(old.message()));
        lines.sort(Comparator.naturalOrder());
        ledger.add(clash, lines);
      }
    });
  }
}
