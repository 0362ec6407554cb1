package gdrproof.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 over names and contents of files. */
final class Hashes {
  private Hashes() {}

  static String of(List<Path> files) throws IOException {
    MessageDigest digest = sha256();
    for (Path file : files) {
      digest.update(file.getFileName().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      digest.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
