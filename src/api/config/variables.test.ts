import { describe, expect, test } from "bun:test";
import { readConfig } from "#api/config.ts";
import { ConfigError, type ConfigProblem, type Environment } from "./variable.ts";
import { variables } from "./variables.ts";

const problemsOf = (env: Environment): readonly ConfigProblem[] => {
  try {
    readConfig(env, false);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const randomSecret = "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi";
const publicKey = Buffer.alloc(32, 7).toString("base64");

/** For each variable: texts that are taken, and texts that are refused. */
const table: Record<string, { good: string[]; bad: string[] }> = {
  HOST: {
    good: ["127.0.0.1", "0.0.0.0", "::", "::1", "localhost", "atrium.internal"],
    bad: ["http://x", "a b", "256.1.1.1", "[::1]", "fe80::1%eth0", "-x", "host:80"],
  },
  PORT: {
    good: ["0", "1", "3000", "65535", " 8080 "],
    bad: ["65536", "-1", "3000.5", "abc", "0x50", "1e3", "999999999999"],
  },
  STOP_DELAY: { good: ["0", "10", "300", " 5 "], bad: ["301", "-1", "1.5", "10s", "1e2"] },
  APP_URL: {
    good: [
      "https://atrium.example",
      "https://atrium.example/",
      "https://atrium.example:8443",
      "http://localhost:3000",
    ],
    bad: [
      "http://atrium.example",
      "http://192.168.1.5:3000",
      "https://atrium.example/app",
      "https://atrium.example/?a=1",
      "https://atrium.example/#x",
      "https://ada@atrium.example",
      "atrium.example",
      "localhost:3000",
      "ftp://atrium.example",
      "https://",
      "https://a.b",
      "http://localhost.evil.example",
    ],
  },
  DATA_DIR: { good: ["./data", "/var/lib/atrium"], bad: [] },
  DATABASE_URL: {
    good: [
      "postgres://ada:pw@db:5432/atrium",
      "postgresql://db/atrium?sslmode=require",
      "postgres://ada@[::1]/atrium",
      "postgres://ada:p%25w%40@db/atrium?target_session_attrs=read-write",
    ],
    bad: [
      "mysql://ada@db/x",
      "postgres://",
      "postgres:///atrium",
      "postgres://db/atrium?host=/var/run/postgresql",
      "db:5432",
      "postgres://ada:p#w@db/x y",
      "postgres://ada:p%w@db/x",
      "postgres://ad%a@db/x",
      "postgres://ada:p@s%w@db/x",
      "postgres://ada:%ff@db/x",
      "postgres://db/x?target_session_attrs=hunter2",
    ],
  },
  REDIS_URL: {
    good: ["redis://localhost", "rediss://:pw@cache:6380/2", "redis://ada:pw@cache/"],
    bad: ["http://cache", "redis://", "redis://cache/abc", "cache:6379"],
  },
  APP_SECRET: {
    good: [randomSecret, "0f8c1b7e5a9d3c264e7fb0a1d9c85b3e"],
    bad: [
      "short",
      "a".repeat(64),
      "abc".repeat(20),
      "0123456789abcdef0123456789abcdef",
      "change-me-to-something-long-and-random",
      "CHANGEME_q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0",
      "your-secret-key-here-your-secret-key-1",
      "placeholder-for-the-secret-of-this-server",
      "my-super-secret-value-for-development-42",
    ],
  },
  APP_SECRET_PREVIOUS: { good: [randomSecret], bad: ["short"] },
  SMTP_URL: {
    good: ["smtp://user:pass@mail.example:587", "smtps://mail.example", "smtp://127.0.0.1:1025/"],
    bad: [
      "mail.example:25",
      "http://mail.example",
      "smtp://",
      "smtp://mail.example/path",
      "smtp://host:99999",
    ],
  },
  MAIL_FROM: {
    good: [
      "no-reply@atrium.example",
      "Atrium <no-reply@atrium.example>",
      '"Atrium, Inc." <no-reply@atrium.example>',
      "Atrium <no-reply@localhost>",
    ],
    bad: [
      "Atrium",
      "Atrium <no-reply>",
      "a@b.example, c@d.example",
      "Atrium <a@b.example> x",
      "A\r\nBcc: <a@b.example>",
    ],
  },
  CONTACT_EMAIL: {
    good: ["team@atrium.example"],
    bad: ["team", "Team <team@atrium.example>", "a@b.example,c@d.example"],
  },
  GOOGLE_ISSUER: {
    good: ["https://id.example", "https://id.example/realms/one/", "http://127.0.0.1:9000"],
    bad: ["http://id.example", "id.example", "https://id.example?x=1", "https://u:p@id.example"],
  },
  GITHUB_BASE_URL: { good: ["https://github.example"], bad: ["http://github.example", "github"] },
  GOOGLE_FORMER_ISSUER: { good: ["https://former.example"], bad: ["http://former.example", "former"] },
  GITHUB_FORMER_BASE_URL: { good: ["https://former.example"], bad: ["http://former.example", "former"] },
  GITHUB_API_URL: { good: ["https://github.example/api/v3"], bad: ["http://github.example/api/v3", "api"] },
  S3_ENDPOINTS: {
    good: ["https://minio.example:9000", "https://a.example, http://10.0.0.1:9000"],
    bad: ["minio.example", "https://a.example/bucket", "https://a.example,,https://b.example"],
  },
  TRUSTED_PROXIES: {
    good: ["loopback", "10.0.0.0/8", "10.1.2.3, fd00::/8,::1", "0.0.0.0/0"],
    bad: ["10.0.0.0/33", "::1/129", "proxy", "10.0.0.0/8/8", "10.0.0/8", "10.0.0.0/"],
  },
  SITE_FILE: { good: [import.meta.path], bad: ["/nowhere/site.json", import.meta.dir] },
  GEOIP_DB: { good: [import.meta.path], bad: ["/nowhere/country.mmdb", import.meta.dir] },
  PLUGIN_TRUSTED_KEYS: {
    good: [publicKey, `${publicKey},${publicKey}`],
    bad: ["key", `${publicKey}A`, publicKey.slice(4)],
  },
  PLUGIN_ALLOW_UNSIGNED: { good: ["1", "0"], bad: ["true", "yes", "2"] },
  MCP_ENABLED: { good: ["1", "0"], bad: ["true", "yes"] },
  PLUGIN_ALLOW_NATIVE: { good: ["1", "0"], bad: ["on", "-1"] },
  PLUGIN_DATA_MB: { good: ["1", "500", "1000000"], bad: ["0", "1.5", "100MB", "-1", "1000001"] },
  METRICS_TOKEN: {
    good: ["b7kq-token-of-the-scraper"],
    bad: [
      "changeme",
      "two words in a token",
      "täglich-gemessenes",
      "metricstokenmetricstoken",
      "change-me-before-you-start",
    ],
  },
  METRICS_ADDRESS: {
    good: ["127.0.0.1:9464", "0.0.0.0:0", "[::1]:9464", "metrics.internal:80"],
    bad: ["9464", "127.0.0.1", "127.0.0.1:70000", "::1:9464", "http://x:1", "a b:1", ":9464"],
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    good: ["authorization=Bearer%20abc", "a=1,b=2", " x-key = 1 "],
    bad: ["authorization", "a=1,,b=2", "a=b c", "a=%zz", "a=%0d%0ab", "=x"],
  },
  OTEL_SERVICE_NAME: { good: ["atrium", "atrium-eu"], bad: ["two words"] },
  OTEL_TRACES_SAMPLER: { good: ["always_on", "parentbased_traceidratio"], bad: ["jaeger_remote", "on"] },
  OTEL_TRACES_SAMPLER_ARG: { good: ["0", "1", "0.05", "1.0"], bad: ["2", "-1", ".5", "5%", "1.5", "1e-3"] },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    good: ["http://collector:4318", "https://otel.example/v1"],
    bad: ["collector:4318", "grpc://x"],
  },
  PASSKEY_RP_ID: {
    good: ["example.com", "APP.example.com"],
    bad: ["https://example.com", "example.com:443", "localhost", "10.0.0.1", "*.example"],
  },
  ALLOWED_HOSTS: {
    good: ["atrium.example", "atrium.example, WWW.atrium.example", "10.0.0.11,10.0.0.12", "[fd00::1]"],
    bad: [
      "https://atrium.example",
      "atrium.example:443",
      "*",
      "abc",
      "*.example",
      "10.0.0.0/8",
      "10.0.0",
      "::1",
    ],
  },
  CORS_ORIGINS: {
    good: ["https://app.example", "http://localhost:5173,https://b.example"],
    bad: ["*", "null", "app.example"],
  },
  LOG_LEVEL: { good: ["debug", "info", "warn", "error"], bad: ["trace", "INFO", "0"] },
  LOG_FORMAT: { good: ["pretty", "json"], bad: ["text", "JSON"] },
};

// Of OpenID providers: see oidc-providers.test.ts.
const paired = [
  "OIDC_PROVIDERS",
  ...["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
];

describe("each variable", () => {
  test("has a row in this table", () => {
    const names = Object.values(variables).map(({ name }) => name);
    expect([...Object.keys(table), ...paired].sort()).toEqual(names.sort());
  });

  for (const [name, { good, bad }] of Object.entries(table)) {
    for (const text of good) {
      test(`${name} takes ${JSON.stringify(text)}`, () => {
        expect(problemsOf({ [name]: text })).toEqual([]);
      });
    }
    for (const text of bad) {
      test(`${name} refuses ${JSON.stringify(text)} and says what it expects`, () => {
        const problems = problemsOf({ [name]: text });
        expect(problems.map(({ variable }) => variable)).toEqual([name]);
        expect(problems[0]?.expected.length).toBeGreaterThan(3);
      });
    }
  }

  test("counts as absent when it is empty or blank", () => {
    const blank = Object.fromEntries(
      Object.values(variables).map(({ name, hides }) => [name, hides === "all" ? "" : "  "]),
    );
    expect(readConfig(blank, false)).toEqual(readConfig({}, false));
  });
});
