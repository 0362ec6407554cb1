package gdrproof.bundle;

import gdrproof.bundle.Value.Type;

/**
 * What plain scalars are to the YAML 1.1 reader of Kubernetes (sigs.k8s.io/yaml), and where a YAML 1.2 reader differs.
 * Hand-written, because this runs for every scalar of a file.
 */
final class YamlScalars {
  private YamlScalars() {}

  static Type type(String text) {
    if (text.isEmpty()) {
      return Type.NULL;
    }
    char c = text.charAt(0);
    if (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.') {
      return number(text);
    }
    return switch (text) {
      case "~", "null", "Null", "NULL" -> Type.NULL;
      case "true", "True", "TRUE", "false", "False", "FALSE" -> Type.BOOL;
      case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF" -> Type.BOOL;
      default -> Type.TEXT;
    };
  }

  static boolean isTrue(String text) {
    return switch (text) {
      case "true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON" -> true;
      default -> false;
    };
  }

  static boolean differs(String text) {
    Type type = type(text);
    if (type == Type.BOOL) {
      return !text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false");
    }
    if (type == Type.INTEGER) {
      String digits = text.charAt(0) == '-' || text.charAt(0) == '+' ? text.substring(1) : text;
      return digits.indexOf('_') >= 0 || digits.startsWith("0b") || digits.length() > 1 && digits.charAt(0) == '0' && Character.isDigit(digits.charAt(1));
    }
    return type == Type.FLOAT && text.indexOf('_') >= 0;
  }

  static Type tagged(String tag) {
    return switch (tag.substring(tag.lastIndexOf(':') + 1)) {
      case "int" -> Type.INTEGER;
      case "float" -> Type.FLOAT;
      case "bool" -> Type.BOOL;
      case "null" -> Type.NULL;
      default -> Type.TEXT;
    };
  }

  private static Type number(String text) {
    int at = text.charAt(0) == '+' || text.charAt(0) == '-' ? 1 : 0;
    String body = text.substring(at);
    if (body.isEmpty()) {
      return Type.TEXT;
    }
    if (body.equalsIgnoreCase(".inf") || at == 0 && body.equalsIgnoreCase(".nan")) {
      return Type.FLOAT;
    }
    if (body.length() > 2 && body.charAt(0) == '0' && "xXbBoO".indexOf(body.charAt(1)) >= 0) {
      int radix = switch (Character.toLowerCase(body.charAt(1))) {
        case 'x' -> 16;
        case 'b' -> 2;
        default -> 8;
      };
      for (int i = 2; i < body.length(); i++) {
        if (body.charAt(i) != '_' && Character.digit(body.charAt(i), radix) < 0) {
          return Type.TEXT;
        }
      }
      return Type.INTEGER;
    }
    return decimal(body);
  }

  private static Type decimal(String body) {
    int digits = 0;
    boolean dot = false;
    boolean exponent = false;
    for (int i = 0; i < body.length(); i++) {
      char c = body.charAt(i);
      if (c >= '0' && c <= '9') {
        digits++;
      } else if (c == '.' && !dot && !exponent) {
        dot = true;
      } else if ((c == 'e' || c == 'E') && digits > 0 && !exponent && i + 1 < body.length()) {
        exponent = true;
        if ((body.charAt(i + 1) == '+' || body.charAt(i + 1) == '-') && i + 2 < body.length()) {
          i++;
        }
      } else if (c != '_' || i == 0) {
        return Type.TEXT;
      }
    }
    return digits == 0 ? Type.TEXT : dot || exponent ? Type.FLOAT : Type.INTEGER;
  }
}
