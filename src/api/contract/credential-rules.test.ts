import { describe, expect, test } from "bun:test";
import { credentialSamples } from "#api/testing/credential-samples.ts";
import {
  accessKeyIdComplaint,
  apiTokenComplaint,
  bucketComplaint,
  redisEndpointComplaint,
  redisPasswordComplaint,
  s3EndpointComplaint,
  secretAccessKeyComplaint,
} from "./credential-settings.ts";
import { plainS3Endpoint } from "./endpoints.ts";
import { settingsTexts } from "./settings.ts";

const rules: Record<string, (value: string) => string | null> = {
  "redis.endpoint": redisEndpointComplaint,
  "redis.password": redisPasswordComplaint,
  "cloudflareR2.bucket": (value) => bucketComplaint(value.trim()),
  "cloudflareR2.token": apiTokenComplaint,
  "cloudflareR2.accessKeyId": accessKeyIdComplaint,
  "cloudflareR2.secretAccessKey": secretAccessKeyComplaint,
  "cloudflareR2.endpointS3": (value) => s3EndpointComplaint(plainS3Endpoint(value)),
};

describe.each(credentialSamples)("S7: $path", ({ path, accepted, refused }) => {
  test("takes every value within its rule, and none at all", () => {
    for (const value of accepted) expect([value, rules[path]?.(value)]).toEqual([value, null]);
  });

  test("refuses every other with the text of the rule that it breaks", () => {
    for (const [value, message] of refused) expect([value, rules[path]?.(value)]).toEqual([value, message]);
  });
});

test("S7: the texts are those of the specification, word by word", () => {
  expect(settingsTexts).toMatchObject({
    redisEndpointInvalid: "Invalid Redis URL format. Expected: redis[s]://[[user]:password@]host[:port][/db]",
    bucketLength: "Bucket name must be between 3 and 63 characters",
    bucketCharacters: "Bucket name can only contain lowercase letters, numbers, and hyphens",
    bucketEdges: "Bucket name cannot start or end with a hyphen",
    bucketHyphens: "Bucket name cannot contain consecutive hyphens",
    tokenShort: "API token appears too short",
    tokenCharacters: "API token contains invalid characters",
    accessKeyShort: "Access Key ID appears too short",
    accessKeyCharacters: "Access Key ID contains invalid characters",
    secretKeyShort: "Secret Access Key appears too short",
    secretKeyCharacters: "Secret Access Key contains invalid characters",
    s3EndpointInvalid:
      "Invalid S3 endpoint format. Expected: https://<32 hex characters>.r2.cloudflarestorage.com",
    fixBeforeSaving: "Please fix validation errors before saving.",
    managedByFirewall: "Core settings are managed by firewall",
    credentialsNotLoaded: "Failed to load credentials",
    coreNotLoaded: "Failed to load core settings",
    notLoaded: "Error loading settings",
    servicesNotSaved: "Failed to save external services",
    coreNotSaved: "Failed to save core settings",
    unexpectedError: "Unexpected error saving settings",
    allSaved: "All settings saved successfully",
    servicesSavedOnly: "External services saved successfully. Core settings are managed by firewall.",
    redisWorks: "Redis Connection Test Successful",
    redisFails: "Redis Connection Test Failed",
    r2Works: "Cloudflare R2 Connection Test Successful",
    r2Fails: "Cloudflare R2 Connection Test Failed",
    limiterWorks: "Rate Limiting Test Successful",
    limiterFails: "Rate Limiting Test Failed",
    firewallRefreshed: "Firewall status refreshed",
    firewallSeemsOff: "Firewall status refreshed (firewall appears to be disabled)",
  });
  const { servicesError, coreError, firewallError, testUnreachable } = settingsTexts;
  expect([servicesError("x"), coreError("x"), firewallError("x"), testUnreachable("x")]).toEqual([
    "Error saving external services: x",
    "Error saving core settings: x",
    "Error refreshing firewall status: x",
    "A network error occurred while testing x",
  ]);
});

test("an origin that the operator lists is an S3 endpoint, as it is kept, and nothing like it", () => {
  const listed = ["http://127.0.0.1:9000", "https://s3.example"];
  for (const endpoint of ["http://127.0.0.1:9000", "https://s3.example"])
    expect(s3EndpointComplaint(endpoint, listed)).toBeNull();
  expect(s3EndpointComplaint("https://s3.example:22", ["https://s3.example:22"])).toBe(
    settingsTexts.addressRefused,
  );
  for (const endpoint of [
    "http://127.0.0.1:9001",
    "http://s3.example",
    "https://s3.example/",
    "https://s3.example//",
    "https://s3.example/x",
    "https://s3.example.evil",
  ])
    expect(s3EndpointComplaint(endpoint, listed)).toBe(settingsTexts.s3EndpointInvalid);
});
