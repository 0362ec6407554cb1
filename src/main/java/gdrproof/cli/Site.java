package gdrproof.cli;

import gdrproof.facts.Ledger;
import gdrproof.policy.SiteDraft;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof site init`: what a site means to have. */
@Command(name = "site", mixinStandardHelpOptions = true, description = "Writes down what a site means to have (site.yaml).", subcommands = Site.Init.class,
    footer = {"", "Examples:", "  gdrproof site init good-run/"})
final class Site implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name one of: init");
  }

  @Command(name = "init", mixinStandardHelpOptions = true, description = "Drafts site.yaml from the evidence of a good run.",
      footer = {"", "Examples:", "  gdrproof site init good-run/", "  gdrproof site init good-run.tar.gz -o -", "", "Exit codes: 0 written, 2 usage, 3 internal error, 4 nothing of a node was read."})
  static final class Init implements Callable<Integer> {
    @Parameters(paramLabel = "GOOD_BUNDLE", description = "folder, archive or file of evidence, - for standard input")
    private Path bundle;

    @Option(names = {"-o", "--output"}, paramLabel = "FILE", defaultValue = "site.yaml", description = "file to write, - for standard output (default: site.yaml)")
    private String output;

    @Option(names = "--force", description = "overwrite the file")
    private boolean force;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter err = spec.commandLine().getErr();
      Ledger ledger = Pipeline.evidence(bundle);
      String text = SiteDraft.of(ledger);
      if (text.isEmpty()) {
        err.println("gdrproof: " + bundle + ": no GPU and no active HCA port of any node was read; collect nvidia-smi topo -m and ibstat");
        return ExitCode.UNREADABLE.code();
      }
      if (output.equals("-")) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return ExitCode.OK.code();
      }
      try {
        Files.writeString(Path.of(output), text, StandardCharsets.UTF_8, StandardOpenOption.WRITE, force ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW,
            force ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        throw new ParameterException(spec.commandLine(), output + " exists; use --force to overwrite it", e);
      }
      err.println("gdrproof: wrote " + output);
      return ExitCode.OK.code();
    }
  }
}
