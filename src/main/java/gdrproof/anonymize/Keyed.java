package gdrproof.anonymize;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Choices that depend on a key and a text only. The key comes from all identifiers of the bundle together, so the same bundle gives the same
 * pseudonyms, and who does not know the bundle cannot try candidates.
 */
final class Keyed {
  private static final Pattern UUID = Pattern.compile("[0-9a-fA-F-]{36}");
  private final Mac mac;

  Keyed(String secret) {
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] bytes(String text) {
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A number from 0 on. */
  int number(String text) {
    byte[] b = bytes(text);
    return (b[0] & 0x7F) << 24 | (b[1] & 0xFF) << 16 | (b[2] & 0xFF) << 8 | b[3] & 0xFF;
  }

  /** A text of the same shape: digits for digits, letters for letters, hexadecimal digits for those of a hexadecimal text. */
  String likeness(String text) {
    return likeness(text, text.matches("[0-9a-fA-F]+") && text.length() >= 8 || UUID.matcher(text).matches());
  }

  private String likeness(String text, boolean hex) {
    StringBuilder made = new StringBuilder(text.length());
    byte[] b = bytes(text.toLowerCase(Locale.ROOT));
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (i > 0 && i % 32 == 0) {
        b = bytes(text.toLowerCase(Locale.ROOT) + i);
      }
      int n = b[i % 32] & 0xFF;
      if (Character.isDigit(c)) {
        made.append((char) ('0' + (i == 0 && c != '0' ? 1 + n % 9 : n % 10)));
      } else if (Character.isLetter(c)) {
        char letter = (char) ('a' + n % (hex ? 6 : 26));
        made.append(Character.isUpperCase(c) ? Character.toUpperCase(letter) : letter);
      } else {
        made.append(c);
      }
    }
    return made.toString();
  }

  /** A long id whose first twelve digits are the short form that tools print of it. */
  String longId(String id) {
    return likeness(id.substring(0, 12), true) + likeness(id.substring(12), true);
  }

  /** A serial number: what stands before its first digit tells the maker or the plant and stays where it is short. */
  String serial(String serial) {
    Matcher head = Pattern.compile("^[A-Za-z]{2}(?=\\d)").matcher(serial);
    return head.find() ? head.group() + likeness(serial.substring(2), false) : likeness(serial, false);
  }
}
