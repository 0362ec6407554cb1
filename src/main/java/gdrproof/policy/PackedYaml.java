package gdrproof.policy;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Policy files as the build packs them: the same maps, lists and scalars, read in a fraction of the time that a cold YAML parser
 * takes. `PackedYaml POLICIES_DIR CLASSES_DIR` writes NAME.bin beside the copy of each file; one that cannot be packed is read as YAML.
 */
public final class PackedYaml {
  static final String SUFFIX = ".bin";

  private PackedYaml() {}

  public static void main(String[] args) throws IOException {
    Path policies = Path.of(args[0]);
    Path target = Path.of(args[1]).resolve("policies");
    List<Path> files;
    try (Stream<Path> all = Files.walk(policies)) {
      files = all.filter(f -> f.toString().endsWith(".yaml")).sorted().toList();
    }
    for (Path file : files) {
      Path out = target.resolve(policies.relativize(file) + SUFFIX);
      Files.createDirectories(out.getParent());
      Files.deleteIfExists(out);
      try (Reader reader = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
        Object root = PolicyYaml.parser().load(reader);
        if (packable(root)) {
          try (DataOutputStream stream = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(out)))) {
            write(root, stream);
          }
        }
      } catch (YAMLException e) {
        // A test and the program itself say what is wrong with it.
        System.err.println("policies: " + file + " cannot be packed: " + e.getMessage());
      }
    }
  }

  private static boolean packable(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().allMatch(e -> packable(e.getKey()) && packable(e.getValue()));
    }
    if (value instanceof List<?> list) {
      return list.stream().allMatch(PackedYaml::packable);
    }
    return value == null || value instanceof Integer || value instanceof Long || value instanceof Double || value instanceof Boolean
        || value instanceof String text && text.length() < 20_000;
  }

  static void write(@Nullable Object value, DataOutputStream out) throws IOException {
    if (value == null) {
      out.writeByte('n');
    } else if (value instanceof Map<?, ?> map) {
      out.writeByte('m');
      out.writeInt(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        write(entry.getKey(), out);
        write(entry.getValue(), out);
      }
    } else if (value instanceof List<?> list) {
      out.writeByte('l');
      out.writeInt(list.size());
      for (Object each : list) {
        write(each, out);
      }
    } else if (value instanceof Integer number) {
      out.writeByte('i');
      out.writeInt(number);
    } else if (value instanceof Long number) {
      out.writeByte('j');
      out.writeLong(number);
    } else if (value instanceof Double number) {
      out.writeByte('d');
      out.writeDouble(number);
    } else if (value instanceof Boolean truth) {
      out.writeByte(truth ? 't' : 'f');
    } else {
      out.writeByte('s');
      out.writeUTF((String) value);
    }
  }

  /** The root of a packed file. */
  static @Nullable Object read(InputStream stream) throws IOException {
    return value(new DataInputStream(new java.io.ByteArrayInputStream(stream.readAllBytes())));
  }

  private static @Nullable Object value(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    switch (kind) {
      case 'm' -> {
        int size = in.readInt();
        Map<Object, Object> map = new LinkedHashMap<>(size * 2);
        for (int i = 0; i < size; i++) {
          Object key = value(in);
          map.put(key, value(in));
        }
        return Collections.unmodifiableMap(map);
      }
      case 'l' -> {
        int size = in.readInt();
        List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
          list.add(value(in));
        }
        return Collections.unmodifiableList(list);
      }
      case 'i' -> {
        return in.readInt();
      }
      case 'j' -> {
        return in.readLong();
      }
      case 'd' -> {
        return in.readDouble();
      }
      case 't', 'f' -> {
        return kind == 't';
      }
      case 's' -> {
        return in.readUTF();
      }
      case 'n' -> {
        return null;
      }
      default -> throw new IOException("packed policy damaged");
    }
  }
}
