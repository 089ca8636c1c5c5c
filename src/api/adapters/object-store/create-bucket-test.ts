import { OutboundError, type ResolvedAddress, resolveAllowed } from "#api/adapters/outbound/check-address.ts";
import { createOutbound } from "#api/adapters/outbound/create-outbound.ts";
import { type Bucket, BucketError, type BucketFault, bucketFaults } from "#api/core/objects.ts";
import type { BucketTarget, ConnectionReport } from "#api/core/settings.ts";
import { isR2Endpoint } from "#contract/credential-settings.ts";
import type { TestStep } from "#contract/settings.ts";
import { bucketFaultOf, openS3Bucket } from "./s3-client.ts";
import { checkEndpoint } from "./s3-transport.ts";

type BucketTestOptions = Omit<TokenCheckOptions, "deadlineMs"> & {
  /** Origins accepted besides Cloudflare's. */
  otherOrigins: readonly string[];
  /** How long the server may be silent in one step. */
  quietMs?: number;
  resolve?: (hostname: string) => Promise<ResolvedAddress>;
};

// With the steps below in a row a server that hangs in the worst place costs less than five seconds.
const addressMs = 1_000;
const stepMs = 1_200;
const tokenMs = 1_200;

const stepNames = {
  address: "Address",
  write: "Store a probe object",
  read: "Read it back",
  remove: "Remove it",
} as const;

/**
 * Tries a bucket for real: its address, and a small object that is stored, read and removed again, whatever else fails;
 * the API token is asked about besides. Reports within five seconds; never throws.
 */
export const createBucketTest =
  ({ otherOrigins, resolve = resolveAllowed, quietMs = stepMs, ...token }: BucketTestOptions) =>
  async (target: BucketTarget): Promise<ConnectionReport> => {
    const address = await step(stepNames.address, async () => {
      const { hostname } = checkEndpoint(target.endpoint, otherOrigins);
      const found = await dialled(resolve(hostname));
      return { result: found, message: "Connections to the address are allowed." };
    });
    if (address.result === null) return reportOf([address.step, ...skipped("write", "read", "remove")]);
    const known = address.result;
    const asking = checkToken(target, { ...token, deadlineMs: tokenMs });
    const bucket = openS3Bucket(target, {
      otherOrigins,
      resolve: async () => known,
      quietMs,
      tries: 1,
      deadlineMs: stepMs,
    });
    try {
      const steps = await probe(bucket);
      return reportOf([address.step, ...steps, await asking]);
    } finally {
      bucket.close();
    }
  };

/** Gives up on a lookup that takes too long; the system's own continues for up to half a minute. */
const dialled = async (looking: Promise<ResolvedAddress>): Promise<ResolvedAddress> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BucketError("slow")), addressMs);
  });
  try {
    return await Promise.race([looking, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};

const probe = async (bucket: Bucket): Promise<TestStep[]> => {
  const name = `atrium-probe-${crypto.randomUUID()}`;
  const content = crypto.getRandomValues(new Uint8Array(64));
  const options = { contentType: "application/octet-stream" };
  const write = await step(stepNames.write, async () => {
    await bucket.put(name, content, options);
    return { result: true, message: "64 bytes were stored." };
  });
  // One that came too late may have got there nevertheless.
  const isUnsure =
    write.fault !== null && ["slow", "unreachable", "broken", "large", "odd"].includes(write.fault);
  if (write.result === null && !isUnsure) return [write.step, ...skipped("read", "remove")];
  const read =
    write.result === null
      ? null
      : await step(stepNames.read, async () => {
          const found = await bucket.get(name, content.byteLength);
          if (found === null || !Buffer.from(found).equals(content)) throw new BucketError("odd");
          return { result: true, message: "The same bytes were read." };
        });
  const remove = await step(stepNames.remove, async () => {
    await bucket.delete(name);
    return { result: true, message: "It was removed completely." };
  });
  return [write.step, ...(read === null ? skipped("read") : [read.step]), remove.step];
};

type Step<T> = { step: TestStep; result: T | null; fault: BucketFault | null };

const step = async <T>(
  name: string,
  work: () => Promise<{ result: T; message: string }>,
): Promise<Step<T>> => {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const { result, message } = await work();
    return { step: { name, status: "passed", message, durationMs: durationMs() }, result, fault: null };
  } catch (error) {
    const fault = bucketFaultOf(error);
    const { reason, remedy } = bucketFaults[fault];
    const message = fault === "refused" ? reason : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
    const failed = { name, status: "failed" as const, message, remedy, durationMs: durationMs() };
    return { step: failed, result: null, fault };
  }
};

const skipped = (...names: (keyof typeof stepNames)[]): TestStep[] =>
  names.map((name) => ({
    name: stepNames[name],
    status: "skipped",
    message: "Not tried: an earlier step failed.",
  }));

const reportOf = (steps: TestStep[]): ConnectionReport => {
  const failed = steps.find(({ status }) => status === "failed");
  const warning = steps.find(({ status }) => status === "warning");
  return {
    isWorking: failed === undefined,
    summary: failed?.message ?? "Objects can be stored, read and removed.",
    details: failed?.remedy ?? warning?.message ?? "",
    steps,
  };
};

const cloudflareApi = "https://api.cloudflare.com/client/v4";

type TokenCheckOptions = {
  /** Where Cloudflare's API is. */
  apiUrl?: string;
  /** Whether an endpoint is one that Cloudflare's tokens are about. */
  isCloudflare?: (endpoint: string) => boolean;
  deadlineMs: number;
};

const name = "API token";

/**
 * Asks Cloudflare whether the API token is valid. Objects are stored without it, so nothing is worse than a warning. Never
 * throws.
 */
const checkToken = async (
  { endpoint, token }: BucketTarget,
  { apiUrl = cloudflareApi, isCloudflare = isR2Endpoint, deadlineMs }: TokenCheckOptions,
): Promise<TestStep> => {
  if (!isCloudflare(endpoint))
    return { name, status: "skipped", message: "Only Cloudflare R2 has API tokens." };
  if (token === null)
    return { name, status: "skipped", message: "No API token is saved; storing objects needs none." };
  const outbound = createOutbound({ deadlineMs, mostBytes: 64 * 1024 });
  try {
    const { status, text } = await outbound({
      url: `${apiUrl}/user/tokens/verify`,
      headers: { authorization: `Bearer ${token}` },
    });
    if (status === 200 && isActive(text))
      return { name, status: "passed", message: "Cloudflare says that the token is active." };
    return {
      name,
      status: "warning",
      message: "Cloudflare does not accept the token; storing objects works without it.",
      remedy: "Enter an active API token, or remove it.",
    };
  } catch (error) {
    const reason = error instanceof OutboundError ? error.message : "the request failed";
    return {
      name,
      status: "warning",
      message: `The token could not be checked: ${reason}.`,
      remedy: "Check whether this server can connect to api.cloudflare.com.",
    };
  }
};

const isActive = (text: string): boolean => {
  try {
    const answer: unknown = JSON.parse(text);
    return Reflect.get(Object(Reflect.get(Object(answer), "result")), "status") === "active";
  } catch {
    // Not the answer of Cloudflare's API.
    return false;
  }
};
