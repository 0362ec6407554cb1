package gdrproof.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class PackedYamlTest {
  @Test
  void everyPolicyReadsAsItIsWritten() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of("policies"))) {
      files = all.filter(f -> f.toString().endsWith(".yaml")).toList();
    }
    for (Path file : files) {
      Object root = PolicyYaml.parser().load(Files.readString(file));
      assertEquals(root, Policies.list(Path.of("policies").relativize(file).toString()), file.toString());
    }
  }

  @Test
  void allKindsOfValuesComeBack() throws IOException {
    Object value = new Yaml().load("{a: [1, 2.5, true, null, text, 12345678901], b: {}, 3: x}");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PackedYaml.write(value, new DataOutputStream(bytes));
    assertEquals(value, PackedYaml.read(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
