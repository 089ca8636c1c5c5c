/** A public key of an issuer, ready to verify with, or what is wrong with it. */
export type ReadPublicKey = { key: CryptoKey } | { problem: "form" | "weak" };

/** Reads a raw Ed25519 key in base64. `weak`: a point of small order, for which anyone can forge signatures. */
export const readPublicKey = async (base64: string): Promise<ReadPublicKey> => {
  const raw = new Uint8Array(Buffer.from(base64, "base64"));
  if (raw.length !== 32 || Buffer.from(raw).toString("base64") !== base64) return { problem: "form" };
  if (isWeak(raw)) return { problem: "weak" };
  try {
    return { key: await crypto.subtle.importKey("raw", raw, "Ed25519", true, ["verify"]) };
  } catch {
    return { problem: "form" };
  }
};

// The y coordinates of the points of order 1, 2, 4 and 8 on edwards25519 (RFC 8032 §5.1), which has eight of them.
const smallOrder: readonly string[] = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/** Whether a key is a point of small order, or a non-canonical encoding. */
const isWeak = (raw: Uint8Array): boolean => {
  const y = new Uint8Array(raw);
  // The last bit is the sign of x, on which the order does not depend.
  y[31] = (y[31] ?? 0) & 0x7f;
  const isBeyondPrime =
    y[31] === 0x7f && (y[0] ?? 0) >= 0xed && y.subarray(1, 31).every((byte) => byte === 0xff);
  return isBeyondPrime || smallOrder.includes(Buffer.from(y).toString("hex"));
};
