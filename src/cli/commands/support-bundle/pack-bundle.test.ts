import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { failureOf } from "#api/testing/failure-of.ts";
import { packBundle } from "./pack-bundle.ts";

// More than the streams on the way hold, and nothing that becomes small by being compressed.
const part = {
  file: "server.log",
  about: "the end of the log",
  problem: null,
  text: randomBytes(4_000_000).toString("base64"),
};

test("a bundle whose file cannot be written on, as on a full disk, ends with that reason and nothing behind it", async () => {
  const full = new Error("the disk is full");
  const take = async (): Promise<never> => {
    for await (const _ of packBundle("bundle", [part])) throw full;
    throw new Error("there was nothing to take");
  };
  expect(await failureOf(take())).toBe(full);
  // What breaks behind the last word of a bundle would end this process before another one is packed.
  await Array.fromAsync(packBundle("bundle", [part]));
});

test("all of a large part comes out", async () => {
  const packed = Buffer.concat(await Array.fromAsync(packBundle("bundle", [part])));
  const files = await new Bun.Archive(packed).files();
  expect(await files.get("bundle/server.log")?.text()).toBe(part.text);
});
