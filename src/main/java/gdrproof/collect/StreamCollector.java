package gdrproof.collect;

import java.util.List;
import java.util.function.IntFunction;

/**
 * Reads an output of any length line by line, in constant memory: the only kind of collector that sees files above {@link Streams#BLOCK_LIMIT}.
 * It names texts; only lines that hold at least one of them are handed over, found for all collectors in one pass over the bytes.
 */
public interface StreamCollector {
  /** The tool, as a user would type it. */
  String tool();

  /** Texts of at least four bytes (fewer make every line a candidate) of which each line of interest holds one. */
  List<String> literals();

  /** Begins a file. The reader lives until its {@link LineReader#end()}; readers of different files run in parallel. */
  LineReader open(Source source, Sink sink);

  /**
   * A file to be read.
   *
   * @param file path inside the bundle
   * @param node node of a line by its number, where folder or prompt tell it, else unknown
   * @param firstWord where this collector's texts begin in {@link Line#hits()}: text i is bit i % 64 of word firstWord + i / 64
   */
  record Source(String file, IntFunction<String> node, int firstWord) {
    public Source(String file, IntFunction<String> node) {
      this(file, node, 0);
    }
  }

  /** What reads one file. */
  interface LineReader {
    /** A line of interest; the object is reused for the next line, its bytes stay until {@link #flush()}. */
    void line(Line line);

    /** The bytes of the lines so far go; what was put off is done now. */
    default void flush() {}

    /** Whether the next line is wanted whatever it holds, to join what a logger tore apart. */
    default boolean wantsNext() {
      return false;
    }

    /** The file is read; facts that sum up are handed over now. */
    void end();
  }
}
