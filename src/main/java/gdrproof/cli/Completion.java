package gdrproof.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** `gdrproof completion`: completion of commands and options for bash, and for zsh by its bashcompinit. */
@Command(name = "completion", mixinStandardHelpOptions = true, description = "Prints a completion script for bash and zsh.",
    footer = {"", "Examples:", "this bash:", "  source <(gdrproof completion)", "every bash:", "  d=~/.local/share/bash-completion/completions", "  mkdir -p $d && gdrproof completion > $d/gdrproof", "zsh:",
        "  autoload -U bashcompinit && bashcompinit", "  source <(gdrproof completion)"})
final class Completion implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(AutoComplete.bash("gdrproof", Main.commandLine()));
    spec.commandLine().getOut().flush();
    return ExitCode.OK.code();
  }
}
