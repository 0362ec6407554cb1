package gdrproof.policy;

import java.util.Map;
import java.util.regex.Pattern;

/** What the names of images tell, from `policies/images.yaml`. */
public final class ImageNames {
  private static final Map<String, Object> FILE = Policies.read("images.yaml");
  private static final Pattern WITHOUT_NCCL = Pattern.compile(String.valueOf(Policies.map(FILE.get("without-nccl")).get("names")));

  private ImageNames() {}

  /** Whether an image certainly holds no NCCL. */
  public static boolean withoutNccl(String image) {
    return WITHOUT_NCCL.matcher(last(image)).matches();
  }

  /** `nginx` of `registry:5000/library/nginx:1.27@sha256:...`. */
  static String last(String image) {
    String named = image.substring(image.lastIndexOf('/', image.indexOf('@') < 0 ? image.length() : image.indexOf('@')) + 1);
    return named.split("[:@]", 2)[0];
  }
}
