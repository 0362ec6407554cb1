package gdrproof.finding.reading;

import gdrproof.facts.Num;
import gdrproof.finding.Diagnosis.Cited;
import java.util.List;

/**
 * What one benchmark run amounts to: its figures, what each part of the hardware would allow, which part limits, and where the rest went.
 *
 * @param plateauGBps busbw of the large-message plateau, algbwGBps algbw there, GB/s
 * @param plateauBytes smallest size of the plateau
 * @param factor how busbw follows from algbw for this collective and this many ranks, in words
 * @param halfBytes smallest size that reaches half of the plateau, or unknown
 * @param parts what each part allows, in busbw of this collective
 * @param limiting name of the part that allows least, or unknown where no part is known
 * @param expectedGBps busbw to expect of it, or unknown
 * @param share measured over expected, reached whether that is near enough for the limiting part to be what limits
 * @param steps the waterfall from line rate to the measured figure; empty where no rate is known
 * @param notes what a reader must know before comparing the figure
 */
public record Reading(String run, String collective, Num ranks, Num nodes, Num plateauGBps, Num algbwGBps, Num plateauBytes, String factor, Num halfBytes, List<Part> parts, String limiting,
    Num expectedGBps, Num share, boolean reached, List<Step> steps, List<String> notes, List<Cited> cited) {
  /** What one part of the hardware allows: network, PCIe of the HCAs, PCIe of the GPUs, NVLink; GB/s of busbw, and the arithmetic in words. */
  public record Part(String name, Num gBps, String how) {}

  /**
   * A step of the waterfall.
   *
   * @param gBps what is left after it, GB/s
   * @param lossGBps what it took; never negative
   * @param tie the cause the loss is tied to, `inherent` where no configuration avoids it, `unexplained`, or "" where nothing was lost
   * @param how the arithmetic in words
   */
  public record Step(String name, Num gBps, Num lossGBps, String tie, String how) {}
}
