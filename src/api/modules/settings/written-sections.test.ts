import { describe, expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import type { StoredSettings } from "#api/core/settings.ts";
import { credentialSamples } from "#api/testing/credential-samples.ts";
import { createFixedFirewall, createFixedSettings } from "#api/testing/fixed-settings.ts";
import { createRandom, testSeed } from "#api/testing/random.ts";
import { type CoreSettings, coreSettings } from "#contract/core-settings.ts";
import type { ChangeOf } from "#contract/define-settings.ts";
import { planSettings, type SettingPlan } from "./change-settings.ts";
import type { CredentialsChange } from "./contract.ts";
import { plainCredentials, planCredentials } from "./credentials.ts";
import { defaultSections, sectionReaders } from "./store.ts";

const s3Endpoints = ["http://127.0.0.1:4999", "https://s3.example"];
const stored: StoredSettings = {
  ...defaultSections,
  generation: 1,
  secrets: {},
  clientSecrets: {},
  features: { values: {}, secrets: {} },
  faults: [],
};

/** What a change would write; `null` when it is refused. */
const planOf = async (change: CredentialsChange): Promise<SettingPlan | null> => {
  const judge = { s3Endpoints, isCallableHost: async () => true };
  const { plain, complaints } = await plainCredentials(judge, change);
  return complaints.length > 0 ? null : planCredentials(stored, plain, "demanded");
};

const planOfCore = (change: ChangeOf<CoreSettings>): SettingPlan | null => {
  try {
    return planSettings({ firewall: createFixedFirewall(), settings: createFixedSettings() }, coreSettings, {
      stored,
      change,
    });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
};

/** The sections of a plan, as they go into the database and come back. */
const expectReadable = (plan: SettingPlan | null, change: unknown): void => {
  const { core, redis, cloudflareR2 } = JSON.parse(JSON.stringify(plan?.sections ?? {}));
  const read = {
    ...(core === undefined ? {} : { core: sectionReaders.core(core) }),
    ...(redis === undefined ? {} : { redis: sectionReaders.redis(redis) }),
    ...(cloudflareR2 === undefined ? {} : { cloudflareR2: sectionReaders.cloudflareR2(cloudflareR2) }),
  };
  expect({ change, read }).toEqual({ change, read: plan?.sections ?? {} });
};

const hex = "0123456789abcdefABCDEF0123456789";

describe("R9: what is saved can be read again:", () => {
  test.each(["", "/", "//", "///", " / ", "/ /", "/.", "?", "#", "\\", "/%2f"])(
    "an S3 endpoint with %j behind it, or it is refused",
    async (end) => {
      for (const origin of [...s3Endpoints, `https://${hex}.r2.cloudflarestorage.com`]) {
        const change = { cloudflareR2: { endpointS3: `${origin}${end}` } };
        expectReadable(await planOf(change), change);
      }
    },
  );

  // Secrets stand in no section.
  const visible = credentialSamples.filter(({ path }) => /endpoint|bucket/.test(path));
  const samples = visible.flatMap(({ path, accepted, refused }) =>
    [...accepted, ...refused.map(([value]) => value)].map((value) => [path, value] as const),
  );
  const changeOf = (path: string, value: string): CredentialsChange => {
    const [section = "", name = ""] = path.split(".");
    return { [section]: { [name]: value } };
  };

  test("every endpoint and bucket, however it is spelt", async () => {
    const seed = testSeed();
    const random = createRandom(seed);
    const parts = [
      " ",
      "/",
      "//",
      ":",
      "@",
      "%",
      "%2F",
      "%00",
      "?",
      "#",
      "[",
      "]",
      ".",
      "-",
      "\u200d",
      "\u202e",
      "é",
      "0",
      "A",
    ] as const;
    let saved = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const [path, value] = random.pick([["redis.endpoint", "redis://h"], ...samples]);
      const at = random.below(value.length + 1);
      const added = Array.from({ length: random.below(3) }, () => random.pick(parts)).join("");
      const spelt = `${value.slice(0, at)}${added}${value.slice(random.once(4) ? at + 1 : at)}`;
      const change = changeOf(path, random.once(8) ? spelt.toUpperCase() : spelt);
      const plan = await planOf(change);
      if (plan !== null) saved += 1;
      expectReadable(plan, { seed, ...change });
    }
    expect(saved).toBeGreaterThan(100);
  });

  test("every core setting, however it is spelt", () => {
    const seed = testSeed();
    const random = createRandom(seed);
    const signs = [
      "a",
      " ",
      "\t",
      "\n",
      "\u00a0",
      "\u2003",
      "\u200d",
      "\ufeff",
      "\u0000",
      "é",
      "e\u0301",
      "😀",
      "\ud800",
      "ك",
    ] as const;
    let saved = 0;
    for (let round = 0; round < 4_000; round += 1) {
      const length = random.once(6) ? 190 + random.below(20) : random.below(6);
      const change: ChangeOf<CoreSettings> = {
        rateLimiting: {
          message: Array.from({ length }, () => (random.once(3) ? random.pick(signs) : "x")).join(""),
          maxRequests: random.pick([9, 10, 10.5, 10_000, 10_001, 1e3, -0, Number.NaN, 500]),
          windowMs: random.pick([60_000, 59_999, 900_000, 3_600_000, 3_600_001, 300_000]),
        },
        security: { trustProxy: random.once(2) },
      };
      const plan = planOfCore(change);
      if (plan !== null) saved += 1;
      expectReadable(plan, { seed, ...change });
    }
    expect(saved).toBeGreaterThan(100);
  });
});
