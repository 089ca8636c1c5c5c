import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError, type ConfigProblem, type Environment } from "./config/variable.ts";
import { variables } from "./config/variables.ts";
import { readConfig, readDataDir } from "./config.ts";

const problemsOf = (env: Environment): readonly ConfigProblem[] => {
  try {
    readConfig(env, false);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("the defaults", () => {
  test("serve on this machine alone, with everything embedded", () => {
    expect(readConfig({}, false)).toEqual({
      host: "127.0.0.1",
      port: 3000,
      stopDelayS: 0,
      appUrl: null,
      passkeyRpId: null,
      dataDir: resolve("data"),
      controlSocket: resolve("data/control.sock"),
      databaseUrl: null,
      redisUrl: null,
      appSecret: null,
      appSecretPrevious: null,
      smtpUrl: null,
      mailFrom: "Atrium <no-reply@localhost>",
      isMailFromChosen: false,
      contactEmail: null,
      google: null,
      github: null,
      googleIssuer: "https://accounts.google.com",
      googleFormerIssuer: null,
      githubBaseUrl: "https://github.com",
      githubFormerBaseUrl: null,
      githubApiUrl: "https://api.github.com",
      oidcProviders: [],
      s3Endpoints: [],
      trustedProxies: ["loopback"],
      geoipDb: null,
      siteFile: null,
      pluginTrustedKeys: [],
      pluginAllowUnsigned: true,
      pluginAllowNative: false,
      pluginDataMB: 100,
      mcpEnabled: false,
      metricsToken: null,
      metricsAddress: null,
      otelEndpoint: null,
      otelHeaders: null,
      otelServiceName: "atrium",
      otelSampler: "parentbased_always_on",
      otelSamplerRatio: 1,
      allowedHosts: [],
      corsOrigins: [],
      logLevel: "info",
      logFormat: "json",
    });
  });

  test("log for humans on a terminal, for programs elsewhere", () => {
    expect(readConfig({}, true).logFormat).toBe("pretty");
    expect(readConfig({ LOG_FORMAT: "json" }, true).logFormat).toBe("json");
  });

  test("R1: trust proxies on this machine only while no other machine can connect", () => {
    const believed = (HOST: string) => readConfig({ HOST }).trustedProxies;
    for (const host of ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
      expect([host, believed(host)]).toEqual([host, ["loopback"]]);
    for (const host of ["0.0.0.0", "::", "192.0.2.7", "atrium.example"])
      expect([host, believed(host)]).toEqual([host, []]);
    expect(readConfig({ HOST: "0.0.0.0", TRUSTED_PROXIES: "loopback" }).trustedProxies).toEqual(["loopback"]);
  });

  test("send email from the public host, or from localhost where the public host is an IP address", () => {
    expect(readConfig({ APP_URL: "https://atrium.example:8443" }).mailFrom).toBe(
      "Atrium <no-reply@atrium.example>",
    );
    expect(readConfig({ APP_URL: "https://192.0.2.1" }).mailFrom).toBe("Atrium <no-reply@localhost>");
    expect(readConfig({ APP_URL: "https://[2001:db8::1]" }).mailFrom).toBe("Atrium <no-reply@localhost>");
  });
});

describe("what was read", () => {
  test("cannot be changed, lists included", () => {
    const config = readConfig({
      CORS_ORIGINS: "https://app.example",
      GOOGLE_CLIENT_ID: "a",
      GOOGLE_CLIENT_SECRET: "b",
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.corsOrigins)).toBe(true);
    expect(Object.isFrozen(config.google)).toBe(true);
  });

  test("has one spelling: origins without slash, hosts in lower case, absolute paths", () => {
    const config = readConfig({
      APP_URL: "HTTPS://Atrium.Example/",
      GITHUB_API_URL: "https://github.example/api/v3/",
      ALLOWED_HOSTS: "WWW.Atrium.Example",
      DATA_DIR: "somewhere/else",
    });
    expect(config.appUrl).toBe("https://atrium.example");
    expect(config.githubApiUrl).toBe("https://github.example/api/v3");
    expect(config.allowedHosts).toEqual(["www.atrium.example"]);
    expect(config.dataDir).toBe(resolve("somewhere/else"));
    expect(readDataDir({ DATA_DIR: "somewhere/else" })).toBe(config.dataDir);
  });

  test("holds a social sign-in only when both halves are given", () => {
    expect(readConfig({ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "s3cret" }).github).toEqual({
      clientId: "id",
      clientSecret: "s3cret",
    });
    for (const [given, absent] of [
      ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
      ["GOOGLE_CLIENT_SECRET", "GOOGLE_CLIENT_ID"],
      ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
      ["GITHUB_CLIENT_SECRET", "GITHUB_CLIENT_ID"],
    ] as const) {
      const problems = problemsOf({ [given]: "value" });
      expect(problems.map(({ variable }) => variable)).toEqual([absent]);
      expect(problems[0]?.expected).toContain(`because ${given} is set`);
    }
  });
});

describe("M1: an unusable environment", () => {
  test("is reported whole: one line for each variable, with what it holds and what is expected", () => {
    const env = {
      PORT: "65536",
      APP_URL: "http://atrium.example",
      APP_SECRET: "short",
      LOG_LEVEL: "loud",
      GITHUB_CLIENT_ID: "id",
    };
    const problems = problemsOf(env);
    expect(problems.map(({ variable }) => variable).sort()).toEqual([
      "APP_SECRET",
      "APP_URL",
      "GITHUB_CLIENT_SECRET",
      "LOG_LEVEL",
      "PORT",
    ]);
    const { message } = new ConfigError(problems);
    expect(message.split("\n")).toHaveLength(problems.length);
    expect(message).toContain('PORT is "65536"; expected a whole number from 0 to 65535');
  });

  test("never shows a secret, whole or malformed", () => {
    const canary = "hunter2canary";
    const texts = [
      canary,
      `scheme://ada:${canary}@host/x`,
      `postgres://ada:${canary}`,
      `postgres://ada:pa/ss#${canary}@db/x y`,
      `redis://:${canary}@cache/abc`,
      `smtp://ada:${canary}@mail.example/path`,
      `smtp://${canary}@mail.example:99999`,
      `postgres:///x?password=${canary}`,
      `postgres://ada:p@ss:${canary}@db bad`,
    ];
    const secrets = Object.values(variables).filter(({ hides }) => hides !== "nothing");
    for (const { name } of secrets) {
      for (const text of texts) {
        expect(JSON.stringify(problemsOf({ [name]: text }))).not.toContain(canary);
      }
    }
    for (const name of [
      "APP_URL",
      "GOOGLE_ISSUER",
      "S3_ENDPOINTS",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "CORS_ORIGINS",
    ]) {
      const shown = JSON.stringify(
        problemsOf({ [name]: `https://ada:${canary}@one.example,https://eve:${canary}@two.example` }),
      );
      expect(shown).not.toContain(canary);
      expect(shown).toContain("one.example");
    }
  });

  test("stays one line for each problem, whatever the value holds", () => {
    const [problem] = problemsOf({ LOG_LEVEL: `a\nb\u001b[31m${"c".repeat(500)}` });
    expect(problem?.value).toStartWith("a\uFFFDb\uFFFD[31mc");
    expect(problem?.value.length).toBeLessThan(220);
  });

  test("takes a file that exists as country database, and refuses it once it is gone", () => {
    const folder = mkdtempSync(join(tmpdir(), "atrium-config-"));
    const path = join(folder, "country.mmdb");
    writeFileSync(path, "x");
    expect(readConfig({ GEOIP_DB: path }).geoipDb).toBe(path);
    rmSync(folder, { recursive: true });
    expect(problemsOf({ GEOIP_DB: path })).toHaveLength(1);
  });
});
