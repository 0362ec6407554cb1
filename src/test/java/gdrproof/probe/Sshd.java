package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gdrproof.probe.SshTarget.Access;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A real sshd on a high port, with keys made for the test. Tests skip where openssh-server is not installed. */
public final class Sshd implements AutoCloseable {
  private final Path folder;
  private final Process process;
  private final int port;
  private final Access access;

  private Sshd(Path folder, Process process, int port, Access access) {
    this.folder = folder;
    this.process = process;
    this.port = port;
    this.access = access;
  }

  /** @param before words in front of sshd: `ip netns exec NAME` */
  public static Sshd start(Path folder, String address, String... before) throws IOException, InterruptedException {
    Path sshd = Path.of("/usr/sbin/sshd");
    assumeTrue(Files.isExecutable(sshd), "openssh-server is not installed");
    for (String name : List.of("host", "user", "other")) {
      if (!Files.exists(folder.resolve(name))) {
        run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", folder.resolve(name).toString()));
      }
    }
    Files.copy(folder.resolve("user.pub"), folder.resolve("authorized"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(folder.resolve("authorized"), PosixFilePermissions.fromString("rw-------"));
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path config = folder.resolve("sshd-" + port + ".conf");
    Files.writeString(config, "Port " + port + "\nListenAddress " + address + "\nHostKey " + folder.resolve("host") + "\nAuthorizedKeysFile " + folder.resolve("authorized")
        + "\nStrictModes no\nPidFile none\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\nMaxSessions 20\n");
    Path known = folder.resolve("known-" + port);
    Files.writeString(known, "[" + address + "]:" + port + " " + Files.readString(folder.resolve("host.pub")));
    if (Files.isDirectory(Path.of("/run")) && Files.isWritable(Path.of("/run"))) {
      Files.createDirectories(Path.of("/run/sshd"));
    }
    List<String> command = new ArrayList<>(List.of(before));
    command.addAll(List.of(sshd.toString(), "-D", "-e", "-f", config.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("sshd-" + port + ".log").toFile()).start();
    Sshd server = new Sshd(folder, process, port, new Access(List.of(known), List.of(folder.resolve("user")), ""));
    for (int i = 0; i < 100; i++) {
      if (!process.isAlive()) {
        throw new IOException("sshd ended: " + Files.readString(folder.resolve("sshd-" + port + ".log")));
      }
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(address, port), 200);
        return server;
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
    throw new IOException("sshd does not listen");
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), command::toString);
  }

  public int port() {
    return port;
  }

  public Access access() {
    return access;
  }

  public String publicKey(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".pub"));
  }

  /** Kills the processes that serve connections, as a dying host would. */
  public void killSessions() {
    process.toHandle().children().forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  /** An agent that holds the user's key. */
  public Agent agent() throws IOException, InterruptedException {
    Path socket = folder.resolve("agent");
    Process agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString()).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    for (int i = 0; i < 100 && !Files.exists(socket); i++) {
      Thread.sleep(50);
    }
    ProcessBuilder add = new ProcessBuilder("ssh-add", "-q", folder.resolve("user").toString()).inheritIO();
    add.environment().put("SSH_AUTH_SOCK", socket.toString());
    assertEquals(0, add.start().waitFor());
    return new Agent(agent, socket);
  }

  /** A running agent. */
  public record Agent(Process process, Path socket) implements AutoCloseable {
    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
