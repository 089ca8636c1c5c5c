import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { digestOf } from "#api/core/digest-of.ts";
import { isPointOfLargeOrder } from "./ed25519-point.ts";
import { PackageError } from "./package-error.ts";

/** A publisher's public key: its id is the SHA-256 of its raw bytes, in hexadecimal digits. */
export type PublicKey = { keyId: string; publicKey: string; key: KeyObject };

/**
 * Reads a raw Ed25519 key in base64. Throws `key_invalid` for what is none, and `key_weak` for the few points with which
 * signatures can be made that fit any message.
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
    // OpenSSL's words would not help, and might repeat what was given.
    return null;
  }
};

/** The public key that belongs to a private one. */
export const publicKeyOf = (privateKey: KeyObject): PublicKey => {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return readPublicKey(Buffer.from(x, "base64url").toString("base64"));
};
