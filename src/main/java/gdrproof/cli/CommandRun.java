package gdrproof.cli;

import gdrproof.bundle.Redaction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Runs a job's command, shows its output and keeps it as the run's log, secrets taken out. */
final class CommandRun {
  static final int CANNOT_START = 127;
  private volatile Process process;

  /**
   * @param log file of the bundle; an earlier one is kept under another name
   * @return its exit status, 128 and the signal's number where one ended it
   */
  int run(List<String> command, Path log, PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    if (Files.exists(log)) {
      Files.move(log, log.resolveSibling("run-" + Files.getLastModifiedTime(log).toMillis() + ".log"), StandardCopyOption.REPLACE_EXISTING);
    }
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).redirectInput(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      err.println("gdrproof: " + command.get(0) + " cannot be started: " + e.getMessage());
      return CANNOT_START;
    }
    try (PrintWriter kept = new PrintWriter(Files.newBufferedWriter(log, StandardCharsets.UTF_8), true);
        BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.print(line + System.lineSeparator());
        out.flush();
        kept.println(Redaction.line(line));
      }
    }
    return process.waitFor();
  }

  /** Words behind `--` of the command line. */
  static List<String> behindDashes(CommandSpec spec, List<String> words) {
    List<String> original = spec.root().commandLine().getParseResult().originalArgs();
    int dashes = original.indexOf("--");
    int count = dashes < 0 ? 0 : original.size() - dashes - 1;
    return List.copyOf(words.subList(Math.max(0, words.size() - count), words.size()));
  }

  /** The one word before them. */
  static Path before(CommandSpec spec, List<String> words, List<String> command, String otherwise) {
    List<String> front = words.subList(0, words.size() - command.size());
    if (front.size() > 1) {
      throw new ParameterException(spec.commandLine(), "one folder, not " + String.join(" ", front) + " (a command stands behind --)");
    }
    return Path.of(front.isEmpty() ? otherwise : front.get(0));
  }

  /** Passes a stop on: politely, then not. */
  void stop() {
    Process running = process;
    if (running == null || !running.isAlive()) {
      return;
    }
    running.descendants().forEach(ProcessHandle::destroy);
    running.destroy();
    try {
      if (!running.waitFor(5, TimeUnit.SECONDS)) {
        running.descendants().forEach(ProcessHandle::destroyForcibly);
        running.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

}
