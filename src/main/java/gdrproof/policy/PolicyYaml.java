package gdrproof.policy;

import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * The YAML of `policies/`: only true and false are truths, as in YAML 1.2. By the older rules `on` is one too, and so `on: run` of an edge was the key TRUE, which
 * nothing reads.
 */
final class PolicyYaml {
  private static final Pattern TRUTH = Pattern.compile("true|True|TRUE|false|False|FALSE");

  private PolicyYaml() {}

  static Yaml parser() {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    DumperOptions dumping = new DumperOptions();
    return new Yaml(new SafeConstructor(options), new Representer(dumping), dumping, options, new Plain());
  }

  private static final class Plain extends Resolver {
    @Override
    public void addImplicitResolver(Tag tag, Pattern regexp, String first, int limit) {
      super.addImplicitResolver(tag, tag.equals(Tag.BOOL) ? TRUTH : regexp, tag.equals(Tag.BOOL) ? "tTfF" : first, limit);
    }
  }
}
