package gdrproof.probe;

import java.io.IOException;

/** A target that cannot be reached, or refuses; the message says what to do. */
public final class ProbeException extends IOException {
  private static final long serialVersionUID = 1L;

  public ProbeException(String message) {
    super(message);
  }

  public ProbeException(String message, Throwable cause) {
    super(message, cause);
  }
}
