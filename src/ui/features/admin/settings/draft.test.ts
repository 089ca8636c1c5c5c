import { describe, expect, test } from "bun:test";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { someCredentials } from "#ui/testing/answers.ts";
import {
  changedPaths,
  changeOf,
  type Draft,
  draftComplaints,
  rebase,
  type SavedSettings,
  savedSettings,
} from "./draft.ts";

const credentials = someCredentials({
  redis: { endpoint: "redis://redis.example:6379", hasPassword: true },
  cloudflareR2: { bucket: "packages" },
});
const others = {
  core: coreSettings.defaults,
  accounts: accountSettings.defaults,
};
const { draft: saved, hasSecret } = savedSettings({ credentials, ...others });

describe("the form's values", () => {
  test("begins as what is saved, with nothing changed and nothing to send", () => {
    expect(changedPaths(saved, saved)).toEqual([]);
    expect(changeOf(saved, [])).toBeNull();
    expect(hasSecret["redis.password"]).toBe(true);
  });

  test("counts as changed where its value is another, not where only spaces were added", () => {
    const draft = {
      ...saved,
      "redis.endpoint": " redis://redis.example:6379 ",
      "rateLimiting.maxRequests": "250",
      "security.corsEnabled": false,
    };
    expect(changedPaths(draft, saved)).toEqual(["rateLimiting.maxRequests", "security.corsEnabled"]);
  });

  test("has a list whose entries have spaces in lines, and sends it as a list", () => {
    const socialLinks = ["Our shop https://b.example", "Us https://b.example/@us"];
    const { draft } = savedSettings({
      credentials,
      ...others,
      site: { ...siteSettings.defaults, socialLinks, locked: [] },
    });
    expect(draft["site.socialLinks"]).toBe(socialLinks.join("\n"));
    const typed = { ...draft, "site.socialLinks": ` ${socialLinks[1]} \n\n` };
    expect(changeOf(typed, ["site.socialLinks"])).toEqual({ socialLinks: socialLinks.slice(1) });
  });

  test("keeps a secret while its field is empty, and sends what was typed or that it goes", () => {
    const draft = { ...saved, "redis.password": null, "cloudflareR2.token": " a-token-of-20-letters " };
    const changed = changedPaths(draft, saved);
    expect(changed).toEqual(["redis.password", "cloudflareR2.token"]);
    expect(changeOf(draft, changed)).toEqual({
      redis: { password: null },
      cloudflareR2: { token: "a-token-of-20-letters" },
    });
  });

  test("sends numbers as numbers, and a Redis password with its spaces", () => {
    const draft = { ...saved, "rateLimiting.windowMs": "60000", "redis.password": " pass word " };
    expect(changeOf(draft, ["rateLimiting.windowMs", "redis.password"])).toEqual({
      rateLimiting: { windowMs: 60_000 },
      redis: { password: " pass word " },
    });
  });

  test("keeps what was typed when others save in the meantime, and takes over the rest", () => {
    const draft = { ...saved, "rateLimiting.message": "Slow down" };
    const theirs = { ...saved, "rateLimiting.message": "Wait", "rateLimiting.maxRequests": "500" };
    expect(rebase(draft, saved, theirs)).toEqual({ ...theirs, "rateLimiting.message": "Slow down" });
  });
});

const account = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com";
const stored: SavedSettings = savedSettings({
  ...others,
  credentials: {
    ...credentials,
    cloudflareR2: {
      ...credentials.cloudflareR2,
      endpointS3: account,
      hasAccessKeyId: true,
      hasSecretAccessKey: true,
      otherEndpoints: ["http://minio.example:9000"],
    },
  },
});
const complaints = (change: Partial<Draft>) => draftComplaints({ ...stored.draft, ...change }, stored);

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
