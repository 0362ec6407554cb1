package gdrproof.cli;

import picocli.CommandLine.IVersionProvider;

/** The program's version, from the jar's manifest. */
public final class Version implements IVersionProvider {
  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"gdrproof " + text()};
  }
}
