import { expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { ownBytes, streamOf } from "./csv.ts";

/** Pieces without end, and how many of them were asked for. */
const endless = () => {
  const seen = { given: 0, isOpen: false };
  const pieces = async function* (): AsyncGenerator<string> {
    seen.isOpen = true;
    try {
      for (;;) {
        seen.given += 1;
        yield `${seen.given};`;
      }
    } finally {
      seen.isOpen = false;
    }
  };
  return { seen, pieces: pieces() };
};
const encoder = new TextEncoder();

test("pieces are asked for one by one as they are read, and ended when the reader goes", async () => {
  const { seen, pieces } = endless();
  const reader = streamOf(pieces, (text) => encoder.encode(text)).getReader();
  await Bun.sleep(0);
  expect(seen).toEqual({ given: 0, isOpen: false });
  const read = [await reader.read(), await reader.read()].map(({ value }) => new TextDecoder().decode(value));
  expect([read, seen]).toEqual([["1;", "2;"], { given: 2, isOpen: true }]);
  await reader.cancel();
  expect(seen.isOpen).toBe(false);
});

test("what ends the pieces ends the stream, the last word included", async () => {
  const whole = streamOf(
    (async function* () {
      yield new Uint8Array([1]);
      yield new Uint8Array([2]);
    })(),
    ownBytes,
  );
  expect([...(await new Response(whole).bytes())]).toEqual([1, 2]);
  const broken = streamOf(
    (async function* () {
      yield new Uint8Array([1]);
      throw new Error("the bucket is away");
    })(),
    ownBytes,
  );
  expect(String(await failureOf(new Response(broken).bytes()))).toContain("the bucket is away");
});
