package gdrproof.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Runs the short commands on tiny built-in input, so that the class-data archive which the launcher makes of this run holds
 * the classes they need. It compiles no rules: an archive of such a run could not be made on every JDK.
 */
@Command(name = "warmup", hidden = true, description = "Makes the class-data archive (used by the launcher).")
final class Warmup implements Callable<Integer> {
  private static final List<String> SAMPLES = List.of("nccl.log", "job.yaml");

  @Parameters(arity = "0..1", defaultValue = "", description = "The command to warm up for; none: all short ones.")
  private String only;

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("gdrproof-warmup");
    try {
      for (String name : SAMPLES) {
        try (InputStream sample = Warmup.class.getResourceAsStream("/gdrproof/warmup/" + name)) {
          Files.copy(sample, folder.resolve(name));
        }
      }
      if (!only.equals("lint")) {
        run("diagnose", folder.resolve("nccl.log").toString());
        run("diagnose", "-o", "json", folder.toString());
        run("--help");
        run("diagnose", "--help");
      }
      run("lint", folder.resolve("job.yaml").toString());
      run("lint", "-o", "json", folder.resolve("job.yaml").toString());
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return ExitCode.OK.code();
  }

  private static void run(String... arguments) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Main.headStart(arguments);
    Main.run(nowhere, nowhere, arguments);
  }
}
