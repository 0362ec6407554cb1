package gdrproof.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** `gdrproof completion`: completion of commands and options for bash, and for zsh by its bashcompinit. */
@Command(name = "completion", mixinStandardHelpOptions = true, description = "Prints a completion script for bash and zsh.",
    footer = {"", "Examples:", "  source <(gdrproof completion)                                                  this shell", "  gdrproof completion > ~/.local/share/bash-completion/completions/gdrproof      every bash",
        "  autoload -U bashcompinit && bashcompinit && source <(gdrproof completion)      zsh"})
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
