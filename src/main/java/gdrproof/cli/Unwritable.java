package gdrproof.cli;

/** A report cannot go where the user wants it. Thrown to {@link Main}, which prints the message and ends with {@link ExitCode#USAGE}. */
final class Unwritable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unwritable(String message) {
    super(message);
  }
}
