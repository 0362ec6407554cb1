package gdrproof.bundle;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be read or written, in words: many of the library's exceptions hold nothing but its name. */
public final class Reasons {
  private Reasons() {}

  /** The reason, with the file's name where the exception tells it. */
  public static String of(IOException e) {
    String name = e instanceof FileSystemException of && of.getFile() != null ? of.getFile() + ": " : "";
    return name + word(e);
  }

  /** The reason alone, for a caller that has named the file. */
  public static String word(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileSystemLoopException) {
      return "links that lead round in a circle";
    }
    if (e instanceof CharacterCodingException) {
      return "not UTF-8 text";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return String.valueOf(e.getMessage());
  }
}
