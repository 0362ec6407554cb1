package gdrproof.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
  @ParameterizedTest
  @CsvSource(delimiter = '¦', quoteCharacter = '`', value = {
      "HF_TOKEN=hf_abcdefghijklmnop ¦ HF_TOKEN=REDACTED",
      "\"env\":[\"LANG=C\",\"AWS_SECRET_ACCESS_KEY=AbC/def+123\",\"X=1\"] ¦ \"env\":[\"LANG=C\",\"AWS_SECRET_ACCESS_KEY=REDACTED\",\"X=1\"]",
      "Authorization: Bearer abcdef0123456789abcdef ¦ Authorization: Bearer REDACTED",
      "curl -H 'Authorization: Basic dXNlcjpwYXNzd29yZA==' http://x ¦ curl -H 'Authorization: Basic REDACTED' http://x",
      "docker login -u x --password s3cr3tword nvcr.io ¦ docker login -u x --password REDACTED nvcr.io",
      "https://user:hunter2@registry.example/v2/ ¦ https://user:REDACTED@registry.example/v2/",
      "token: abcdef.0123456789abcdef ¦ token: REDACTED",
      "client-key-data: LS0tLS1CRUdJTiBSU0E= ¦ client-key-data: REDACTED",
      "{\"auths\":{\"nvcr.io\":{\"auth\":\"JG9hdXRodG9rZW46eHg=\"}}} ¦ {\"auths\":{\"nvcr.io\":{\"auth\":\"REDACTED\"}}}",
      "{\"name\": \"WANDB_API_KEY\", \"value\": \"0123456789abcdef\"} ¦ {\"name\": \"WANDB_API_KEY\", \"value\": \"REDACTED\"}",
      "seen eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-123 in the log ¦ seen REDACTED in the log",
  })
  void secretsGo(String line, String expected) {
    assertEquals(expected, Redaction.line(line));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '¦', quoteCharacter = '`', value = {
      "automountServiceAccountToken: false", "tokens per second: 1234", "max_tokens=4096", "        secretName: regcred", "key: nvidia.com/gpu", "P_Key 0xffff, pkey_index=0",
      "NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>", "PWD=/root/work", "      tokenExpirationSeconds: 3600", "rkey 0x1a2b lkey: 0x3c4d"})
  void evidenceStays(String line) {
    assertEquals(line, Redaction.line(line));
  }

  @Test
  void neighboursTellThatAValueIsSecret() {
    List<String> lines = List.of("env:", "- name: NGC_API_KEY", "  value: abc123def456", "- name: NCCL_DEBUG", "  value: INFO", "-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1r", "-----END OPENSSH PRIVATE KEY-----", "---",
        "apiVersion: v1", "data:", "  .dockerconfigjson: eyJhdXRocyI6", "  plain: c2VjcmV0", "kind: Secret", "metadata:", "  name: regcred", "---", "kind: ConfigMap", "data:", "  plain: stays");
    List<String> redacted = Redaction.lines(lines);
    assertEquals(lines.size(), redacted.size());
    String all = String.join("\n", redacted);
    for (String secret : List.of("abc123def456", "b3BlbnNzaC1r", "eyJhdXRocyI6", "c2VjcmV0")) {
      assertFalse(all.contains(secret), all);
    }
    for (String kept : List.of("value: INFO", "name: regcred", "plain: stays", "kind: Secret")) {
      assertTrue(all.contains(kept), all);
    }
  }

  @Test
  void plantedSecretsOfCapturesReachNoFactAndNoEvidence() throws IOException {
    Path captures = Shared.folder("gdrproof.captures", "captures");
    Ledger ledger = Collectors.read(Bundle.open(captures));
    assertTrue(ledger.size() > 100);
    StringBuilder all = new StringBuilder();
    ledger.forEach((fact, sources) -> {
      all.append(fact).append('\n');
      sources.forEach(s -> all.append(s).append('\n'));
    });
    for (String secret : List.of("hf_EXAMPLE", "EXAMPLEKEY", "0123456789abcdef0123")) {
      assertFalse(all.toString().contains(secret), secret);
    }
  }
}
