package gdrproof.probe;

import gdrproof.bundle.ProbeHeader;
import gdrproof.bundle.ProbeHeader.Status;
import gdrproof.facts.Fact;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * `NODE/host|container` of a bundle: one file for each probe, and `collection.jsonl`, which says what became of each. A file appears whole or not at all; the index
 * grows by whole lines.
 */
final class NodeFolder {
  static final String INDEX = "collection.jsonl";
  private final Path folder;

  NodeFolder(Path bundle, String node, String boundary) throws IOException {
    folder = boundary.equals("cluster") ? bundle.resolve("cluster") : bundle.resolve(safe(node)).resolve(boundary);
    Files.createDirectories(folder);
    // What a killed collection left half written.
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, ".*.part")) {
      for (Path part : parts) {
        Files.deleteIfExists(part);
      }
    }
  }

  /** A host's name is no path. */
  private static String safe(String node) {
    String name = node.replaceAll("[^A-Za-z0-9._-]", "_");
    return name.startsWith(".") ? "_" + name : name;
  }

  /** Whether an earlier collection has this output; one that was cut short by time or connection is taken again. */
  boolean has(String probe) {
    Path file = folder.resolve(probe + ".txt");
    try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      ProbeHeader header = lines.findFirst().map(ProbeHeader::parse).orElse(null);
      return header != null && header.status() != Status.TIMEOUT && header.status() != Status.STOPPED && header.status() != Status.UNREACHABLE;
    } catch (IOException e) {
      return false;
    }
  }

  void store(ProbeHeader header, List<String> body, String reason) throws IOException {
    Path part = folder.resolve("." + header.probe() + ".part");
    StringBuilder text = new StringBuilder(header.line()).append('\n');
    body.forEach(line -> text.append(line).append('\n'));
    Files.writeString(part, text);
    String name = header.probe() + ".txt";
    Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    note(header, reason, name);
  }

  /** A line of the index; file is "" where there is no output. */
  void note(ProbeHeader header, String reason, String file) throws IOException {
    String line = "{\"schema\":\"gdrproof/collection/v1\",\"probe\":" + json(header.probe()) + ",\"node\":" + json(header.host().equals(Fact.UNKNOWN) ? "-" : header.host()) + ",\"boundary\":"
        + json(header.boundary()) + ",\"status\":" + json(header.status().text()) + ",\"reason\":" + json(reason) + ",\"exit\":" + header.exit() + ",\"seconds\":"
        + String.format(Locale.ROOT, "%.2f", header.seconds()) + ",\"time\":" + json(header.time()) + ",\"command\":" + json(header.command()) + ",\"file\":" + json(file) + "}\n";
    synchronized (this) {
      Path index = folder.resolve(INDEX);
      // A collection that was killed in the middle of a line must not spoil the next one.
      String gap = Files.exists(index) && !endsWhole(index) ? "\n" : "";
      Files.writeString(index, gap + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private static boolean endsWhole(Path index) throws IOException {
    try (var channel = Files.newByteChannel(index)) {
      if (channel.size() == 0) {
        return true;
      }
      channel.position(channel.size() - 1);
      var last = java.nio.ByteBuffer.allocate(1);
      channel.read(last);
      return last.get(0) == '\n';
    }
  }

  private static String json(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
