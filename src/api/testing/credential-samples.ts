import { settingsTexts } from "#contract/settings.ts";

const hex = "0123456789abcdef0123456789ABCDEF";

/** Values of one field of the credentials: those that are accepted, and those that are refused with their text. */
export type FieldSamples = { path: string; accepted: string[]; refused: [value: string, message: string][] };

const {
  redisEndpointInvalid,
  bucketLength,
  bucketCharacters,
  bucketEdges,
  bucketHyphens,
  tokenShort,
  tokenCharacters,
  accessKeyShort,
  accessKeyCharacters,
  secretKeyShort,
  secretKeyCharacters,
  s3EndpointInvalid,
  secretTooLong,
  passwordUnprintable,
  addressRefused,
} = settingsTexts;

const each = (values: string[], message: string): [string, string][] =>
  values.map((value) => [value, message]);

/** Every rule of the credentials at its bounds. The texts are those of the specification, word by word. */
export const credentialSamples: FieldSamples[] = [
  {
    path: "redis.endpoint",
    accepted: [
      ...[
        "",
        "redis://localhost",
        "rediss://redis.example:6379/0",
        "redis://10.0.0.1:65535",
        "redis://h:443",
      ],
      ...["redis://:password@redis.example", "redis://user:password@redis.example:6380/15", "redis://[::1]"],
      ...["redis://user@redis.example", "redis://:p%40ss:word@redis_1.example/"],
    ],
    refused: [
      ...each(
        ["redis://localhost:1", "redis://localhost:22", "rediss://:p@localhost:25/0", "redis://[::1]:6667"],
        addressRefused,
      ),
      ...each(
        [
          "redis://u%0d%0aAUTH:p@localhost",
          "redis://u%00@localhost",
          "redis://:p%0A@localhost",
          "redis://:%1b@h",
          "redis://a\u001bcb@localhost",
          "redis://a\u009b31m@localhost",
          "redis://a\u202eb@localhost",
          "redis://a%C2%9B31m@localhost",
          "redis://a%E2%80%AEb:p@localhost",
        ],
        passwordUnprintable,
      ),
      ...each(
        [
          ...[
            "redis",
            "redis://",
            "redis:localhost",
            "http://localhost",
            "REDIS://localhost",
            "redis//localhost",
          ],
          ...[
            "redis://localhost:0",
            "redis://localhost:65536",
            "redis://localhost:port",
            "redis://localhost:",
          ],
          ...[
            "redis://localhost/db",
            "redis://localhost/1/2",
            "redis://localhost/12345",
            "redis://localhost?a=b",
          ],
          ...[
            "redis://localhost#a",
            "redis://a b",
            "redis://:a@b@localhost",
            "redis://[::1",
            "redis://[::g]",
          ],
          ...[
            "redis://:100%@localhost",
            "redis://-localhost",
            "redis://localhost\r\nAUTH x",
            "gopher://localhost",
          ],
          `redis://${"a".repeat(500)}`,
        ],
        redisEndpointInvalid,
      ),
    ],
  },
  {
    path: "redis.password",
    accepted: ["", "x", "with space and ünicode ", "p".repeat(1_000)],
    refused: [
      ...each(["p".repeat(1_001)], secretTooLong),
      ...each(["two\nlines", "\u0007", "a\u200bb", "a\u202eb"], passwordUnprintable),
    ],
  },
  {
    path: "cloudflareR2.bucket",
    accepted: ["", "abc", "a".repeat(63), "0-9", "my-bucket-1", " abc "],
    refused: [
      ...each(["a", "ab", "a".repeat(64)], bucketLength),
      ...each(["ABC", "my_bucket", "my.bucket", "my bucket", "bückét", "abc/"], bucketCharacters),
      ...each(["-abc", "abc-", "-abc-", "---"], bucketEdges),
      ...each(["a--b", "a---b"], bucketHyphens),
    ],
  },
  {
    path: "cloudflareR2.token",
    accepted: ["", "a".repeat(20), "aZ09_-".repeat(5), "t".repeat(1_000)],
    refused: [
      ...each(["a", "a".repeat(19), "!"], tokenShort),
      ...each(
        [`${"a".repeat(20)}.`, "a".repeat(20).replace("aa", "a b"), `${"a".repeat(20)}+/=`],
        tokenCharacters,
      ),
      ...each(["t".repeat(1_001)], secretTooLong),
    ],
  },
  {
    path: "cloudflareR2.accessKeyId",
    accepted: ["", "a".repeat(16), "aZ09+/==aZ09+/==", "k".repeat(1_000)],
    refused: [
      ...each(["a", "a".repeat(15)], accessKeyShort),
      ...each(
        [`${"a".repeat(16)}!`, `${"a".repeat(8)} ${"a".repeat(8)}`, `${"ä".repeat(16)}`],
        accessKeyCharacters,
      ),
      ...each(["k".repeat(1_001)], secretTooLong),
    ],
  },
  {
    path: "cloudflareR2.secretAccessKey",
    accepted: ["", "a".repeat(16), "aZ09+/==aZ09+/==", "k".repeat(1_000)],
    refused: [
      ...each(["a", "a".repeat(15)], secretKeyShort),
      ...each(
        [`${"a".repeat(16)}!`, `${"a".repeat(16)}$(id)`, "a".repeat(20).replace("aa", "a\u0000")],
        secretKeyCharacters,
      ),
      ...each(["k".repeat(1_001)], secretTooLong),
    ],
  },
  {
    path: "cloudflareR2.endpointS3",
    accepted: [
      ...["", `https://${hex}.r2.cloudflarestorage.com`, `https://${hex}.r2.cloudflarestorage.com/`],
      ...[`https://${hex}.eu.r2.cloudflarestorage.com`, `https://${hex}.fedramp.r2.cloudflarestorage.com`],
    ],
    refused: each(
      [
        ...["x", "https://r2.cloudflarestorage.com", `http://${hex}.r2.cloudflarestorage.com`],
        ...[`https://${hex.slice(1)}.r2.cloudflarestorage.com`, `https://${hex}0.r2.cloudflarestorage.com`],
        ...[
          `https://g${hex.slice(1)}.r2.cloudflarestorage.com`,
          `https://${hex}.us.r2.cloudflarestorage.com`,
        ],
        ...[
          `https://${hex}.r2.cloudflarestorage.com.evil.example`,
          `https://${hex}.r2.cloudflarestorage.com/path`,
          `https://${hex}.r2.cloudflarestorage.com//`,
        ],
        ...[`https://${hex}.r2.cloudflarestorage.com:443`, `https://u:p@${hex}.r2.cloudflarestorage.com`],
        ...["https://s3.amazonaws.com", "http://127.0.0.1:9000", `${hex}.r2.cloudflarestorage.com`],
      ],
      s3EndpointInvalid,
    ),
  },
];
