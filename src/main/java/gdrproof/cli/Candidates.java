package gdrproof.cli;

import gdrproof.policy.Platforms;
import java.util.Iterator;
import java.util.List;

/** Values of options that a shell completes. */
final class Candidates {
  private Candidates() {}

  static final class Severities implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("info", "warning", "error", "never").iterator();
    }
  }

  static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(Outputs.FORMATS.split(", ")).iterator();
    }
  }

  static final class Stages implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("lint", "diagnose", "review", "accept").iterator();
    }
  }

  static final class Profiles implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Platforms.names().iterator();
    }
  }
}
