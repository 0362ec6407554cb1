package gdrproof.collect;

import gdrproof.bundle.Section;

/**
 * Reads the output of one tool: text in, facts out. It looks for its own blocks by content and leaves everything else
 * alone, so that several tools in one section, prompts, banners and cut ends do no harm. It never throws on content, keeps
 * no state between sections, and proves absence (`Sink.looked`) only after a whole, undamaged output.
 */
public interface Collector {
  /** The tool, as a user would type it. */
  String tool();

  void collect(Section section, Sink sink);
}
