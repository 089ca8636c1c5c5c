import { describe, expect, test } from "bun:test";
import { generateKey } from "./keys.ts";
import { packFolder, signPackage } from "./pack.ts";
import { PackageError, unpackZip } from "./read-zip.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const files: [string, Uint8Array][] = [
  ["plugin.json", bytes(JSON.stringify({ manifestVersion: 1, name: "visitor-notes", version: "1.2.3" }))],
  ["backend/index.js", bytes("export default {}".repeat(100))],
  ["assets/logo.bin", Uint8Array.from([0, 1, 2, 255])],
];
const { privateKey } = generateKey();
const about = { privateKey, publisher: "Ada", signedAt: "2026-05-01T00:00:00Z" };
const equal = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(other);

test("the same files make the same bytes, in whatever order they come and wherever it is done", async () => {
  const zip = packFolder(new Map(files));
  expect(equal(packFolder(new Map([...files].reverse())), zip)).toBe(true);
  const zone = process.env.TZ ?? "";
  for (const place of ["Pacific/Kiritimati", "America/Anchorage"]) {
    process.env.TZ = place;
    expect(equal(packFolder(new Map(files)), zip)).toBe(true);
  }
  process.env.TZ = zone;
  const [one, other] = await Promise.all([signPackage(zip, about), signPackage(zip, about)]);
  expect(equal(one, other)).toBe(true);
});

test("what was packed is read as it was", async () => {
  expect((await unpackZip(packFolder(new Map(files)))).files).toEqual(
    new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
  );
});

test("signing again takes the place of the former signature", async () => {
  const zip = packFolder(new Map(files));
  const twice = await signPackage(await signPackage(zip, { ...about, publisher: "Eve" }), about);
  expect(equal(twice, await signPackage(zip, about))).toBe(true);
});

test("a large file of zeros is packed so that it can be read again", async () => {
  const zip = packFolder(new Map([...files, ["zeros.bin", new Uint8Array(3_000_000)]]));
  expect((await unpackZip(zip)).files.get("zeros.bin")?.length).toBe(3_000_000);
});

describe("not packed, because no server would take it:", () => {
  test.each<[string, string, Map<string, Uint8Array>]>([
    ["nothing", "empty", new Map()],
    ["a hidden file", "bad_path", new Map([...files, [".git/config", bytes("x")]])],
    ["a way up", "bad_path", new Map([["../a", bytes("x")]])],
    ["names that differ in case", "duplicate", new Map([...files, ["Plugin.json", bytes("x")]])],
    ["a file that is a folder", "conflict", new Map([...files, ["backend", bytes("x")]])],
    ["a file of more than 20 MB", "file_too_large", new Map([["a.bin", new Uint8Array(20_000_001)]])],
    [
      "2,001 files",
      "too_many_entries",
      new Map(Array.from({ length: 2_001 }, (_, i) => [`${i}.js`, bytes("")])),
    ],
  ])("%s", (_what, code, map) => {
    try {
      packFolder(map);
      throw new Error("it was packed");
    } catch (error) {
      expect(error instanceof PackageError ? error.code : error).toBe(code as never);
    }
  });
});
