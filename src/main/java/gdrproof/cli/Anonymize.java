package gdrproof.cli;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.finding.Diagnosis;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** `gdrproof anonymize BUNDLE OUT`. */
@Command(name = "anonymize", mixinStandardHelpOptions = true,
    description = {"Copies a bundle with hosts, addresses, GUIDs, serials, UUIDs, users, namespaces and jobs replaced by made-up ones, and proves that the diagnosis is the same.", "",
        "Line numbers, columns, devices and interfaces stay, as do relations: the same name is the same everywhere, neighbours stay neighbours, subnets stay subnets, GIDs keep the address they hold. Secrets are redacted. "
            + "What is not text is left out and named. Free prose may still tell things that no rule can find: read it before you publish it."},
    footer = {"", "Examples:", "  gdrproof anonymize evidence/ public/", "  gdrproof anonymize job-4711.tar.gz public.tar.gz", "  gdrproof anonymize evidence/ public/ --map names.json     keep the mapping, for yourself only", "",
        "Exit codes: 0 written and proved, 1 not written: the diagnosis would differ or an original would be left, 2 usage,", "3 internal error, 4 nothing could be read."})
final class Anonymize implements Callable<Integer> {
  private static final int MOST_SHOWN = 6;

  @Parameters(index = "0", paramLabel = "BUNDLE", description = "folder, archive or file of evidence, - for standard input")
  private Path bundle;

  @Parameters(index = "1", paramLabel = "OUT", description = "folder to write, or archive where it ends with .tar.gz or .tgz")
  private Path out;

  @Option(names = "--map", paramLabel = "FILE", description = "write originals and pseudonyms as JSON, readable by you only; without it the mapping is forgotten")
  private Path map;

  @Option(names = "--force", description = "replace OUT and the mapping where they exist")
  private boolean force;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    check();
    Path spool = null;
    try {
      List<Entry> entries;
      if (bundle.toString().equals("-")) {
        // Read twice, so it must lie somewhere; nobody else may read it there.
        spool = Files.createTempDirectory("gdrproof-anonymize");
        Files.copy(System.in, spool.resolve("stdin"));
        entries = Bundle.open(spool);
      } else {
        entries = Bundle.open(bundle);
      }
      return run(new AnonymizeRun(entries, bundle.toString()));
    } catch (IOException e) {
      throw new Unreadable(e);
    } finally {
      if (spool != null) {
        Files.deleteIfExists(spool.resolve("stdin"));
        Files.deleteIfExists(spool);
      }
    }
  }

  private void check() {
    if (!force && Files.exists(out)) {
      throw new ParameterException(spec.commandLine(), out + " exists; use --force to replace it");
    }
    if (map != null && !force && Files.exists(map)) {
      throw new ParameterException(spec.commandLine(), map + " exists; use --force to replace it");
    }
    Path from = bundle.toAbsolutePath().normalize();
    Path to = out.toAbsolutePath().normalize();
    if (!bundle.toString().equals("-") && (to.startsWith(from) || from.startsWith(to))) {
      throw new ParameterException(spec.commandLine(), out + " and " + bundle + " lie within each other; name another place");
    }
    if (map != null && map.toAbsolutePath().normalize().startsWith(to)) {
      throw new ParameterException(spec.commandLine(), "--map " + map + " would be handed on with " + out + "; name another place");
    }
  }

  private int run(AnonymizeRun run) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    Set<String> merged = run.pseudonyms().merged();
    if (!merged.isEmpty()) {
      err.println("gdrproof: not written: no different pseudonyms for " + String.join(", ", merged));
      return ExitCode.FINDINGS.code();
    }
    try (AnonymizeOut staged = new AnonymizeOut(out)) {
      int files = run.write(staged);
      Path result = staged.result();
      List<String> left = run.left(result);
      if (!left.isEmpty()) {
        err.println("gdrproof: not written: an original would be left in the result");
        shown(left, err);
        return ExitCode.FINDINGS.code();
      }
      List<String> differences = run.differences(result);
      if (!differences.isEmpty()) {
        err.println("gdrproof: not written: the diagnosis of the result would differ (names already replaced)");
        shown(differences, err);
        return ExitCode.FINDINGS.code();
      }
      if (map != null) {
        write(run.pseudonyms().mapping());
      }
      staged.accept(force);
      report(run, files);
    }
    return ExitCode.OK.code();
  }

  private static void shown(List<String> lines, PrintWriter err) {
    lines.stream().limit(MOST_SHOWN).forEach(line -> err.println("  " + line));
    if (lines.size() > MOST_SHOWN) {
      err.println("  and " + (lines.size() - MOST_SHOWN) + " more");
    }
  }

  private void write(Map<String, String> mapping) throws IOException {
    Files.deleteIfExists(map);
    boolean posix = Files.getFileStore(map.toAbsolutePath().getParent()).supportsFileAttributeView("posix");
    if (posix) {
      Files.createFile(map, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(map, JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(mapping) + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private void report(AnonymizeRun run, int files) {
    PrintWriter text = spec.commandLine().getOut();
    text.println("Wrote " + files + (files == 1 ? " file" : " files") + " to " + out);
    run.identifiers().counts().forEach((sort, count) -> text.println("  found " + count + " " + sort));
    if (!run.identifiers().words().isEmpty()) {
      text.println("  kept, being words of the tools as well: " + String.join(", ", run.identifiers().words()));
    }
    run.leftOut().forEach((file, why) -> text.println("  left out: " + file + ": " + why));
    Diagnosis d = run.before();
    text.println("Proved: no original of these is left, and the diagnosis is the same (" + d.outcome() + ": " + d.causes().size() + " causes, " + d.open().size() + " open, " + d.observations().size()
        + " observations, " + d.ruledOut().size() + " ruled out, " + d.layers().size() + " layers)");
    text.flush();
  }
}
