package gdrproof.report;

import java.io.PrintWriter;

/** One output format of findings. The same findings give the same bytes. */
@FunctionalInterface
public interface FindingWriter {
  void write(FindingReport report, PrintWriter out);
}
