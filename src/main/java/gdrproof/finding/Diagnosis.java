package gdrproof.finding;

import gdrproof.facts.Evidence;
import gdrproof.facts.Meta.Unread;
import java.util.List;
import java.util.Map;

/** The answer of `diagnose`, ready for a report. */
public record Diagnosis(Outcome outcome, List<Answer> causes, List<Answer> open, List<Answer> observations, List<Answer> symptoms,
    List<LayerState> layers, List<Answer> ruledOut, List<Ask> asks, List<Unread> unread, List<String> failures, List<Round> rounds, Context context) {

  public Diagnosis {
    rounds = List.copyOf(rounds);
  }

  /** The same answer, with how it was come to. */
  public Diagnosis after(List<Round> measured) {
    return new Diagnosis(outcome, causes, open, observations, symptoms, layers, ruledOut, asks, unread, failures, measured, context);
  }

  /**
   * One turn of concluding, asking and measuring.
   *
   * @param causes faults claimed, open faults not decided, before measuring
   * @param asked measurements chosen
   * @param did what became of them
   * @param end why it was the last, "" for all others
   */
  public record Round(int number, Outcome outcome, List<String> causes, List<String> open, List<String> asked, List<Did> did, String end) {}

  /** What became of one command of a round: `done`, `timed-out`, `refused`, `busy`, ...; file is "" for what did not run. */
  public record Did(String measurement, String node, String status, double seconds, String file, String note) {}

  /** What the whole comes to. */
  public enum Outcome {
    FAULT_FOUND,
    NO_FAULT_FOUND,
    INCONCLUSIVE;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /** How sure a cause is. */
  public enum Status {
    PROVEN,
    LIKELY,
    OPEN;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** A line of evidence with the fact it gave. */
  public record Cited(Evidence evidence, String fact) {}

  /**
   * A cause, hypothesis, observation, symptom or exclusion as a report shows it.
   *
   * @param fault fault name, or the symptom's name
   * @param subjects all subjects it was concluded for
   * @param explains messages of the symptoms and faults it explains
   * @param contradictedBy messages of exclusions that speak against it
   * @param missing measurements that would decide
   * @param decisive decisive facts at hand (hypotheses)
   */
  public record Answer(RuleInfo rule, String fault, Layer layer, Status status, List<Subject> subjects, String message, List<Cited> cited, List<Proof> proofs,
      List<String> explains, List<String> contradictedBy, List<String> missing, int decisive, String run) {
    /** Subjects as one text: the first three, then how many more. */
    public String subject() {
      String first = subjects.stream().limit(3).map(Subject::toString).collect(java.util.stream.Collectors.joining(", "));
      return subjects.size() > 3 ? first + " and " + (subjects.size() - 3) + " more" : first;
    }
  }

  /** A step of the ladder. */
  public record LayerState(Layer layer, String verdict, String requires, List<Cited> cited, List<String> missing) {}

  /**
   * A measurement that would separate open hypotheses.
   *
   * @param command as a person would type it; where nodes differ one line for each, with the node behind `# on`
   * @param on nodes it is about
   * @param cost `read-only`, `load` or `state`
   * @param separates faults it would decide between
   * @param stage place in the raw order of loads: link, host memory, GPU memory, one GPU, one node, ...; 0 for what only reads
   * @param seconds how long it takes, about
   * @param splits whether it can tell open hypotheses apart: not all of several wait for it
   * @param steps the exact commands, where the facts name the nodes
   * @param fill slots of the commands that no fact fills, with what would
   */
  public record Ask(String measurement, String command, List<String> on, String cost, List<String> separates, String proves, Layer layer, String boundary, int stage, int seconds,
      boolean splits, List<Step> steps, Map<String, String> fill) {
    /** A command as the catalogue has it, for no node in particular. */
    public Ask(String measurement, String command, List<String> on, String cost, List<String> separates, String proves) {
      this(measurement, command, on, cost, separates, proves, Layer.GPU_TOPOLOGY, "", 0, 0, false, List.of(), Map.of());
    }
  }

  /**
   * One command of a measurement.
   *
   * @param node where it runs; "" where no fact names one
   * @param role `run`, `server` or `client` (server first), `member` (all members of a unit start together)
   * @param unit steps of the same unit belong together; units follow one another
   */
  public record Step(String node, String role, int unit, String command) {
    public static final String RUN = "run";
    public static final String SERVER = "server";
    public static final String CLIENT = "client";
    public static final String MEMBER = "member";
  }

  /**
   * What belongs to no single answer.
   *
   * @param first processes that failed first, each by the clock of its own node
   * @param differences what sets nodes apart from the one they are compared with, those that bear on an answer first
   */
  public record Context(List<First> first, List<Differs> differences) {
    /** No failure in time, nothing compared. */
    public static final Context NONE = new Context(List.of(), List.of());
  }

  /**
   * The first failure of a node.
   *
   * @param rank rank, or unknown
   * @param peer what the message names as the other end, or unknown
   * @param ofRun whether all failures of the run carry stamps of this clock, so that this one was the first of the run
   */
  public record First(String node, String process, String rank, String time, String text, String peer, boolean ofRun, List<Cited> cited) {}

  /**
   * A difference between nodes.
   *
   * @param explains faults among the answers that it is evidence of
   */
  public record Differs(String node, String reference, String aspect, String part, String value, String other, List<String> explains, List<Cited> cited) {}
}
