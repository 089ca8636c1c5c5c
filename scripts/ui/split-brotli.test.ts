import { describe, expect, test } from "bun:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { uncompressedBlock } from "#api/http/pages/open-page.ts";
import { splitBrotli } from "./compress.ts";

const encoder = new TextEncoder();
const before = encoder.encode("<!doctype html><title>Atrium: accounts and an admin area</title>");
// Words of brotli's own dictionary, of the first part and of itself: all three are found by distance.
const after = encoder.encode(
  '<link rel="stylesheet"><meta name="description" content="accounts and an admin area">'.repeat(40),
);
const roomBytes = 512;

describe("a brotli stream with a hole", () => {
  for (const [what, filling] of [
    ["spaces", " ".repeat(roomBytes)],
    ["a text that occurs around it", "an admin area ".repeat(40).slice(0, roomBytes)],
    ["letters of three bytes", "…".repeat(200).slice(0, 170).concat("ab")],
  ] as const) {
    test(`unpacks to both ends with ${what} between them`, async () => {
      const halves = await splitBrotli(before, after, roomBytes);
      const room = encoder.encode(filling);
      expect(room.byteLength).toBe(roomBytes);
      const stream = Buffer.concat([halves.before, uncompressedBlock(room), halves.after]);
      expect(brotliDecompressSync(stream).equals(Buffer.concat([before, room, after]))).toBe(true);
    });
  }

  test("costs little more than the hole itself", async () => {
    const halves = await splitBrotli(before, after, roomBytes);
    const plain = brotliCompressSync(Buffer.concat([before, after])).byteLength;
    expect(halves.before.byteLength + halves.after.byteLength).toBeLessThan(plain + 64);
  });
});
