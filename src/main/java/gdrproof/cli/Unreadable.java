package gdrproof.cli;

import java.io.IOException;

/** A bundle that cannot be read, or in which nothing was recognised. Thrown to {@link Main}, which prints the message and ends with {@link ExitCode#UNREADABLE}. */
final class Unreadable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unreadable(IOException cause) {
    super(cause.getMessage(), cause);
  }

  Unreadable(String message) {
    super(message);
  }
}
