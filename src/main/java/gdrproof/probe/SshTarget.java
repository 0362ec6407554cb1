package gdrproof.probe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * A host over ssh: keys of an agent or a file, host keys as known_hosts has them. The commands hang on the connection: when it breaks, or this process dies, the
 * watcher on the other side ends them.
 */
public final class SshTarget implements Target {
  private static final Duration CONNECT = Duration.ofSeconds(20);
  private static final Duration KEEPALIVE = Duration.ofSeconds(10);
  private static final int UNANSWERED = 3;

  /** Where. @param user "" for the one of ssh's configuration, or this process's */
  public record Address(String user, String host, int port) {
    /**
     * `[ssh:][USER@]HOST[:PORT]`, an IPv6 address in brackets.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Address parse(String text) {
      String rest = text.startsWith("ssh://") ? text.substring(6) : text.startsWith("ssh:") ? text.substring(4) : text;
      int at = rest.lastIndexOf('@');
      String user = at < 0 ? "" : rest.substring(0, at);
      String place = rest.substring(at + 1);
      int colon = place.startsWith("[") ? place.indexOf("]:") + 1 : place.indexOf(':') == place.lastIndexOf(':') ? place.indexOf(':') : -1;
      String host = colon > 0 ? place.substring(0, colon) : place;
      String port = colon > 0 ? place.substring(colon + 1) : "22";
      host = host.replaceAll("^\\[|\\]$", "");
      if (host.isEmpty() || host.startsWith("-") || host.contains("/") || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65535) {
        throw new IllegalArgumentException(text + ": not a host; use HOST, USER@HOST or ssh:USER@HOST:PORT");
      }
      return new Address(user, host, Integer.parseInt(port));
    }

    @Override
    public String toString() {
      return "ssh " + (user.isEmpty() ? "" : user + "@") + host + (port == 22 ? "" : " port " + port);
    }
  }

  /**
   * With what.
   *
   * @param keys private keys; the usual ones of ~/.ssh where none is named
   * @param agent socket of an ssh agent, "" for none
   */
  public record Access(List<Path> knownHosts, List<Path> keys, String agent) {
    /** As ssh has it: ~/.ssh and `SSH_AUTH_SOCK`. */
    public static Access usual(List<Path> knownHosts, List<Path> keys) {
      Path home = Path.of(System.getProperty("user.home"), ".ssh");
      List<Path> hosts = knownHosts.isEmpty() ? List.of(home.resolve("known_hosts"), Path.of("/etc/ssh/ssh_known_hosts")) : knownHosts;
      List<Path> own = new ArrayList<>(keys);
      if (keys.isEmpty()) {
        for (String name : List.of("id_ed25519", "id_ecdsa", "id_rsa")) {
          if (Files.isReadable(home.resolve(name))) {
            own.add(home.resolve(name));
          }
        }
      }
      String agent = System.getenv("SSH_AUTH_SOCK");
      return new Access(hosts, own, agent == null ? "" : agent);
    }
  }

  private final Address address;
  private final SshClient client;
  private final ClientSession session;
  private final String node;
  private final String mark = HexFormat.of().formatHex(new SecureRandom().generateSeed(8));
  private final Set<Remote> running = ConcurrentHashMap.newKeySet();

  private SshTarget(Address address, SshClient client, ClientSession session) throws ProbeException {
    this.address = address;
    this.client = client;
    this.session = session;
    this.node = askName();
  }

  /** Connects. @throws ProbeException if the host cannot be reached, is not the known one, or refuses the keys */
  public static SshTarget open(Address address, Access access) throws ProbeException {
    HostKeys keys = new HostKeys(address.host(), address.port(), access.knownHosts());
    SshClient client = client(access, keys);
    client.start();
    try {
      String user = address.user().isEmpty() ? null : address.user();
      ClientSession session = client.connect(user == null ? System.getProperty("user.name") : user, address.host(), address.port()).verify(CONNECT).getSession();
      session.auth().verify(CONNECT);
      return new SshTarget(address, client, session);
    } catch (ProbeException e) {
      client.stop();
      throw e;
    } catch (IOException | RuntimeException e) {
      client.stop();
      throw new ProbeException(address + ": " + reason(e, keys, access), e);
    }
  }

  private static SshClient client(Access access, HostKeys keys) {
    SshClient client = SshClient.setUpDefaultClient();
    client.setServerKeyVerifier(keys);
    client.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
    client.setKeyIdentityProvider(access.keys().isEmpty() ? null : new FileKeyPairProvider(access.keys()));
    if (!access.agent().isEmpty()) {
      client.setAgentFactory(AgentSocket.factory(Path.of(access.agent())));
    }
    CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, KEEPALIVE);
    CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, UNANSWERED);
    Set<String> known = keys.types();
    if (!known.isEmpty()) {
      // A host has keys of several types; it is asked for one that can be compared.
      List<NamedFactory<Signature>> first = new ArrayList<>(client.getSignatureFactories());
      first.sort((a, b) -> Boolean.compare(matches(known, b.getName()), matches(known, a.getName())));
      client.setSignatureFactories(first);
    }
    return client;
  }

  private static boolean matches(Set<String> known, String algorithm) {
    return known.contains(algorithm) || algorithm.startsWith("rsa-sha2-") && known.contains("ssh-rsa");
  }

  private static String reason(Throwable e, HostKeys keys, Access access) {
    if (!keys.problem().isEmpty()) {
      return keys.problem();
    }
    String text = "";
    for (Throwable t = e; t != null; t = t.getCause()) {
      text = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
      if (t instanceof java.nio.channels.UnresolvedAddressException || t instanceof java.net.UnknownHostException) {
        return "the name cannot be resolved";
      }
    }
    if (text.contains("No more authentication methods")) {
      return "no key was accepted (tried " + (access.keys().isEmpty() ? "no key file" : access.keys()) + (access.agent().isEmpty() ? ", no agent" : ", the agent")
          + "); name one with --ssh-key, or load it into the agent when it has a passphrase";
    }
    return text;
  }

  private String askName() throws ProbeException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      start(new Command("cat /proc/sys/kernel/hostname 2>/dev/null || uname -n", CONNECT, 1000), out).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProbeException(address + ": interrupted", e);
    }
    String name = out.toString(StandardCharsets.UTF_8).strip();
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
      close();
      throw new ProbeException(address + ": its shell does not answer (" + name + ")");
    }
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public Boundary boundary() {
    return Boundary.HOST;
  }

  @Override
  public String describe() {
    return address.toString();
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    try {
      String shell = Leash.wrap(command.shell(), mark, command.timeout().plusSeconds(5));
      ChannelExec channel = session.createExecChannel("exec /bin/sh -c " + Leash.quote(shell));
      Remote started = new Remote(channel, command, new Limited(out, command.maxBytes()));
      channel.setOut(started.sink);
      channel.setRedirectErrorStream(true);
      channel.open().verify(CONNECT);
      running.add(started);
      return started;
    } catch (IOException | RuntimeException e) {
      throw new ProbeException("the connection to " + address.host() + " broke: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    running.forEach(Remote::stop);
    try {
      if (session.isOpen() && !running.isEmpty()) {
        // What left its group is found by its mark.
        session.executeRemoteCommand("/bin/sh -c " + Leash.quote(Leash.sweep(mark)));
      }
    } catch (IOException | UncheckedIOException e) {
      // The watchers over there end what the connection held.
      session.close(true);
    }
    session.close(true);
    client.stop();
  }

  private final class Remote implements Running {
    private final ChannelExec channel;
    private final Command command;
    private final Limited output;
    private final long begun = System.nanoTime();
    private volatile boolean stopped;
    private final OutputStream sink = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] block, int offset, int length) throws IOException {
        output.write(java.util.Arrays.copyOfRange(block, offset, offset + length), length);
      }
    };

    Remote(ChannelExec channel, Command command, Limited output) {
      this.channel = channel;
      this.command = command;
      this.output = output;
    }

    @Override
    public Outcome await() throws InterruptedException {
      Duration left = command.timeout().minusNanos(System.nanoTime() - begun);
      boolean ended = closed(left);
      boolean byOthers = stopped;
      if (!ended) {
        stop();
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      running.remove(this);
      Integer exit = channel.getExitStatus();
      if (byOthers) {
        return new Outcome(Status.STOPPED, -1, took, output.cut(), "stopped");
      }
      if (!ended) {
        return new Outcome(Status.TIMED_OUT, -1, took, output.cut(), "stopped at its limit of " + command.timeout().toSeconds() + " s");
      }
      if (exit == null) {
        return new Outcome(Status.UNREACHABLE, -1, took, output.cut(), "the connection to " + address.host() + " broke");
      }
      return new Outcome(Status.DONE, exit, took, output.cut(), "");
    }

    private boolean closed(Duration limit) throws InterruptedException {
      if (Thread.interrupted()) {
        stop();
        throw new InterruptedException();
      }
      Set<ClientChannelEvent> events = channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), Math.max(1, limit.toMillis()));
      return events.contains(ClientChannelEvent.CLOSED);
    }

    @Override
    public void stop() {
      stopped = true;
      try {
        OutputStream leash = channel.getInvertedIn();
        if (leash != null && channel.isOpen()) {
          leash.close();
        }
        channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), (Leash.GRACE_SECONDS + 2) * 1000L);
      } catch (IOException e) {
        channel.close(true);
      }
      channel.close(true);
    }
  }
}
