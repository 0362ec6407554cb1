package gdrproof.probe;

import java.io.OutputStream;
import java.time.Duration;

/**
 * A place where commands run: this machine, a host over ssh, a pod's own container, a node through a short-lived pod. What runs and what is kept of it is decided
 * elsewhere; a target only starts commands, streams their output and stops them.
 */
public interface Target extends AutoCloseable {
  /** Name of the node as the bundle will show it. */
  String node();

  /** Where the commands see the machine from. */
  Boundary boundary();

  /** How the place is reached, for progress and error messages: `ssh root@node7`, `pod train/worker-3`. */
  String describe();

  /**
   * Starts a command without waiting for it.
   *
   * @param out gets standard output and standard error as they come, at most {@link Command#maxBytes}; not closed
   * @throws ProbeException if the place cannot be reached or refuses
   */
  Running start(Command command, OutputStream out) throws ProbeException;

  /** Ends what is still running there and removes what was created there. */
  @Override
  void close();

  /** Whose view of the machine a command has. Only {@link #CONTAINER} proves what a rank of the job sees. */
  enum Boundary {
    HOST,
    CONTAINER,
    DEBUG_CONTAINER
  }

  /**
   * @param shell one line for `/bin/sh -c`
   * @param timeout after which it is stopped
   * @param maxBytes of output that are kept; the rest is read and dropped
   */
  record Command(String shell, Duration timeout, long maxBytes) {}

  /** How a command ended. */
  enum Status {
    DONE,
    TIMED_OUT,
    STOPPED,
    UNREACHABLE
  }

  /**
   * @param exit exit status, -1 where there is none
   * @param cut whether output beyond the limit was dropped
   * @param note what happened, for a person; empty when there is nothing to say
   */
  record Outcome(Status status, int exit, Duration took, boolean cut, String note) {}

  /** A command that was started. */
  interface Running {
    /** Waits for its end; stops it at its time limit. */
    Outcome await() throws InterruptedException;

    /** Ends it and everything that it started: first politely, then not. Idempotent. */
    void stop();
  }
}
