import { expect, test } from "bun:test";
import type { StoredSettings } from "#api/core/settings.ts";
import { toLiveSettings } from "./settings-service.ts";
import { defaultSections } from "./store.ts";

const endpointS3 = "https://s3.example.com";
const stored: StoredSettings = {
  ...defaultSections,
  cloudflareR2: { bucket: "files", endpointS3 },
  generation: 1,
  secrets: {
    "cloudflareR2.accessKeyId": { value: "id" },
    "cloudflareR2.secretAccessKey": { value: "secret" },
  },
  clientSecrets: {},
  features: { values: {}, secrets: {} },
  faults: [],
};

const bucketOf = (settings: StoredSettings, s3Endpoints: string[]) =>
  toLiveSettings(settings, { redisUrl: null, s3Endpoints }).bucket;

test("a bucket is used while the operator lists its endpoint, and no longer", () => {
  expect(bucketOf(stored, [endpointS3])).toMatchObject({ endpoint: endpointS3, bucket: "files" });
  expect(bucketOf(stored, ["https://other.example.com"])).toBeNull();
});

test("a bucket is used with both of its keys alone", () => {
  for (const name of ["cloudflareR2.accessKeyId", "cloudflareR2.secretAccessKey"] as const) {
    const { [name]: _, ...secrets } = stored.secrets;
    expect(bucketOf({ ...stored, secrets }, [endpointS3])).toBeNull();
  }
});
