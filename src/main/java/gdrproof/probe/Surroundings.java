package gdrproof.probe;

import gdrproof.finding.Diagnosis.Step;
import gdrproof.probe.Target.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Clocks, temperatures and counters of the nodes of a load, before, while and after it runs. */
final class Surroundings {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private record Watch(Target.Running running, Recorder recorder) {}

  private final List<Target> targets;
  private final Path folder;
  private final String measurement;
  private final List<Step> extra;
  private final List<Watch> watches = new ArrayList<>();

  /** @param extra what the plan wants around loads, beside the usual */
  Surroundings(List<Target> targets, Path folder, String measurement, List<Step> extra) {
    this.targets = targets;
    this.folder = folder;
    this.measurement = measurement;
    this.extra = extra;
  }

  /** @param moment `before` or `after`: readers find it in the file's name */
  void take(String moment) throws IOException, InterruptedException {
    for (Target target : targets) {
      Set<String> commands = new LinkedHashSet<>(Measuring.around());
      extra.stream().filter(s -> s.node().equals(target.node())).map(s -> s.command().replaceFirst("\\s+# .*$", "")).forEach(commands::add);
      StringBuilder shell = new StringBuilder();
      for (String command : commands) {
        // Each behind its own prompt, so that one file holds them apart; a tool that a node lacks is no error of the measurement.
        shell.append("if command -v ").append(command.split("\\s")[0]).append(" >/dev/null 2>&1; then printf '%s\\n' ").append(Leash.quote("gdrproof@" + target.node() + ":~$ " + command)).append("; ")
            .append(command).append(" 2>/dev/null; fi; ");
      }
      Recorder recorder = new Recorder(folder.resolve(UnitRun.name(target.node()) + "." + moment + ".txt"), measurement + "-" + moment, target, "uname -n");
      Target.Running running = target.start(new Command(shell + "uname -n", LIMIT, Measuring.limit("keep_bytes")), recorder);
      try {
        recorder.end(running.await());
      } finally {
        running.stop();
      }
    }
  }

  void watch(Duration atMost) throws IOException {
    for (Target target : targets) {
      String command = Measuring.during();
      Recorder recorder = new Recorder(folder.resolve(UnitRun.name(target.node()) + ".during.txt"), measurement + "-during", target, command);
      watches.add(new Watch(target.start(new Command(command, atMost, Measuring.limit("keep_bytes")), recorder), recorder));
    }
  }

  void stopWatching() throws IOException, InterruptedException {
    for (Watch watch : watches) {
      watch.running().stop();
      watch.recorder().end(watch.running().await());
    }
    watches.clear();
  }
}
