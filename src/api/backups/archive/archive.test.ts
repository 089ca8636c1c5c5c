import { describe, expect, test } from "bun:test";
import { zstdDecompressSync } from "node:zlib";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { decrypted, encrypted } from "./age.ts";
import { ArchiveError, type DumpEntry } from "./format.ts";
import { readArchive } from "./read-archive.ts";
import { writeArchive } from "./write-archive.ts";

const manifest = backupManifest({ tables: ["users", "mails"] });

async function* someEntries(parts = 40): AsyncGenerator<DumpEntry> {
  for (let part = 0; part < parts; part += 1) {
    const line = () => JSON.stringify({ id: crypto.getRandomValues(new Uint8Array(5_000)).toBase64() });
    const bytes = new TextEncoder().encode([line(), line(), line()].join("\n"));
    yield { name: `tables/users/${part}.ndjson`, bytes, rows: 3 };
  }
}

const archive = async (entries: AsyncIterable<DumpEntry> = someEntries(), about = manifest) =>
  Buffer.concat(await Array.fromAsync(writeArchive({ manifest: about, entries })));

async function* inPieces(bytes: Uint8Array, pieceBytes = 7_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const noKeys = { passphrase: null, identities: [] };

const readAll = async (bytes: Uint8Array, keys: Parameters<typeof decrypted>[1] = noKeys) => {
  const open = await readArchive(await decrypted(inPieces(bytes), keys));
  const names: string[] = [];
  for await (const { name } of open.entries) names.push(name);
  return { manifest: open.manifest, names, checksums: open.checksums() };
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

describe("an archive", () => {
  test("gives back what was put in, with the rows of each table", async () => {
    const read = await readAll(await archive());
    expect(read.manifest).toEqual(manifest);
    expect(read.names).toHaveLength(40);
    expect(read.checksums.rows).toEqual({ users: 120, mails: 0 });
  });

  test("X15: cut at every tenth of its length it is refused as not whole", async () => {
    const bytes = await archive();
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const cut = bytes.subarray(0, Math.floor((bytes.byteLength * tenth) / 10));
      expect([tenth, await faultOf(readAll(cut))]).toEqual([tenth, "truncated"]);
    }
  });

  test("X15: with a byte changed anywhere it is refused, unless the same comes out of it", async () => {
    const bytes = await archive(someEntries(2));
    const last = bytes.byteLength - 200;
    // What stands before tells the size of the window alone.
    for (let at = 6; at < bytes.byteLength; at += at < last ? Math.floor(bytes.byteLength / 50) : 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      if ((await faultOf(readAll(changed))) === "none")
        expect([at, zstdDecompressSync(changed).equals(zstdDecompressSync(bytes))]).toEqual([at, true]);
    }
  });

  test("of a newer form, or of another kind altogether, is refused", async () => {
    expect(await faultOf(readAll(await archive(someEntries(1), { ...manifest, format: 2 })))).toBe(
      "newer_format",
    );
    expect(await faultOf(readAll(Buffer.from("no backup at all, but some text of some length")))).toBe(
      "not_a_backup",
    );
  });

  test("whose contents cannot be read to the end breaks off with the reason", async () => {
    async function* failing(): AsyncGenerator<DumpEntry> {
      yield* someEntries(3);
      throw new Error("the bucket is away");
    }
    expect(archive(failing())).rejects.toThrow("the bucket is away");
  });

  test("opens with zstd and tar alone", async () => {
    // Not every machine has the program zstd; its library does the same.
    const tar = Bun.zstdDecompressSync(await archive(someEntries(2)));
    const listing = Bun.spawnSync(["tar", "-t"], { stdin: tar });
    expect(listing.stdout.toString().trim().split("\n")).toEqual([
      "manifest.json",
      "tables/users/0.ndjson",
      "tables/users/1.ndjson",
      "checksums.json",
    ]);
  });
});

describe("an encrypted archive", () => {
  test("opens with its passphrase and with no other, which takes long to try", async () => {
    const passphrase = "a passphrase of some length";
    const slow = Buffer.concat(
      await Array.fromAsync(await encrypted(inPieces(Buffer.from("")), { passphrase })),
    );
    expect(slow.toString("latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 18\n/);
    // The same at a pace for tests.
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(10);
    const bytes = await encrypter.encrypt(await archive());
    expect((await readAll(bytes, { passphrase, identities: [] })).names).toHaveLength(40);
    expect(await faultOf(readAll(bytes))).toBe("locked");
    expect(await faultOf(readAll(bytes, { passphrase: "another", identities: [] }))).toBe("wrong_secret");
  }, 20_000);

  test("opens with a recipient's identity, and cut at any tenth it is refused", async () => {
    const identity = await generateX25519Identity();
    const recipients = [await identityToRecipient(identity)];
    const bytes = Buffer.concat(
      await Array.fromAsync(await encrypted(inPieces(await archive()), { recipients })),
    );
    const keys = { passphrase: null, identities: [identity] };
    expect((await readAll(bytes, keys)).names).toHaveLength(40);
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const cut = bytes.subarray(0, Math.floor((bytes.byteLength * tenth) / 10));
      expect(["truncated", "altered"]).toContain(await faultOf(readAll(cut, keys)));
    }
  });
});
