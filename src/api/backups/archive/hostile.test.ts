import { describe, expect, test } from "bun:test";
import { buffer } from "node:stream/consumers";
import { zstdCompressSync } from "node:zlib";
import { pack } from "tar-stream";
import { digestOf } from "#api/core/ids.ts";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { encrypted } from "./age.ts";
import { ArchiveError, caps, rowsIn } from "./format.ts";
import { createInventory, openArchive } from "./read-archive.ts";

const about = backupManifest({ tables: ["users", "tokens", "stored_objects"] });

type Files = [name: string, content: string | Uint8Array][];

/** A tar of whatever is given, with no regard to what an archive is. */
const tarOf = async (files: Files): Promise<Buffer> => {
  const tar = pack();
  for (const [name, content] of files) tar.entry({ name }, Buffer.from(content));
  tar.finalize();
  return buffer(tar);
};

/** With checksums that are right, unless `rows` says otherwise. */
const whole = (files: Files, rows: Record<string, number> = {}): Files => {
  const all: Files = [["manifest.json", JSON.stringify(about)], ...files];
  const entries = Object.fromEntries(
    all.map(([name, content]) => {
      const bytes = Buffer.from(content);
      return [name, { sha256: digestOf(bytes), sizeBytes: bytes.byteLength }];
    }),
  );
  return [...all, ["checksums.json", JSON.stringify({ entries, rows })]];
};

async function* inTurn(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const noKeys = { passphrase: null, identities: [] };

const read = async (
  archive: Uint8Array,
  keys: Parameters<typeof openArchive>[1] = noKeys,
  ...more: Uint8Array[]
) => {
  const { entries, manifest } = await openArchive(inTurn(archive, ...more), keys);
  const names: string[] = [];
  for await (const { name } of entries) names.push(name);
  return { names, manifest };
};

const faultOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "none";
  } catch (error) {
    if (error instanceof ArchiveError) return error.fault;
    throw error;
  }
};

const faultIn = async (files: Files): Promise<string> => faultOf(read(zstdCompressSync(await tarOf(files))));

/** What it comes to, and what it took. */
const costOf = async (archive: Uint8Array) => {
  Bun.gc(true);
  const [rss, processorMs] = [process.memoryUsage.rss(), startProcessorTime()];
  const fault = await faultOf(read(archive));
  const megabytes = (process.memoryUsage.rss() - rss) / 1e6;
  return { fault, isCheap: megabytes < 150 && processorMs() < 2_000 };
};

const version = "0198a000-0000-7000-8000-00000000000a";
const catalogue = (content: string) =>
  JSON.stringify({ key: "a", version, bucket: "https://b", digest: digestOf(Buffer.from(content)) });

test("X15: where something is given to open it, or its name says so, a backup in the open is refused", async () => {
  const archive = zstdCompressSync(await tarOf(whole([])));
  for (const keys of [
    { passphrase: "a passphrase", identities: [] },
    { passphrase: null, identities: ["AGE-SECRET-KEY-1X"] },
    { ...noKeys, isNamedEncrypted: true },
  ])
    expect(await faultOf(read(archive, keys))).toBe("not_encrypted");
  expect(await faultOf(read(archive))).toBe("none");
});

test("a key is taken only from an encrypted archive", async () => {
  about.hasKey = true;
  const archive = zstdCompressSync(await tarOf(whole([["app.key", "k\n"]])));
  about.hasKey = false;
  expect(await read(archive)).toMatchObject({ names: [], manifest: { hasKey: false } });
  const lock = { passphrase: "a passphrase of some length" };
  const locked = Buffer.concat(await Array.fromAsync(await encrypted(inTurn(archive), lock)));
  const opened = await read(locked, { ...lock, identities: [] });
  expect(opened).toMatchObject({ names: ["app.key"], manifest: { hasKey: true } });
});

describe("X15: an archive that would fill the memory ends soon", () => {
  const nested = (bytes: number) => Buffer.alloc(bytes, "[");
  const manifest: Files[number] = ["manifest.json", JSON.stringify(about)];

  test.each<[string, Files]>([
    ["a manifest that is too large", [["manifest.json", nested(64e6)]]],
    ["a manifest that is nested", [["manifest.json", nested(caps.manifestBytes)]]],
    ["a key that is too large", [manifest, ["app.key", nested(caps.keyBytes + 1)]]],
    ["a part that is nested", [manifest, ["tables/users/0.ndjson", nested(caps.partBytes)]]],
    ["a part of nothing", [manifest, ["tables/users/0.ndjson", Buffer.alloc(caps.rowBytes)]]],
    ["checksums that are nested", [manifest, ["checksums.json", nested(1_000)]]],
    ["checksums that are too large", [manifest, ["checksums.json", nested(64e6)]]],
    ["a part that is too large", [manifest, ["tables/users/0.ndjson", Buffer.alloc(caps.rowBytes + 1)]]],
    ["unknown objects", [manifest, [`objects/${version}`, ""]]],
  ])("%s", async (_, files) => {
    expect(await costOf(zstdCompressSync(await tarOf(files)))).toEqual({ fault: "altered", isCheap: true });
  });

  test("entries without end", () => {
    const inventory = createInventory(about);
    const bytes = new TextEncoder().encode("{}");
    const add = (part: number) =>
      inventory.add({ name: `tables/users/${part}.ndjson`, bytes }, { kind: "part", table: "users", part });
    for (let part = 0; part < caps.entries; part += 1) add(part);
    expect(() => add(caps.entries)).toThrow(ArchiveError);
  });

  test("zeros without end", async () => {
    const tar = Buffer.concat([await tarOf([manifest]), Buffer.alloc(64e6)]);
    const archive = zstdCompressSync(tar);
    expect(await costOf(archive)).toEqual({ fault: "altered", isCheap: true });
  });
});

describe("X15: an archive that holds other than it says is refused", () => {
  const users: Files[number] = ["tables/users/0.ndjson", '{"id":1}\n{"id":2}'];

  test("one that is right is not", async () => {
    const stored: Files = [
      ["tables/stored_objects/0.ndjson", catalogue("x")],
      [`objects/${version}`, "x"],
    ];
    expect(await faultIn(whole([users, ...stored], { users: 2, tokens: 0, stored_objects: 1 }))).toBe("none");
  });

  test.each([1, 300, 200_000])("%i bytes behind its end", async (count) => {
    const archive = zstdCompressSync(await tarOf(whole([users], { users: 2 })));
    expect(await faultOf(read(archive))).toBe("none");
    const behind = Buffer.alloc(count, "x");
    expect(await faultOf(read(Buffer.concat([archive, behind])))).toBe("altered");
    expect(await faultOf(read(archive, noKeys, behind))).toBe("altered");
  });

  test.each<[string, Files]>([
    ["counts that only sum up", whole([users], { users: -1, tokens: 3 })],
    ["a table it does not name", whole([["tables/other/0.ndjson", "{}"]], { other: 1 })],
    ["a part that is missing", whole([["tables/users/1.ndjson", "{}"]], { users: 1 })],
    ["an object that is not in its catalogue", whole([[`objects/${version}`, "x"]])],
    [
      "an object of another content",
      whole(
        [
          ["tables/stored_objects/0.ndjson", catalogue("x")],
          [`objects/${version}`, "y"],
        ],
        { stored_objects: 1 },
      ),
    ],
    ["a name that is none", whole([["objects/../../x", "x"]])],
    ["rows of null", whole([["tables/users/0.ndjson", "null"]], { users: 1 })],
    ["rows that are cut", whole([["tables/users/0.ndjson", '{"a":1']], { users: 1 })],
  ])("%s", async (_, files) => {
    expect(await faultIn(files)).toBe("altered");
  });

  test("an entry that it does not list, and none that lists them", async () => {
    const listed = whole([], { users: 2 });
    expect(await faultIn([...listed.slice(0, -1), users, ...listed.slice(-1)])).toBe("altered");
    expect(await faultIn(whole([users], { users: 2 }).slice(0, -1))).toBe("truncated");
  });

  test("a header that was damaged", async () => {
    const tar = Buffer.from(await tarOf(whole([users], { users: 2 })));
    // A digit of the time, which nothing else looks at.
    tar.writeUInt8(tar.readUInt8(146) ^ 1, 146);
    expect(await faultOf(read(zstdCompressSync(tar)))).toBe("altered");
  });

  test.each([
    { version: "1.0.0\u001b[2J" },
    { createdAt: "yesterday" },
    { tables: ["users\u001b[2J"] },
    { migrations: ["a b"] },
    { keyFingerprint: "\u001b]0;x\u0007" },
    { format: 0 },
  ])("a manifest with %j", async (change) => {
    expect(await faultIn([["manifest.json", JSON.stringify({ ...about, ...change })]])).toBe("not_a_backup");
  });
});

test("rows are counted line by line, whatever is in them", () => {
  const rows = ['{"a":"}{\\"\\n[","b":[1,[2]]}', "{}"].join("\n");
  expect(rowsIn(Buffer.from(rows))).toBe(2);
  expect(rowsIn(Buffer.from(""))).toBe(0);
});
