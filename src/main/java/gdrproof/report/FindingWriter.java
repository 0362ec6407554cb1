package gdrproof.report;

import gdrproof.finding.Finding;
import java.io.PrintWriter;
import java.util.List;

/** One output format of findings. The same findings give the same bytes. */
@FunctionalInterface
public interface FindingWriter {
  /**
   * @param findings sorted; violated, inconclusive and suppressed ones
   */
  void write(List<Finding> findings, PrintWriter out);
}
