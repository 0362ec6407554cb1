package gdrproof.probe;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.SshAgentFactory;
import org.apache.sshd.agent.SshAgentServer;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.session.ConnectionService;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** The ssh agent behind `SSH_AUTH_SOCK`, over the socket that Java itself speaks. */
final class AgentSocket extends AbstractAgentProxy {
  private static final int LARGEST_ANSWER = 1 << 20;
  private final SocketChannel channel;

  private AgentSocket(Path socket) throws IOException {
    super(null);
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  protected synchronized Buffer request(Buffer question) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(question.array(), question.rpos(), question.available());
    while (out.hasRemaining()) {
      channel.write(out);
    }
    ByteBuffer head = ByteBuffer.allocate(4);
    fill(head);
    int length = head.flip().getInt();
    if (length < 1 || length > LARGEST_ANSWER) {
      throw new IOException("the ssh agent answers nonsense");
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    fill(body);
    return new ByteArrayBuffer(body.array());
  }

  private void fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new IOException("the ssh agent hung up");
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    super.close();
  }

  /** Connects to the agent for each session; forwards nothing. */
  static SshAgentFactory factory(Path socket) {
    return new SshAgentFactory() {
      @Override
      public List<ChannelFactory> getChannelForwardingFactories(FactoryManager manager) {
        return List.of();
      }

      @Override
      public SshAgent createClient(Session session, FactoryManager manager) throws IOException {
        return new AgentSocket(socket);
      }

      @Override
      public SshAgentServer createServer(ConnectionService service) throws IOException {
        throw new IOException("no forwarding of agents");
      }
    };
  }
}
