import { describe, expect, test } from "bun:test";
import { newToken } from "#api/core/ids.ts";
import { textWithoutSecrets, withoutSecrets } from "./draft.ts";

describe("S1: a field whose name speaks of a secret says that it was removed:", () => {
  test.each([
    "password",
    "currentPassword",
    "passwordHash",
    "token_hash",
    "accessToken",
    "secretAccessKey",
    "apiKey",
    "API-Key",
    "cookie",
    "Authorization",
    "private_key",
    "credentials",
    "passphrase",
  ])("%s", (name) => expect(withoutSecrets({ [name]: "canary" })).toEqual({ [name]: "[removed]" }));
});

test("S1: secrets within lists, objects and whole objects of secrets are removed", () => {
  const value = {
    redis: { endpoint: "redis://me:canary@db:6379", password: "canary" },
    all: [{ token: { a: "canary" } }],
  };
  expect(JSON.stringify(withoutSecrets(value))).not.toContain("canary");
});

test("whether there is a secret may be told, and what merely sounds like one stays", () => {
  const value = {
    hasPassword: true,
    token: null,
    secret: "",
    passed: 3,
    role: "admin",
    sha256: "a".repeat(64),
  };
  expect(withoutSecrets(value)).toEqual(value);
});

test("S1: our own tokens and passwords in addresses are removed from texts", () => {
  for (let round = 0; round < 20_000; round += 1)
    expect(textWithoutSecrets(`GET /reset-password/${newToken(32)}?x=1`)).toBe(
      "GET /reset-password/[removed]?x=1",
    );
  const withApiPrefix = "clHtRJLHCvNOy4sivukMn3sQkxatr_7hGq2ZbLw3QpT";
  expect(textWithoutSecrets(`/reset-password/${withApiPrefix}`)).toBe("/reset-password/[removed]");
  const withoutDigits = "ECnYdyaGmYTSTNZbINzcoMpMrnEMsehNJbmGqf-CCJw";
  expect(textWithoutSecrets(`/verify-email/${withoutDigits}`)).toBe("/verify-email/[removed]");
  expect(textWithoutSecrets("rediss://default:p%40ss@cache.example:6380/1")).toBe(
    "rediss://default:[removed]@cache.example:6380/1",
  );
  expect(textWithoutSecrets("https://user:p@ss@host/x")).toBe("https://user:[removed]@host/x");
  expect(textWithoutSecrets(`Bearer ${"a".repeat(38)}, sid=${"0f".repeat(32)}; password: hunter2`)).toBe(
    "Bearer [removed], sid=[removed]; password: [removed]",
  );
  const harmless = `sha256 ${"0123456789abcdef".repeat(4)} 0197fd21-3f6e-7c3a-9d3e-2f1b6f8e4a10 https://example.com/a:b@c The password was changed: a token of each`;
  expect(textWithoutSecrets(harmless)).toBe(harmless);
});

test("deep, long and wide values are cut, dates and large numbers become text", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`);
  expect(JSON.stringify(withoutSecrets(deep)).length).toBeLessThan(100);
  expect(JSON.stringify(withoutSecrets("x".repeat(1e6))).length).toBeLessThan(1_100);
  expect(withoutSecrets(Array.from({ length: 1_000 }, (_, index) => index))).toHaveLength(100);
  expect(withoutSecrets({ at: new Date(0), big: 10n })).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    big: "10",
  });
});
