import { beforeEach, describe, expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { credentialSamples } from "#api/testing/credential-samples.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { emptyCredentials, r2Endpoint, settingsCalls } from "#api/testing/settings-calls.ts";
import { fieldTexts } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings.ts";

const linkLocal = "http://169.254.169.254";
const shell = "http://127.0.0.1:22";
const listed = "http://127.0.0.1:9100";

const host = await hostForFile({
  hasher: createCheapHasher(),
  settings: "stored",
  s3Endpoints: [listed, linkLocal, shell],
});
const calls = settingsCalls(await host.signedIn("admin"));
beforeEach(() => emptyCredentials(calls));

const errorsOf = ({ answer }: { answer: Record<string, unknown> }): unknown => answer.errors;

const bodyFor = (path: string, value: unknown) => {
  const [section = "", name = ""] = path.split(".");
  return { [section]: { [name]: value } };
};

/** A secret needs the endpoint that it is for. */
const withEndpoint = (path: string, value: string) => {
  if (path === "redis.password") return { redis: { endpoint: "redis://redis.example", password: value } };
  const body = bodyFor(path, value);
  return "cloudflareR2" in body ? { cloudflareR2: { endpointS3: r2Endpoint(), ...body.cloudflareR2 } } : body;
};

describe.each(credentialSamples)("S7: $path, as the server sees it,", ({ path, accepted, refused }) => {
  test("is saved when it keeps its rule", async () => {
    for (const value of accepted) {
      const { status } = await calls.save(withEndpoint(path, value));
      expect([value, status]).toEqual([value, 200]);
      await emptyCredentials(calls);
    }
  });

  test("is refused with the text of the rule it breaks, at its path, and changes nothing", async () => {
    const before = await calls.credentials();
    for (const [value, message] of refused) {
      // What PostgreSQL cannot hold is refused before anybody looks at fields.
      if (value.includes("\u0000")) continue;
      const answered = await calls.save(bodyFor(path, value));
      expect([value, answered.status, errorsOf(answered)]).toEqual([value, 422, [{ path, message }]]);
    }
    expect(await calls.credentials()).toEqual(before);
  });

  test.each([[1], [true], [[]], [{}], [["redis://redis.example"]]])(
    "is refused as %j, at its path",
    async (value) => {
      const answered = await calls.save(bodyFor(path, value));
      expect(answered.status).toBe(422);
      expect(errorsOf(answered)).toEqual([{ path, message: settingsTexts.textExpected }]);
    },
  );
});

test("S7: all faults of a form are reported together", async () => {
  const answered = await calls.save({
    redis: { endpoint: "x", password: "\n" },
    cloudflareR2: { bucket: "A", token: "x", accessKeyId: "x", secretAccessKey: "x", endpointS3: "x" },
  });
  const paths = credentialSamples.map(({ path }) => path);
  expect(errorsOf(answered)).toMatchObject(paths.map((path) => ({ path })));
});

test.each([
  [{ mail: {} }, "mail"],
  [{ redis: { url: "x" } }, "redis.url"],
  [{ redis: { hasPassword: true } }, "redis.hasPassword"],
  [{ cloudflareR2: { hasToken: true } }, "cloudflareR2.hasToken"],
])("Z3: %j has an unknown field, and is refused", async (body, path) => {
  const answered = await calls.save(body);
  expect([answered.status, errorsOf(answered)]).toEqual([422, [{ path, message: fieldTexts.unknown }]]);
});

describe("S3: an endpoint that is never called is not saved:", () => {
  test.each([
    ...["169.254.169.254", "0.0.0.0", "224.0.0.1", "255.255.255.255", "100.100.100.200", "2130706433"],
    ...[
      "0x7f000001",
      "0x7f.1",
      "0177.0.0.1",
      "127.1",
      "0",
      "[::]",
      "[fe80::1]",
      "[ff02::1]",
      "[::ffff:127.0.0.1]",
    ],
    ...[
      "[::ffff:a9fe:a9fe]",
      "[64:ff9b::a9fe:a9fe]",
      "[2002:a9fe:a9fe::]",
      "[fd00:ec2::254]",
      "[::127.0.0.1]",
    ],
    ...["metadata.google.internal", "metadata.google.internal.", "METADATA.google.internal"],
  ])("%s", async (name) => {
    const answered = await calls.save({ redis: { endpoint: `redis://${name}` } });
    expect([answered.status, errorsOf(answered)]).toEqual([
      422,
      [{ path: "redis.endpoint", message: settingsTexts.addressRefused }],
    ]);
  });

  test("nor one of object storage, though the operator lists it", async () => {
    for (const endpointS3 of [linkLocal, shell])
      expect(errorsOf(await calls.save({ cloudflareR2: { endpointS3 } }))).toEqual([
        { path: "cloudflareR2.endpointS3", message: settingsTexts.addressRefused },
      ]);
    expect((await calls.save({ cloudflareR2: { endpointS3: `${listed}/` } })).status).toBe(200);
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "10.1.2.3", "192.168.0.1", "[fd12::1]", "redis.internal"])(
    "unlike %s, which is as good as any",
    async (name) => expect((await calls.save({ redis: { endpoint: `redis://${name}` } })).status).toBe(200),
  );
});
