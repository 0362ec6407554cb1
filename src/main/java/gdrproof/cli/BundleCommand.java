package gdrproof.cli;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Redaction;
import gdrproof.bundle.Text;
import gdrproof.finding.record.Escalation;
import gdrproof.finding.record.Escalation.Need;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof bundle escalate`: evidence for somebody else. */
@Command(name = "bundle", mixinStandardHelpOptions = true, description = "Hands evidence on.", subcommands = BundleCommand.Escalate.class,
    footer = {"", "Examples:", "  gdrproof bundle escalate evidence/ escalation.tar.gz"})
final class BundleCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name one of: escalate");
  }

  @Command(name = "escalate", mixinStandardHelpOptions = true, description = "Writes the evidence, redacted, as an archive for escalation, and says what is missing from it.",
      footer = {"", "Examples:", "  gdrproof bundle escalate evidence/ escalation.tar.gz", "  gdrproof bundle escalate job-4711.tar.gz -o escalation.tar.gz --force", "",
          "Exit codes: 0 written and complete, 1 written with something missing, 2 usage, 3 internal error, 4 nothing could be read."})
  static final class Escalate implements Callable<Integer> {
    private static final int LARGEST = 256 << 20;
    private static final int MODE = 0644;

    @Parameters(index = "0", paramLabel = "BUNDLE", description = "folder, archive or file of evidence")
    private Path bundle;

    @Parameters(index = "1", arity = "0..1", paramLabel = "OUT", description = "archive to write (.tar.gz)")
    private Path out;

    @Option(names = {"-o", "--output"}, paramLabel = "FILE", description = "the same as OUT")
    private Path output;

    @Option(names = "--force", description = "overwrite the archive")
    private boolean force;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter err = spec.commandLine().getErr();
      Path file = out == null ? output : out;
      if (file == null) {
        throw new ParameterException(spec.commandLine(), "name the archive to write: OUT or -o FILE");
      }
      if (Files.exists(file) && !force) {
        throw new ParameterException(spec.commandLine(), file + " exists; use --force to overwrite it");
      }
      List<Entry> entries;
      try {
        entries = Bundle.open(bundle);
      } catch (IOException e) {
        err.println("gdrproof: " + e.getMessage());
        return ExitCode.UNREADABLE.code();
      }
      if (entries.isEmpty()) {
        err.println("gdrproof: " + bundle + ": holds no file");
        return ExitCode.UNREADABLE.code();
      }
      List<Need> needs = Escalation.of(Pipeline.facts(bundle));
      List<String> left = write(entries, needs, file);
      PrintWriter text = spec.commandLine().getOut();
      lines(needs, left).forEach(text::println);
      text.flush();
      return needs.stream().allMatch(Need::present) ? ExitCode.OK.code() : ExitCode.FINDINGS.code();
    }

    /** Files that were left out, with why. */
    private static List<String> write(List<Entry> entries, List<Need> needs, Path file) throws IOException {
      List<String> left = new ArrayList<>();
      GzipParameters parameters = new GzipParameters();
      try (OutputStream raw = new BufferedOutputStream(Files.newOutputStream(file));
          TarArchiveOutputStream tar = new TarArchiveOutputStream(new GzipCompressorOutputStream(raw, parameters), StandardCharsets.UTF_8.name())) {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        for (Entry entry : entries) {
          List<String> lines;
          try (InputStream stream = entry.open()) {
            byte[] bytes = stream.readNBytes(LARGEST + 1);
            lines = bytes.length > LARGEST ? null : Text.lines(bytes);
            if (lines == null) {
              left.add(entry.name() + ": " + (bytes.length > LARGEST ? "larger than " + (LARGEST >> 20) + " MiB" : "not text, so it cannot be redacted"));
              continue;
            }
          } catch (IOException e) {
            left.add(entry.name() + ": " + e.getMessage());
            continue;
          }
          put(tar, "evidence/" + entry.name(), Redaction.lines(lines));
        }
        put(tar, "MISSING.md", lines(needs, left));
        tar.finish();
      }
      return left;
    }

    private static void put(TarArchiveOutputStream tar, String name, List<String> lines) throws IOException {
      byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
      TarArchiveEntry entry = new TarArchiveEntry(name);
      entry.setSize(bytes.length);
      entry.setMode(MODE);
      entry.setModTime(0L);
      tar.putArchiveEntry(entry);
      tar.write(bytes);
      tar.closeArchiveEntry();
    }

    private static List<String> lines(List<Need> needs, List<String> left) {
      List<String> lines = new ArrayList<>();
      long missing = needs.stream().filter(n -> !n.present()).count();
      lines.add(missing == 0 ? "# Complete: nothing is missing from this archive" : "# " + missing + " of " + needs.size() + " parts are missing from this archive");
      lines.add("");
      for (Need need : needs) {
        String where = need.missingOn().isEmpty() ? "" : " on " + String.join(", ", need.missingOn());
        lines.add("- " + (need.present() ? "there: " : "MISSING" + where + ": ") + need.what());
        if (!need.present()) {
          lines.add("      " + need.command());
        }
      }
      if (!left.isEmpty()) {
        lines.add("");
        lines.add("Left out:");
        left.forEach(l -> lines.add("- " + l));
      }
      return lines;
    }
  }
}
