package gdrproof.probe;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;

/** Host keys as OpenSSH's known_hosts has them, hashed names too. An unknown key, a changed or a revoked one is refused; nothing is ever added. */
final class HostKeys implements ServerKeyVerifier {
  private record Known(PublicKey key, boolean revoked, String line) {}

  private final String host;
  private final int port;
  private final List<Path> files;
  private final List<Known> known = new ArrayList<>();
  private volatile String problem = "";

  HostKeys(String host, int port, List<Path> files) throws ProbeException {
    this.host = host;
    this.port = port;
    this.files = files;
    for (Path file : files) {
      if (Files.isReadable(file)) {
        read(file);
      }
    }
  }

  private void read(Path file) throws ProbeException {
    try {
      for (KnownHostEntry entry : KnownHostEntry.readKnownHostEntries(file)) {
        if (entry.getKeyEntry() == null || "cert-authority".equals(entry.getMarker()) || !entry.isHostMatch(host, port)) {
          continue;
        }
        PublicKey key = entry.getKeyEntry().resolvePublicKey(null, PublicKeyEntryResolver.IGNORING);
        if (key != null) {
          known.add(new Known(key, "revoked".equals(entry.getMarker()), file.toString()));
        }
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new ProbeException("cannot read the known host keys of " + file + ": " + e.getMessage(), e);
    }
  }

  /** Types of keys that are known, so that the host is asked for one of them: `ssh-ed25519`. */
  Set<String> types() {
    Set<String> types = new HashSet<>();
    known.forEach(k -> types.add(KeyUtils.getKeyType(k.key())));
    return types;
  }

  /** Why the host's key was refused; "" if it was not. */
  String problem() {
    return problem;
  }

  @Override
  public boolean verifyServerKey(ClientSession session, SocketAddress remote, PublicKey key) {
    boolean found = known.stream().anyMatch(k -> !k.revoked() && KeyUtils.compareKeys(k.key(), key));
    boolean revoked = known.stream().anyMatch(k -> k.revoked() && KeyUtils.compareKeys(k.key(), key));
    if (found && !revoked) {
      return true;
    }
    String name = port == 22 ? host : "[" + host + "]:" + port;
    String offered = KeyUtils.getKeyType(key) + " " + KeyUtils.getFingerPrint(key);
    if (revoked) {
      problem = "its host key (" + offered + ") is marked as revoked in " + files.get(0) + "; refused";
    } else if (known.isEmpty()) {
      problem = "its host key (" + offered + ") is not known: compare it with the host's own (ssh-keygen -lf on its /etc/ssh/ssh_host_*_key.pub), then add it with: ssh-keyscan -p " + port + " " + host
          + " >> " + files.get(0);
    } else {
      Known other = known.get(0);
      problem = "HOST KEY MISMATCH: " + other.line() + " has " + KeyUtils.getKeyType(other.key()) + " " + KeyUtils.getFingerPrint(other.key()) + ", the host offers " + offered
          + ". Either the host was set up anew or somebody is in between; ask who runs it. Only then: ssh-keygen -f " + other.line() + " -R '" + name + "', and add the new key";
    }
    return false;
  }

}
