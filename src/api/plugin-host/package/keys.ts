import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { digestOf } from "#api/core/ids.ts";
import type { ReadKey } from "#api/core/plugins.ts";
import { PackageError } from "./read-zip.ts";

/** A publisher's public key: its id is the SHA-256 of its raw bytes, in hexadecimal digits. */
type PublicKey = { keyId: string; publicKey: string; key: KeyObject };

/**
 * Reads a raw Ed25519 key in base64. Throws `key_invalid` if it is not one, and `key_weak` for the few points with
 * which signatures can be made that fit any message.
 */
export const readPublicKey = (base64: string): PublicKey => {
  const raw = Buffer.from(base64, "base64");
  if (raw.length !== 32 || raw.toString("base64") !== base64) throw new PackageError("key_invalid");
  const order = isPointOfLargeOrder(raw);
  if (order === null) throw new PackageError("key_invalid");
  if (!order) throw new PackageError("key_weak");
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") };
  return { keyId: digestOf(raw), publicKey: base64, key: createPublicKey({ key: jwk, format: "jwk" }) };
};

/** Makes a key pair: the private key as PKCS#8 in PEM, the public one raw in base64. */
export const generateKey = (): { privateKey: string; publicKey: string; keyId: string } => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { publicKey, keyId } = publicKeyOf(privateKey);
  return { privateKey: String(privateKey.export({ type: "pkcs8", format: "pem" })), publicKey, keyId };
};

/** Reads a private key in PEM. Throws `private_key_invalid`. */
export const readPrivateKey = (pem: string): KeyObject => {
  const key = parsed(pem);
  if (key?.asymmetricKeyType !== "ed25519") throw new PackageError("private_key_invalid");
  return key;
};

const parsed = (pem: string): KeyObject | null => {
  try {
    return createPrivateKey(pem);
  } catch {
    // OpenSSL's message would not help, and might repeat the input.
    return null;
  }
};

/** The public key of a private one. */
export const publicKeyOf = (privateKey: KeyObject): PublicKey => {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return readPublicKey(Buffer.from(x, "base64url").toString("base64"));
};

/** A publisher's key that was read, or a sentence about what is wrong with it. */
export const readKey = (given: string): ReadKey => {
  try {
    const { keyId, publicKey } = readPublicKey(given);
    return { keyId, publicKey };
  } catch (error) {
    if (error instanceof PackageError) return { problem: error.message };
    throw error;
  }
};

// The curve of RFC 8032, §5.1: -x² + y² = 1 + d·x²·y² over the integers modulo p.
const p = 2n ** 255n - 19n;
const d = mod(-121665n * power(121666n, p - 2n));

/**
 * Whether 32 bytes are a point that keys can be; `false` for the eight points of small order and for encodings of
 * another point; `null` if they are no point of the curve.
 */
export const isPointOfLargeOrder = (encoded: Uint8Array): boolean | null => {
  const bits = BigInt(`0x${Buffer.from(encoded).reverse().toString("hex")}`);
  // The first bit is the sign of x, on which the order does not depend.
  const y = bits & (2n ** 255n - 1n);
  if (y >= p) return false;
  const x = xOf(y);
  if (x === null) return null;
  return !hasSmallOrder({ x, y });
};

type Point = { x: bigint; y: bigint };

/** One of the two `x` that belong to `y`, or `null`. */
const xOf = (y: bigint): bigint | null => {
  const square = mod((y * y - 1n) * power(mod(d * y * y + 1n), p - 2n));
  const root = power(square, (p + 3n) / 8n);
  if (mod(root * root) === square) return root;
  const other = mod(root * power(2n, (p - 1n) / 4n));
  return mod(other * other) === square ? other : null;
};

/** Eight times a point of small order is the neutral one, (0, 1). */
const hasSmallOrder = (point: Point): boolean => {
  const { x, y } = double(double(double(point)));
  return x === 0n && y === 1n;
};

const double = ({ x, y }: Point): Point => {
  const product = mod(d * x * x * y * y);
  return {
    x: mod(2n * x * y * power(mod(1n + product), p - 2n)),
    y: mod((y * y + x * x) * power(mod(1n - product), p - 2n)),
  };
};

// Declared as functions: the curve's constant above needs them.
function mod(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}
