import { describe, expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { packFolder } from "./pack.ts";
import { readPackage, readUpload, textOf } from "./read-package.ts";
import { PackageError } from "./read-zip.ts";

const trust = {
  keys: [],
  allowUnsigned: true,
  allowNative: false,
  now: new Date("2026-01-01T00:00:00Z"),
  bundled: new Map(),
  pinnedKeyId: null,
};

const manifest = { manifestVersion: 1, name: "visitor-notes", version: "1.2.3" };
const entries = {
  backend: { entry: "backend/index.js" },
  frontend: { entry: "frontend/index.js", css: "frontend/index.css" },
  permissions: ["ui.page"],
};

type Files = Record<string, string | Uint8Array>;

const bundles: Files = {
  "backend/index.js": "export default { name: 'ä' }",
  "frontend/index.js": "export default {}",
  "frontend/index.css": "p {}",
};

const pack = (files: Files): Uint8Array =>
  packFolder(
    new Map(Object.entries(files).map(([path, body]) => [path, Uint8Array.from(Buffer.from(body))])),
  );

const whole = (changes: Record<string, unknown> = {}, files: Files = {}): Uint8Array =>
  pack({ "plugin.json": JSON.stringify({ ...manifest, ...entries, ...changes }), ...bundles, ...files });

const refusal = async (zip: Uint8Array): Promise<PackageError | null> =>
  readPackage(zip, { trust }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof PackageError) return error;
      throw error;
    },
  );

test("the name of a feature of the product is refused to an upload, not to what is stored already", async () => {
  const rules = { ...trust, features: ["visitor-notes"] };
  expect(await failureOf(readUpload(whole(), rules))).toMatchObject({
    kind: "PLUGIN_INVALID",
    errors: [{ path: "name", message: expect.stringContaining("belongs to a feature of this site") }],
  });
  expect(await readUpload(whole(), { ...rules, storedAt: trust.now })).toMatchObject({ tier: "unsigned" });
});

test("a package is read with its manifest, its files, its size and its hash", async () => {
  const zip = whole();
  const read = await readPackage(zip, { trust });
  expect(read).toMatchObject({
    sizeBytes: zip.length,
    tier: "unsigned",
    problems: [],
    publisherChanged: false,
  });
  expect(read.manifest).toMatchObject({ name: "visitor-notes", version: "1.2.3" });
  expect(read.sha256).toBe(new Bun.CryptoHasher("sha256").update(zip).digest("hex"));
  expect(textOf(read, "backend/index.js")).toBe("export default { name: 'ä' }");
});

test("packages of equal content have one content hash, others another one", async () => {
  const { contentSha256 } = await readPackage(whole(), { trust });
  const again = await readPackage(whole(), { trust });
  const other = await readPackage(whole({}, { "backend/index.js": "export default { name: 'b' }" }), {
    trust,
  });
  const moved = await readPackage(whole({}, { "extra.js": "" }), { trust });
  expect(again.contentSha256).toBe(contentSha256);
  expect(new Set([contentSha256, other.contentSha256, moved.contentSha256]).size).toBe(3);
});

test("of a manifest that is no JSON the line and column are told", async () => {
  const broken = pack({ "plugin.json": '{\n  "name": "a",\n}' });
  expect(String(await failureOf(readPackage(broken, { trust })))).toContain(
    "plugin.json is not readable JSON (line 3, column 1)",
  );
});

describe("refused with its code:", () => {
  test.each<[string, string, () => Uint8Array]>([
    ["no manifest", "manifest_missing", () => pack(bundles)],
    [
      "a manifest two folders deep",
      "manifest_missing",
      () => pack({ "a/b/plugin.json": JSON.stringify(manifest), "a/c": "" }),
    ],
    ["a manifest that is no JSON", "manifest_unreadable", () => pack({ "plugin.json": "{" })],
    [
      "a manifest that is no UTF-8",
      "manifest_unreadable",
      () => pack({ "plugin.json": Buffer.from('{"a":"\xff"}', "latin1") }),
    ],
    [
      "a manifest of 250 KB",
      "manifest_unreadable",
      () => pack({ "plugin.json": `${JSON.stringify(manifest)}${" ".repeat(250_000)}` }),
    ],
    ["a manifest with a mistake", "manifest_invalid", () => whole({ nmae: 1 })],
    ["a range that is none", "manifest_invalid", () => whole({ dependsOn: { licensing: "latest" } })],
    [
      "a range of the product that is none",
      "manifest_invalid",
      () => whole({ engines: { atrium: "x.y.z" } }),
    ],
    [
      "a pattern that could hang the server",
      "manifest_invalid",
      () =>
        whole({
          settings: {
            schema: { type: "object", properties: { a: { type: "string", pattern: "(a+)+\\1" } } },
          },
        }),
    ],
    ["a backend that is not there", "entry_missing", () => whole({ backend: { entry: "backend/other.js" } })],
    [
      "a frontend that is not there",
      "entry_missing",
      () => whole({ frontend: { entry: "frontend/other.js" } }),
    ],
    [
      "a style sheet that is not there",
      "entry_missing",
      () => whole({ frontend: { ...entries.frontend, css: "a.css" } }),
    ],
    [
      "a backend that is no text",
      "entry_unreadable",
      () => whole({}, { "backend/index.js": Buffer.from([0xff, 0xfe]) }),
    ],
    [
      "a bundle of more than 5 MB",
      "entry_too_large",
      () => whole({}, { "backend/index.js": " ".repeat(5_000_001) }),
    ],
  ])("%s", async (_what, code, build) => expect((await refusal(build()))?.code).toBe(code as never));
});

test("a refusal of the manifest says what to fix, and where", async () => {
  const error = await refusal(whole({ dependsOn: { licensing: "latest" } }));
  expect(error?.problems).toEqual([
    { path: "dependsOn.licensing", message: "Please give a range of versions such as ^1.0.0" },
  ]);
});

test("a default that its own hostile pattern would take ages for is checked in no time", async () => {
  const field = { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(4_000)}!` };
  const processorMs = startProcessorTime();
  const error = await refusal(whole({ settings: { schema: { type: "object", properties: { a: field } } } }));
  expect(error?.problems[0]?.path).toBe("settings.schema.properties.a.default");
  expect(processorMs()).toBeLessThan(1_000);
});

test("what is no range of versions is refused", async () => {
  for (const range of ["garbage!!", "", "^", "latest", "1.2.3.4", "^1.0.0\n", "a".repeat(200)])
    for (const place of [{ dependsOn: { licensing: range } }, { engines: { atrium: range } }])
      expect((await refusal(whole(place)))?.code).toBe("manifest_invalid");
  expect(await refusal(whole({ dependsOn: { licensing: "^1.0.0 || ~2.1 >=3.x" } }))).toBeNull();
});
