package gdrproof.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageNamesTest {
  @ParameterizedTest
  @CsvSource({"nginx,true", "registry.k8s.io/nginx-slim:0.27,true", "registry.example:5000/tools/busybox:1.36,true", "docker.io/library/nginx@sha256:0a1b,true",
      "registry.example/nginx:1.27@sha256:0a1b,true", "registry.example/nginx/trainer:1,false", "registry.example/pytorch-nginx:1,false", "registry.example/train:busybox,false", "'',false"})
  void theLastPartOfTheNameTells(String image, boolean without) {
    assertEquals(without, ImageNames.withoutNccl(image));
  }
}
