package gdrproof.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

/** A command line run in this process, and what it said. */
record Called(int code, String out, String err) {
  static Called run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err, true), Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
    return new Called(code, out.toString(), err.toString());
  }
}
