package gdrproof.cli;

import gdrproof.probe.Cluster.Access;
import gdrproof.probe.LiveObjects;
import gdrproof.review.ReviewInput;
import java.io.IOException;
import java.nio.file.Path;

/** The live cluster as the before state. A class of its own, so that no other review loads the Kubernetes client. */
final class ReviewLive {
  private ReviewLive() {}

  /** What the cluster has against the same with the files of a path applied over it. */
  static ReviewInput[] states(Access access, Path path, String chartBefore, String chartAfter) throws IOException {
    LiveObjects.Read live = LiveObjects.read(access, "live");
    ReviewInput now = ReviewInput.of(live.files(), "", chartBefore, live.unread());
    return new ReviewInput[] {now, now.with(ReviewInput.of(path, chartAfter))};
  }
}
