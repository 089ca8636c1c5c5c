import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { until } from "#api/testing/until.ts";
import { encrypted, newIdentity } from "./age.ts";
import type { Manifest } from "./format.ts";
import { openArchive } from "./read-archive.ts";
import { writeArchive } from "./write-archive.ts";

const { identity: another } = await newIdentity();
const noKeys = { passphrase: null, identities: [] };

/** More than the streams on the way hold. */
const archiveOf = async (about: Partial<Manifest> = {}): Promise<Uint8Array> => {
  const entries = async function* () {
    for (let part = 0; part < 40; part += 1) {
      const bytes = new TextEncoder().encode(JSON.stringify({ id: randomBytes(60_000).toBase64() }));
      yield { name: `tables/users/${part}.ndjson`, bytes, rows: 1 };
    }
  };
  const contents = { manifest: backupManifest(about), entries: entries() };
  return Buffer.concat(await Array.fromAsync(writeArchive(contents)));
};

const lockedFor = async (recipient: string): Promise<Uint8Array> =>
  Buffer.concat(
    await Array.fromAsync(await encrypted(inPieces(await archiveOf()), { recipients: [recipient] })),
  );

async function* inPieces(bytes: Uint8Array, onEnd = () => {}): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < bytes.byteLength; at += 7_000) yield bytes.subarray(at, at + 7_000);
  } finally {
    onEnd();
  }
}

/** A source, and whether whoever gives the bytes knows that no one wants more. */
const sourceOf = (bytes: Uint8Array) => {
  const seen = { isClosed: false };
  const source = inPieces(bytes, () => {
    seen.isClosed = true;
  });
  return { seen, source };
};

describe("a backup that is refused has its source closed", () => {
  test.each<[string, () => Promise<Uint8Array>, Partial<Parameters<typeof openArchive>[1]>]>([
    ["locked", async () => lockedFor((await newIdentity()).recipient), {}],
    ["wrong_secret", async () => lockedFor((await newIdentity()).recipient), { identities: [another] }],
    ["not_a_backup", async () => randomBytes(50_000), {}],
    ["not_encrypted", () => archiveOf(), { isNamedEncrypted: true }],
    ["newer_format", () => archiveOf({ format: 2 }), {}],
  ])("%s", async (fault, bytes, keys) => {
    const { seen, source } = sourceOf(await bytes());
    expect(await failureOf(openArchive(source, { ...noKeys, ...keys }))).toMatchObject({ fault });
    await until(() => seen.isClosed);
  });
});

test.each([
  ["before anything is taken out of it", 0],
  ["before its end", 1],
])("an archive that is closed %s closes its source, encrypted or not", async (_, taken) => {
  const { identity, recipient } = await newIdentity();
  for (const [bytes, identities] of [
    [await archiveOf(), []],
    [await lockedFor(recipient), [identity]],
  ] as const) {
    const { seen, source } = sourceOf(bytes);
    const archive = await openArchive(source, { passphrase: null, identities });
    const entries = archive.entries[Symbol.asyncIterator]();
    for (let at = 0; at < taken; at += 1) await entries.next();
    await archive.close();
    // The streams in between hear of it in turns of their own.
    await until(() => seen.isClosed);
  }
});
