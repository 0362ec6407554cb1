package gdrproof.probe;

import gdrproof.bundle.ProbeHeader;
import gdrproof.bundle.Redaction;
import gdrproof.probe.Target.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One file of measured output in a bundle. While the command runs the file says that it was stopped, so that a bundle of a killed program is true; at the end its head
 * says how the command ended, and secrets are taken out.
 */
final class Recorder extends OutputStream {
  private final Path file;
  private final String measurement;
  private final Target target;
  private final String command;
  private final String begun = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  private final OutputStream out;
  private final AtomicLong bytes = new AtomicLong();
  private volatile long lastOutput = System.nanoTime();

  Recorder(Path file, String measurement, Target target, String command) throws IOException {
    this.file = file;
    this.measurement = measurement;
    this.target = target;
    this.command = command;
    Files.createDirectories(file.getParent());
    Files.writeString(file, head(-1, 0, ProbeHeader.Status.STOPPED) + prompt());
    this.out = Files.newOutputStream(file, java.nio.file.StandardOpenOption.APPEND);
  }

  private String head(int exit, double seconds, ProbeHeader.Status status) {
    return new ProbeHeader(measurement, target.node(), target.boundary().name().toLowerCase(Locale.ROOT).replace('_', '-'), begun, exit, seconds, status, command).line() + "\n";
  }

  /** The command line as a transcript shows it: readers take host and command from it. */
  private String prompt() {
    return "gdrproof@" + target.node() + ":~$ " + command.replace('\n', ' ') + "\n";
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] block, int from, int length) throws IOException {
    out.write(block, from, length);
    bytes.addAndGet(length);
    lastOutput = System.nanoTime();
  }

  /** What was printed so far. */
  synchronized String text() throws IOException {
    out.flush();
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  double quietSeconds() {
    return (System.nanoTime() - lastOutput) / 1e9;
  }

  Path file() {
    return file;
  }

  /** Writes how the command ended. */
  synchronized void end(Outcome outcome) throws IOException {
    out.close();
    List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().skip(1).toList();
    String body = String.join("\n", Redaction.lines(lines)) + "\n";
    Path whole = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(whole, head(outcome.exit(), outcome.took().toMillis() / 1000.0, status(outcome, body)) + body);
    Files.move(whole, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  private static ProbeHeader.Status status(Outcome outcome, String body) {
    return switch (outcome.status()) {
      case TIMED_OUT -> ProbeHeader.Status.TIMEOUT;
      case STOPPED -> ProbeHeader.Status.STOPPED;
      case UNREACHABLE -> ProbeHeader.Status.UNREACHABLE;
      case DONE -> outcome.cut() ? ProbeHeader.Status.CUT : outcome.exit() == 127 ? ProbeHeader.Status.MISSING_TOOL
          : outcome.exit() != 0 && body.contains("Permission denied") ? ProbeHeader.Status.NO_PERMISSION : outcome.exit() == 0 ? ProbeHeader.Status.DONE : ProbeHeader.Status.FAILED;
    };
  }
}
