import { expect, test } from "bun:test";
import { isApiToken, newApiToken } from "./actor.ts";

const tokens = Array.from({ length: 200 }, newApiToken);

test("a token is the prefix, 43 characters of secret and 6 of checksum, and no two are the same", () => {
  for (const token of tokens) expect(token).toMatch(/^atr_[0-9A-Za-z]{49}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("a checksum is CRC-32 of what stands before it, in base 62 with digits first", () => {
  // By Python: zlib.crc32(b"atr_" + b"0" * 43) is 2264551026.
  expect(isApiToken(`atr_${"0".repeat(43)}2TFpAY`)).toBe(true);
});

test("one with any character changed, left out, doubled or put in another's place is none", () => {
  for (const token of tokens.slice(0, 5)) {
    expect(isApiToken(token)).toBe(true);
    for (let at = 0; at < token.length; at += 1) {
      const [before, here, after] = [token.slice(0, at), token.charAt(at), token.slice(at + 1)];
      expect(isApiToken(`${before}${here === "x" ? "y" : "x"}${after}`)).toBe(false);
      expect(isApiToken(before + after)).toBe(false);
      expect(isApiToken(before + here + here + after)).toBe(false);
      const swapped = before + after.charAt(0) + here + after.slice(1);
      expect(isApiToken(swapped)).toBe(swapped === token);
    }
  }
});

test("other texts are none", () => {
  const [token = ""] = tokens;
  for (const text of ["", "atr_", token.toUpperCase(), ` ${token}`, `${token}\n`, token.slice(4)])
    expect(isApiToken(text)).toBe(false);
});
