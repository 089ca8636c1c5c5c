import { afterEach, expect } from "bun:test";
import { createBucketTest } from "#api/adapters/object-store/create-bucket-test.ts";
import type { BucketTarget, ConnectionReport } from "#api/core/settings.ts";
import { foreignWords, type Script, startS3Stub } from "./s3-stub.ts";

/** What is to be undone when the test has ended. */
export const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});
/** A stub that is stopped when the test has ended. */
export const stubOf = (script: Script) => {
  const stub = startS3Stub(script);
  endings.push(stub.stop);
  return stub;
};

/** Canaries in the place of the keys: the secret, its id, and the API token. */
export const secrets = [
  "secret-key-canary-0123",
  "key-id-canary-0123456",
  "token-canary-0123456789",
] as const;
/** The bucket at an endpoint, with the canaries. */
export const targetAt = (endpoint: string): BucketTarget => ({
  endpoint,
  bucket: "probe-bucket",
  accessKeyId: secrets[1],
  secretAccessKey: secrets[0],
  token: secrets[2],
});
/** How the steps ended, in order. */
export const statuses = ({ steps }: ConnectionReport) => steps.map(({ status }) => status);

/** Runs the bucket test against a stub, in time and without a word that must not be repeated. */
export const testAt = async (
  endpoint: string,
  options: Partial<Parameters<typeof createBucketTest>[0]> = {},
): Promise<ConnectionReport> => {
  const startedAt = performance.now();
  const report = await createBucketTest({ otherOrigins: [endpoint], ...options })(targetAt(endpoint));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  for (const word of [...secrets, foreignWords, endpoint]) expect(JSON.stringify(report)).not.toContain(word);
  return report;
};
