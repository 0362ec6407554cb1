package gdrproof.probe;

import java.io.OutputStream;
import java.nio.file.Path;

/** This machine under a node's name, with the stand-ins of tools first on PATH: real processes, recorded outputs. */
final class StandinTarget implements Target {
  static final Path STANDINS = Path.of("src/test/resources/standins").toAbsolutePath();

  private final LocalTarget local;
  private final String prefix;

  /** @param settings words such as `STANDIN_IB=retry` */
  StandinTarget(String node, Path folder, String... settings) {
    this.local = new LocalTarget(node, Boundary.HOST);
    this.prefix = "export PATH=" + STANDINS + ":/usr/bin:/bin STANDIN_DIR=" + folder + " " + String.join(" ", settings) + "; ";
  }

  @Override
  public String node() {
    return local.node();
  }

  @Override
  public Boundary boundary() {
    return local.boundary();
  }

  @Override
  public String describe() {
    return local.describe();
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    return local.start(new Command(prefix + command.shell(), command.timeout(), command.maxBytes()), out);
  }

  @Override
  public void close() {
    local.close();
  }
}
