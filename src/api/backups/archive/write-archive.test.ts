import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { backupManifest } from "#api/testing/backup-manifest.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { caps, type DumpEntry } from "./format.ts";
import { writeArchive } from "./write-archive.ts";

const manifest = backupManifest();

/** Entries without end, and what became of whoever gives them. */
const endless = () => {
  const seen = { isOpen: false, given: 0 };
  const entries = async function* (): AsyncGenerator<DumpEntry> {
    seen.isOpen = true;
    try {
      for (; ; seen.given += 1)
        yield { name: `tables/users/${seen.given}.ndjson`, bytes: randomBytes(500_000) };
    } finally {
      seen.isOpen = false;
    }
  };
  return { seen, entries: entries() };
};

test("nothing is asked for before the first bytes are", async () => {
  const { seen, entries } = endless();
  const bytes = writeArchive({ manifest, entries });
  await bytes.return(undefined);
  expect(seen).toEqual({ isOpen: false, given: 0 });
});

test("a reader that stops closes the source", async () => {
  const { seen, entries } = endless();
  const bytes = writeArchive({ manifest, entries });
  await bytes.next();
  expect(seen.isOpen).toBe(true);
  await bytes.return(undefined);
  expect(seen.isOpen).toBe(false);
  // Bounded by what the streams hold in between.
  expect(seen.given).toBeLessThan(20);
});

test("ends with what its entries end with", async () => {
  const fails = async function* (): AsyncGenerator<DumpEntry> {
    yield { name: "tables/users/0.ndjson", bytes: randomBytes(100) };
    throw new Error("the database is away");
  };
  const failure = await failureOf(Array.fromAsync(writeArchive({ manifest, entries: fails() })));
  expect(String(failure)).toContain("the database is away");
});

test("what no reader would take, because it comes to next to nothing, is not written to its end either", async () => {
  const zeros = new Uint8Array(caps.objectBytes);
  const same = async function* (): AsyncGenerator<DumpEntry> {
    for (let at = 0; at < 30; at += 1) yield { name: `objects/${crypto.randomUUID()}`, bytes: zeros };
  };
  const failure = await failureOf(Array.fromAsync(writeArchive({ manifest, entries: same() })));
  expect(failure).toMatchObject({
    kind: "CONFLICT",
    message: expect.stringContaining("can't be backed up"),
  });
}, 60_000);
