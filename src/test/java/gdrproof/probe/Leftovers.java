package gdrproof.probe;

/** Whether a process that a test started still lives; waits a little, since ending takes its time. */
public final class Leftovers {
  private Leftovers() {}

  /** @param words part of a command line that no other process has */
  public static boolean alive(String words) throws InterruptedException {
    for (int i = 0; i < 60; i++) {
      if (!found(words)) {
        return false;
      }
      Thread.sleep(100);
    }
    return true;
  }

  /** The same, at this moment. */
  public static boolean now(String words) {
    return found(words);
  }

  static boolean found(String words) {
    // A process that has ended and waits for its parent has no command line.
    return ProcessHandle.allProcesses().anyMatch(p -> p.info().commandLine().orElse("").contains(words));
  }
}
