import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import { type FieldError, fieldTexts } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { TestBucketInput } from "./contract.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { readSettings } from "./read-settings.ts";
import { runTest } from "./run-test.ts";
import { secretForTest } from "./secret-for-test.ts";

/**
 * Tries an object storage for real. What is left out is taken from what is stored; stored secrets go to their own server
 * alone. For admins and the operator. Throws a 422 for fields at fault, with nothing sent, `CONFLICT` and `TEST_FAILED`.
 */
export const testBucket = (ctx: Context, input: TestBucketInput) =>
  runTest(ctx, {
    action: "Tested the connection to the object storage",
    titles: { works: settingsTexts.r2Works, fails: settingsTexts.r2Fails },
    test: async () => ctx.connectionTests.bucket(await targetOf(ctx, input)),
  });

const targetOf = async (ctx: Context, input: TestBucketInput): Promise<BucketTarget> => {
  const { plain, complaints } = await plainCredentials(ctx, { cloudflareR2: input });
  const own = complaints.map(({ path, message }) => ({ path: path.replace("cloudflareR2.", ""), message }));
  if (own.length > 0) throw validationError(own);
  const stored = await readSettings(ctx.db, ctx.secrets);
  const endpoint = plain.cloudflareR2?.endpointS3 || stored.cloudflareR2.endpointS3;
  const bucket = plain.cloudflareR2?.bucket || stored.cloudflareR2.bucket;
  const secret = (name: SecretName) =>
    secretForTest(stored, { name, entered: plain.secrets[name], endpoint });
  const token = secret("cloudflareR2.token");
  const accessKeyId = secret("cloudflareR2.accessKeyId");
  const secretAccessKey = secret("cloudflareR2.secretAccessKey");
  const faults = [
    ...missing("bucket", bucket),
    ...token.complaints,
    ...accessKeyId.complaints,
    ...secretAccessKey.complaints,
    ...(accessKeyId.complaints.length > 0 ? [] : missing("accessKeyId", accessKeyId.value)),
    ...(secretAccessKey.complaints.length > 0 ? [] : missing("secretAccessKey", secretAccessKey.value)),
    ...missing("endpointS3", endpoint),
  ];
  const isNothingThere =
    faults.length === 4 && faults.every(({ message }) => message === fieldTexts.required);
  if (isNothingThere) throw new AppError("VALIDATION_FAILED", settingsTexts.noBucketYet, { errors: faults });
  if (faults.length > 0) throw validationError(faults);
  return {
    endpoint,
    bucket,
    accessKeyId: accessKeyId.value ?? "",
    secretAccessKey: secretAccessKey.value ?? "",
    token: token.value,
  };
};

const missing = (path: string, value: string | null): FieldError[] =>
  value === null || value === "" ? [{ path, message: fieldTexts.required }] : [];
