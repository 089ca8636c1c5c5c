import { expect, test } from "bun:test";
import { createFrameReader, encodeFrame, OversizedFrameError } from "./channel.ts";

const readAll = (chunks: Buffer[], maxBodyBytes = 1000): string[] => {
  const read: string[] = [];
  const reader = createFrameReader(maxBodyBytes, ({ head, body }) => read.push(`${head}|${body}`));
  for (const chunk of chunks) reader.push(chunk);
  return read;
};

test("frames come out whole, however the bytes are cut", () => {
  const bytes = Buffer.concat([
    encodeFrame('{"a":1}', "ünï"),
    encodeFrame("{}", ""),
    encodeFrame("{}", "x".repeat(900)),
  ]);
  const whole = readAll([bytes]);
  expect(whole).toEqual(['{"a":1}|ünï', "{}|", `{}|${"x".repeat(900)}`]);
  for (const size of [1, 3, 7, 64]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(readAll(chunks)).toEqual(whole);
  }
});

test("a frame that only says that it is too large is refused before it comes", () => {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(2, 0);
  lengths.writeUInt32LE(1001, 4);
  expect(() => readAll([lengths])).toThrow(OversizedFrameError);
  lengths.writeUInt32LE(1_000_000, 0);
  lengths.writeUInt32LE(0, 4);
  expect(() => readAll([lengths])).toThrow(OversizedFrameError);
});
