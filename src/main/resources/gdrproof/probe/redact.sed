/-----BEGIN [A-Z0-9 ]*PRIVATE KEY/,/-----END [A-Z0-9 ]*PRIVATE KEY/{
/-----/!s/[^ ].*/REDACTED/
}
/^[[:space:]]*(- )?"?(data|stringData|binaryData)"?[[:space:]]*:[[:space:]]*[{]?[[:space:]]*$/,/^[[:space:]]*"?(kind|metadata|type|immutable|apiVersion)"?[[:space:]]*:|^---/{
/^[[:space:]]*"?(kind|metadata|type|immutable|apiVersion)"?[[:space:]]*:/!s/(^[[:space:]]+"?[A-Za-z0-9._\/-]+"?[[:space:]]*:[[:space:]]*"?)[^"|>[:space:]{[][^"]*("?,?[[:space:]]*)$/\1REDACTED\2/
}
/^[[:space:]{,-]*"?name"?[[:space:]]*:[[:space:]]*"?[A-Za-z0-9_.-]*(token|TOKEN|Token|secret|SECRET|Secret|passw|PASSW|Passw|PASSPHRASE|passphrase|_KEY|_key|APIKEY|apikey|apiKey|accessKey|credential|CREDENTIAL|AUTH|auth)[A-Za-z0-9_-]*"?,?[[:space:]]*$/{
n
s/(^[[:space:]]*"?value"?[[:space:]]*:[[:space:]]*"?)[^"]+("?,?[[:space:]]*)$/\1REDACTED\2/
}
s/("?name"?[[:space:]]*:[[:space:]]*"?[A-Za-z0-9_.-]*(token|secret|passw|passphrase|api_?key|access_?key|private_?key|_key|credential|auth)[A-Za-z0-9_-]*"?[[:space:]]*,[[:space:]]*"?value"?[[:space:]]*:[[:space:]]*"?)[^"},]+/\1REDACTED/Ig
s/("auth"[[:space:]]*:[[:space:]]*")[^"]+/\1REDACTED/g
s/((token|secret|passwd|password|passphrase|pwd|(api|access|private|signing|encryption|ssh|account|client|master|auth|license|storage|service)[_-]?key|access[_-]?key[_-]?id|credentials?|client-key-data|client-certificate-data|dockerconfigjson|dockercfg|authkey|connection[_-]?string|identitytoken|registrytoken)([_-](b64|base64|data|value))?\\?["']?[[:space:]]*[=:][[:space:]]*\\?["']?)(true|false|yes|no|on|off|none|null|[0-9]{1,9}|unset|unknown|disabled|enabled|required|REDACTED|~?\/(root|home|etc|var|usr|opt|run|mnt|tmp|data|sys|proc|dev|bin|lib|workspace|evidence)[^][:space:]"',;}\\&|]*)($|[^A-Za-z0-9_.+\/=-])/\1@harmless@\6\8/Ig
s/((token|secret|passwd|password|passphrase|pwd|(api|access|private|signing|encryption|ssh|account|client|master|auth|license|storage|service)[_-]?key|access[_-]?key[_-]?id|credentials?|client-key-data|client-certificate-data|dockerconfigjson|dockercfg|authkey|connection[_-]?string|identitytoken|registrytoken)([_-](b64|base64|data|value))?\\?["']?[[:space:]]*[=:][[:space:]]*\\?["']?)([^][:space:]"',;}\\&|@(<{[$][^][:space:]"',;}\\&|]*)/\1REDACTED/Ig
s/@harmless@//g
s/((bearer|basic)[[:space:]]+)[A-Za-z0-9._~+\/=-]{12,}/\1REDACTED/Ig
s/(--([A-Za-z0-9_-]*-)?(token|password|passwd|secret|api-key|apikey|access-key|secret-key|private-key|auth)[= ])[^[:space:]"']+/\1REDACTED/Ig
s/(^[[:space:]]*(set-)?cookie:[[:space:]]*)[^[:space:]].*/\1REDACTED/I
s/([a-z][a-z0-9+.-]*:\/\/[^\/[:space:]:@]*:)[^@\/[:space:]]+@/\1REDACTED@/g
s/hf_[A-Za-z0-9]{12,}|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|sk-([a-z]+-)?[A-Za-z0-9_-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|(AKIA|ASIA)[0-9A-Z]{16}|nvapi-[A-Za-z0-9_-]{20,}|dckr_pat_[A-Za-z0-9_-]{16,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)?/REDACTED/g
s/^((export |declare -x )?[A-Za-z_][A-Za-z0-9_]*(_PAT|_KEY|COOKIE|SESSION_ID|SIGNATURE|_DSN|WEBHOOK|AUTH)=).+/\1REDACTED/
