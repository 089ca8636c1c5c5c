import { describe, expect, test } from "bun:test";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { type Draft, draftComplaints, type SavedSettings, savedSettings } from "./draft.ts";

const account = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com";
const saved: SavedSettings = savedSettings(
  {
    redis: { endpoint: "redis://redis.example:6379", hasPassword: true },
    cloudflareR2: {
      bucket: "packages",
      token: "",
      accessKeyId: "",
      secretAccessKey: "",
      endpointS3: account,
      hasToken: false,
      hasAccessKeyId: true,
      hasSecretAccessKey: true,
      otherEndpoints: ["http://minio.example:9000"],
    },
  },
  coreSettings.defaults,
  accountSettings.defaults,
);
const complaints = (change: Partial<Draft>) => draftComplaints({ ...saved.draft, ...change }, saved);

describe("the form's complaints", () => {
  test("are none about what is saved, and none about an empty form", () => {
    expect(complaints({})).toEqual({});
    const empty = {
      "redis.endpoint": "",
      "cloudflareR2.bucket": "",
      "cloudflareR2.endpointS3": "",
    };
    expect(complaints(empty)).toEqual({});
  });

  test.each([
    ["redis.endpoint", "http://redis.example", settingsTexts.redisEndpointInvalid],
    ["cloudflareR2.bucket", "ab", settingsTexts.bucketLength],
    ["cloudflareR2.bucket", "Packages", settingsTexts.bucketCharacters],
    ["cloudflareR2.token", "short", settingsTexts.tokenShort],
    ["cloudflareR2.accessKeyId", "short", settingsTexts.accessKeyShort],
    ["cloudflareR2.secretAccessKey", "not base64, at all!", settingsTexts.secretKeyCharacters],
    ["cloudflareR2.endpointS3", "https://s3.example", settingsTexts.s3EndpointInvalid],
    ["rateLimiting.maxRequests", "9", "Max Requests must be a whole number from 10 to 10000"],
    ["rateLimiting.maxRequests", "1e3", "Max Requests must be a whole number from 10 to 10000"],
    ["rateLimiting.maxRequests", "", "Max Requests must be a whole number from 10 to 10000"],
    ["rateLimiting.message", "   ", "Please enter a message of 1 to 200 visible characters"],
  ] as const)("are the server's own about %s “%s”", (path, typed, text) => {
    expect(complaints({ [path]: typed })[path]).toBe(text);
  });

  test("demand a secret again as soon as its endpoint names another server, and not a moment longer", () => {
    const moved = { "redis.endpoint": "redis://other.example:6379" };
    expect(complaints(moved)).toEqual({ "redis.password": settingsTexts.enterAgain });
    expect(complaints({ ...moved, "redis.password": "entered" })).toEqual({});
    expect(complaints({ ...moved, "redis.password": null })).toEqual({});
    expect(complaints({ "redis.endpoint": "redis://:entered@other.example:6379" })).toEqual({});
    expect(complaints({ "redis.endpoint": "rediss://redis.example:6379/2" })).toEqual({});
  });

  test("demand the endpoint of a secret that is entered", () => {
    const typed = {
      "redis.endpoint": " ",
      "redis.password": "p",
      "cloudflareR2.endpointS3": "",
      "cloudflareR2.token": "token-of-cloudflare-0001",
    };
    expect(complaints(typed)).toEqual({
      "redis.password": settingsTexts.endpointFirst,
      "cloudflareR2.token": settingsTexts.endpointFirst,
    });
  });

  test("accept the origins that the operator listed, with the secrets of that server alone", () => {
    expect(complaints({ "cloudflareR2.endpointS3": "http://minio.example:9000" })).toEqual({
      "cloudflareR2.accessKeyId": settingsTexts.enterAgain,
      "cloudflareR2.secretAccessKey": settingsTexts.enterAgain,
    });
  });
});
