package gdrproof.cli;

/** Exit codes of every command (design section 9). */
public enum ExitCode {
  OK(0),
  FINDINGS(1),
  USAGE(2),
  INTERNAL(3),
  UNREADABLE(4),
  INCONCLUSIVE(5);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
