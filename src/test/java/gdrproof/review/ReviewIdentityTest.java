package gdrproof.review;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.cli.ReviewRun;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Any configuration of the change matrix, its keys in another order, its texts quoted otherwise, indented and folded otherwise, means the same. */
class ReviewIdentityTest {
  private static final Path MATRIX = Path.of("fixtures/_changes");
  private static final ReviewRun REVIEW = new ReviewRun(List.of());
  private static final int VARIANTS = 2;

  @TempDir
  private Path folder;

  @TestFactory
  List<DynamicTest> rewrittenConfigurationsMeanTheSame() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> folders = Files.list(MATRIX)) {
      for (Path each : folders.filter(Files::isDirectory).sorted().toList()) {
        tests.add(dynamicTest(each.getFileName().toString(), () -> check(each.resolve("after"))));
      }
    }
    return tests;
  }

  private void check(Path state) throws IOException {
    for (int seed = 1; seed <= VARIANTS; seed++) {
      Path other = folder.resolve(state.getParent().getFileName() + "-" + seed);
      rewrite(state, other, new Random(seed));
      int now = seed;
      assertEquals(List.of(), REVIEW.run(ReviewInput.of(state, ""), ReviewInput.of(other, "")).entries(), () -> state + " rewritten with seed " + now);
      assertEquals(List.of(), REVIEW.run(ReviewInput.of(other, ""), ReviewInput.of(state, "")).entries(), () -> state + " rewritten with seed " + now + ", backwards");
    }
  }

  private static void rewrite(Path from, Path to, Random random) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.writeString(target, rewritten(Files.readString(file), random));
      }
    }
    assertTrue(Files.isDirectory(to), from + " holds files");
  }

  private static String rewritten(String text, Random random) {
    DumperOptions options = new DumperOptions();
    options.setIndent(2 + random.nextInt(4));
    options.setIndicatorIndent(random.nextBoolean() ? 0 : 1);
    options.setWidth(60 + random.nextInt(200));
    options.setSplitLines(false);
    Yaml yaml = new Yaml(options);
    StringBuilder all = new StringBuilder("# another hand\n");
    for (Node document : yaml.composeAll(new StringReader(text))) {
      StringWriter out = new StringWriter();
      yaml.serialize(changed(document, random), out);
      all.append("---\n").append(out);
    }
    return all.toString();
  }

  private static Node changed(Node node, Random random) {
    if (node instanceof MappingNode map) {
      List<NodeTuple> tuples = new ArrayList<>();
      map.getValue().forEach(t -> tuples.add(new NodeTuple(t.getKeyNode(), changed(t.getValueNode(), random))));
      Collections.shuffle(tuples, random);
      return new MappingNode(map.getTag(), tuples, random.nextInt(6) == 0 ? FlowStyle.FLOW : FlowStyle.BLOCK);
    }
    if (node instanceof SequenceNode list) {
      return new SequenceNode(list.getTag(), list.getValue().stream().map(n -> changed(n, random)).toList(), random.nextInt(4) == 0 ? FlowStyle.FLOW : FlowStyle.BLOCK);
    }
    ScalarNode scalar = (ScalarNode) node;
    if (!scalar.getTag().equals(Tag.STR) || scalar.getValue().contains("\n")) {
      return scalar;
    }
    ScalarStyle[] styles = {ScalarStyle.PLAIN, ScalarStyle.SINGLE_QUOTED, ScalarStyle.DOUBLE_QUOTED};
    return new ScalarNode(scalar.getTag(), scalar.getValue(), null, null, styles[random.nextInt(styles.length)]);
  }
}
