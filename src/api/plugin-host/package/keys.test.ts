import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync, sign, verify } from "node:crypto";
import { generateKey, readPrivateKey, readPublicKey } from "./keys.ts";
import { PackageError } from "./read-zip.ts";

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
    return null;
  } catch (error) {
    return error instanceof PackageError ? error.code : error;
  }
};

const p = 2n ** 255n - 19n;

/** A number as a key: little-endian in 32 bytes, in base64. */
const encoded = (y: bigint, sign = 0n): string =>
  Buffer.from((y + (sign << 255n)).toString(16).padStart(64, "0"), "hex")
    .reverse()
    .toString("base64");

// The two y of the points of order 8, and those of order 1, 2 and 4. Source: the curve's equation for 2P = (±√-1, 0).
const order8 = "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826";
const smallY = [0n, 1n, p - 1n, BigInt(`0x${order8}`), p - BigInt(`0x${order8}`)];

describe("P5: a key with which anyone could sign is refused:", () => {
  test.each(smallY.map((y) => [y] as const))("y = %p, with either sign", (y) => {
    expect(codeOf(() => readPublicKey(encoded(y)))).toBe("key_weak");
    expect(codeOf(() => readPublicKey(encoded(y, 1n)))).toBe("key_weak");
  });

  test("nor any of the encodings that another one stands for", () => {
    for (let y = p; y < 2n ** 255n; y += 1n)
      for (const sign of [0n, 1n]) expect(codeOf(() => readPublicKey(encoded(y, sign)))).toBe("key_weak");
  });

  test("which is needed: without it one signature fits any message", () => {
    const raw = Buffer.from(encoded(1n), "base64");
    const jwk = { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") };
    const constant = Buffer.concat([raw, Buffer.alloc(32)]);
    expect(verify(null, Buffer.from("anything"), { key: jwk, format: "jwk" }, constant)).toBe(true);
  });
});

describe("what is no key is refused:", () => {
  const { publicKey } = generateKey();
  test.each([
    ["nothing", ""],
    ["31 bytes", Buffer.alloc(31, 7).toString("base64")],
    ["33 bytes", Buffer.alloc(33, 7).toString("base64")],
    ["hexadecimal digits", Buffer.from(publicKey, "base64").toString("hex")],
    ["base64 without its end", publicKey.replace("=", "")],
    ["base64 with space", ` ${publicKey}`],
    ["base64url", Buffer.alloc(32, 0xfb).toString("base64url")],
    ["no point of the curve", encoded(2n)],
  ])("%s", (_what, text) => expect(codeOf(() => readPublicKey(text))).toBe("key_invalid"));
});

test("a new key signs what its public half verifies, and its id is the hash of the raw key", () => {
  const { privateKey, publicKey, keyId } = generateKey();
  expect(privateKey).toStartWith("-----BEGIN PRIVATE KEY-----");
  const read = readPublicKey(publicKey);
  expect(read.keyId).toBe(keyId);
  expect(keyId).toBe(createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex"));
  const message = Buffer.from("message");
  expect(verify(null, message, read.key, sign(null, message, readPrivateKey(privateKey)))).toBe(true);
});

test("a hundred new keys are all taken", () => {
  for (let count = 0; count < 100; count += 1)
    expect(codeOf(() => readPublicKey(generateKey().publicKey))).toBeNull();
});

test("what is no private Ed25519 key is refused without repeating it", () => {
  const rsa = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  for (const text of ["", "secret words", rsa.privateKey]) {
    expect(codeOf(() => readPrivateKey(text))).toBe("private_key_invalid");
  }
});
