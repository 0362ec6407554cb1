package gdrproof.probe;

import gdrproof.probe.Target.Command;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Whether somebody else works on a node: processes on a GPU, utilisation, traffic on a port, a scheduler's job. Tools that are missing say nothing. */
final class Busy {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String LOOK = "if command -v nvidia-smi >/dev/null 2>&1; then nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null | grep '^ *[0-9]' | sed 's/^ */process /'; "
      + "nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits 2>/dev/null | grep '^ *[0-9]' | sed 's/^ */percent /'; fi; "
      + "words() { s=0; for f in /sys/class/infiniband/*/ports/*/counters/port_xmit_data /sys/class/infiniband/*/ports/*/counters/port_rcv_data; do [ -r \"$f\" ] && s=$((s + $(cat \"$f\"))); done; echo $s; }; "
      + "if [ -d /sys/class/infiniband ]; then a=$(words); sleep 1; b=$(words); echo \"words $((b - a))\"; fi; "
      + "if [ -z \"$SLURM_JOB_ID\" ] && command -v squeue >/dev/null 2>&1; then squeue -h -t R -w \"$(uname -n | cut -d. -f1)\" -o 'job %i' 2>/dev/null; fi; :";

  private Busy() {}

  /** Why a node is busy, "" when nothing shows it. */
  static String why(Target target) throws ProbeException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Target.Running running = target.start(new Command(LOOK, LIMIT, 1 << 16), out);
    try {
      running.await();
    } finally {
      running.stop();
    }
    return judge(out.toString(StandardCharsets.UTF_8));
  }

  static String judge(String seen) {
    int processes = 0;
    for (String line : seen.lines().toList()) {
      String[] words = line.strip().split("\\s+");
      if (words.length < 2) {
        continue;
      }
      switch (words[0]) {
        case "process" -> processes++;
        case "percent" -> {
          if (number(words[1]) > Measuring.limit("busy_gpu_percent")) {
            return "a GPU is " + words[1] + " % busy";
          }
        }
        case "words" -> {
          double gbps = number(words[1]) * 32 / 1e9;
          if (gbps > Measuring.limit("busy_port_gbps")) {
            return "HCA ports carry " + Math.round(gbps) + " Gb/s";
          }
        }
        case "job" -> {
          return "Slurm job " + words[1] + " runs there";
        }
        default -> {
          continue;
        }
      }
    }
    return processes > 0 ? processes + (processes == 1 ? " process uses" : " processes use") + " a GPU" : "";
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
