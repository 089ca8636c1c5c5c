import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { AppError } from "#api/core/app-error.ts";
import { sized } from "#api/testing/size.ts";
import { createSecretBox, SealError, type SealFault } from "./secret-box.ts";

const root = randomBytes(32);
const box = createSecretBox(root);
const text = (value: string) => new TextEncoder().encode(value);
const place = "mails:content:1";
const sealed = box.seal("mail", place, text("the link"));

const faultOf = (open: () => unknown): SealFault => {
  try {
    open();
  } catch (error) {
    if (error instanceof AppError && error.kind === "INTERNAL" && error.cause instanceof SealError) {
      return error.cause.fault;
    }
    throw error;
  }
  throw new Error("it opened");
};

const flipped = (bytes: Uint8Array, bit: number) =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe("what was sealed", () => {
  test.each([0, 1, 15, 16, 17, 100_000])("opens again at the same place (%d bytes)", (length) => {
    const plain = new Uint8Array(randomBytes(length));
    expect(box.open("mail", place, box.seal("mail", place, plain))).toEqual(plain);
  });

  test("does not show the text", () => {
    expect(Buffer.from(sealed).includes("the link")).toBe(false);
  });

  test("opens in another process with the same key", () => {
    expect(createSecretBox(root).open("mail", place, sealed)).toEqual(text("the link"));
  });
});

describe("S5: what was tampered with is refused with a coded error", () => {
  test("any single flipped bit", () => {
    const accepted = Array.from({ length: sealed.length * 8 }, (_, bit) => bit).filter((bit) => {
      const fault = faultOf(() => box.open("mail", place, flipped(sealed, bit)));
      return !["not_an_envelope", "unknown_key", "damaged_or_moved"].includes(fault);
    });
    expect(accepted).toEqual([]);
  });

  test("two rows whose values were swapped", () => {
    const other = box.seal("mail", "mails:content:2", text("another"));
    expect(faultOf(() => box.open("mail", place, other))).toBe("damaged_or_moved");
    expect(faultOf(() => box.open("mail", "mails:content:2", sealed))).toBe("damaged_or_moved");
  });

  test("a value sealed for another purpose", () => {
    expect(faultOf(() => box.open("credentials", place, sealed))).toBe("damaged_or_moved");
  });

  test("an unknown version, a cut value, an empty value", () => {
    const otherVersion = sealed.with(0, 2);
    for (const bytes of [otherVersion, sealed.slice(0, 32), new Uint8Array(0)]) {
      expect(faultOf(() => box.open("mail", place, bytes))).toBe("not_an_envelope");
    }
  });

  test("a tag cut short", () => {
    expect(faultOf(() => box.open("mail", place, sealed.slice(0, -4)))).toBe("damaged_or_moved");
  });

  test("the message for a person tells nothing", () => {
    expect(() => box.open("mail", place, flipped(sealed, 200))).toThrow("Something went wrong");
  });
});

const seals = sized(10_000, 1_000_000);
test(`S5: ${seals.toLocaleString("en")} seals of one value have as many nonces`, () => {
  const nonces = new Set<string>();
  for (let sealed = 0; sealed < seals; sealed += 1) {
    const nonce = box.seal("mail", place, text("x")).subarray(5, 17);
    nonces.add(nonce.toHex());
  }
  expect(nonces.size).toBe(seals);
}, 120_000);

describe("S6: after a change of key", () => {
  const next = randomBytes(32);

  test("the new key alone does not open old values", () => {
    expect(faultOf(() => createSecretBox(next).open("mail", place, sealed))).toBe("unknown_key");
  });

  test("with the previous key both old and new values open, and new ones need the new key only", () => {
    const rotating = createSecretBox(next, root);
    expect(rotating.open("mail", place, sealed)).toEqual(text("the link"));
    const renewed = rotating.seal("mail", place, text("the link"));
    expect(createSecretBox(next).open("mail", place, renewed)).toEqual(text("the link"));
  });

  test("the first bytes of a value tell under which key it lies", () => {
    const rotating = createSecretBox(next, root);
    expect(rotating.keyOf(sealed)).toBe("previous");
    expect(rotating.keyOf(rotating.seal("mail", place, text("x")).slice(0, 5))).toBe("current");
    expect(createSecretBox(next).keyOf(sealed)).toBe("unknown");
    for (const bytes of [new Uint8Array(0), sealed.slice(0, 4), sealed.with(0, 2)])
      expect(rotating.keyOf(bytes)).toBe("unknown");
    expect([rotating.previousFingerprint, box.previousFingerprint]).toEqual([box.fingerprint, null]);
  });

  test("the fingerprint tells the keys apart and stays the same for one key", () => {
    expect(createSecretBox(root).fingerprint).toBe(box.fingerprint);
    expect(createSecretBox(next, root).fingerprint).toBe(createSecretBox(next).fingerprint);
    expect(createSecretBox(next).fingerprint).not.toBe(box.fingerprint);
    expect(box.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });
});
