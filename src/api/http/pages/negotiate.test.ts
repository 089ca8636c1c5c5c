import { describe, expect, test } from "bun:test";
import { chooseCoding } from "./open-page.ts";
import type { Coding } from "./ui-manifest.ts";

const all: Coding[] = ["br", "gzip", "identity"];

const table: [header: string | null, ready: Coding[], expected: Coding][] = [
  [null, all, "identity"],
  ["", all, "identity"],
  ["gzip, deflate, br, zstd", all, "br"],
  ["gzip, deflate", all, "gzip"],
  ["br", ["gzip", "identity"], "identity"],
  ["br;q=0, gzip", all, "gzip"],
  ["br;q=0.5, gzip;q=0.9", all, "gzip"],
  ["gzip;q=0.9, br;q=0.9", all, "br"],
  ["*", all, "br"],
  ["*;q=0", all, "identity"],
  ["br;q=0, *", all, "gzip"],
  ["identity", all, "identity"],
  ["identity;q=0.5, gzip;q=0.4", all, "identity"],
  ["identity;q=0, gzip;q=0.1", all, "gzip"],
  ["identity;q=0", all, "identity"],
  ["GZIP ; Q=0.8", all, "gzip"],
  ["x-gzip", all, "gzip"],
  ["br;q=nonsense", all, "identity"],
  ["deflate, compress", all, "identity"],
];

describe("the coding of an answer", () => {
  for (const [header, ready, expected] of table) {
    test(`"${header ?? "(no header)"}" is answered in ${expected} of ${ready.join(", ")}`, () => {
      expect(chooseCoding(header, ready)).toBe(expected);
    });
  }
});
