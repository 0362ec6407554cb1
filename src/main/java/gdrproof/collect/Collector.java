package gdrproof.collect;

import gdrproof.bundle.Section;
import java.util.List;

/**
 * Reads the output of one tool: text in, facts out. It looks for its own blocks by content and leaves everything else
 * alone, so that several tools in one section, prompts, banners and cut ends do no harm. It never throws on content, keeps
 * no state between sections, and proves absence (`Sink.looked`) only after a whole, undamaged output.
 */
public interface Collector {
  /** The tool, as a user would type it. */
  String tool();

  /**
   * Texts of which one stands in the lines, the command or the file name of every section that this collector takes anything from, in this case; none
   * if no texts tell that. Long sections without any are not offered to it: of a log of many megabytes only few readers find something.
   */
  default List<String> hints() {
    return List.of();
  }

  void collect(Section section, Sink sink);
}
