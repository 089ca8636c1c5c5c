import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { AppError } from "#api/core/app-error.ts";
import type { SecretBox } from "#api/core/context.ts";

/** Why something sealed did not open: not ours, made with a key that is not at hand, or changed or moved since. */
export type SealFault = "not_an_envelope" | "unknown_key" | "damaged_or_moved";

/** The cause behind the `INTERNAL` of {@link SecretBox}'s `open`, for the log. */
export class SealError extends Error {
  readonly fault: SealFault;

  constructor(fault: SealFault) {
    super(`the encrypted value could not be decrypted: ${fault}`);
    this.name = "SealError";
    this.fault = fault;
  }
}

// Envelope: version, key id, nonce, ciphertext, tag. All that precedes the nonce is authenticated with the place.
const version = 1;
const headerLength = 5;
const nonceLength = 12;
const tagLength = 16;

/**
 * AES-256-GCM under keys derived from `root` (at least 32 bytes) with HKDF-SHA256, one a purpose. What was sealed under
 * `previous` still opens; new seals use `root`.
 */
export const createSecretBox = (root: Uint8Array, previous?: Uint8Array | null): SecretBox => {
  const current = keyring(root);
  const former = previous ? keyring(previous) : null;
  const keyrings = former ? [current, former] : [current];

  return {
    fingerprint: current.fingerprint,
    previousFingerprint: former?.fingerprint ?? null,
    keyOf: (sealed) => {
      const keyId = sealed.subarray(1, headerLength);
      if (sealed[0] !== version || keyId.length < headerLength - 1) return "unknown";
      if (current.id.equals(keyId)) return "current";
      return former?.id.equals(keyId) ? "previous" : "unknown";
    },
    seal: (purpose, aad, plain) => {
      const header = Buffer.from([version, ...current.id]);
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv("aes-256-gcm", current.keyFor(purpose), nonce, {
        authTagLength: tagLength,
      });
      cipher.setAAD(bound(header, aad));
      const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
      return new Uint8Array(Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]));
    },
    open: (purpose, aad, sealed) => {
      const envelope = parseEnvelope(sealed);
      if (!envelope) throw unopened("not_an_envelope");
      const ring = keyrings.find(({ id }) => id.equals(envelope.keyId));
      if (!ring) throw unopened("unknown_key");
      const decipher = createDecipheriv("aes-256-gcm", ring.keyFor(purpose), envelope.nonce, {
        authTagLength: tagLength,
      });
      decipher.setAAD(bound(envelope.header, aad)).setAuthTag(envelope.tag);
      try {
        return new Uint8Array(Buffer.concat([decipher.update(envelope.ciphertext), decipher.final()]));
      } catch {
        // The library says no more than that the tag is wrong.
        throw unopened("damaged_or_moved");
      }
    },
  };
};

const bound = (header: Buffer, aad: string): Buffer => Buffer.concat([header, Buffer.from(aad, "utf8")]);

const unopened = (fault: SealFault): AppError =>
  new AppError("INTERNAL", undefined, { cause: new SealError(fault) });

const parseEnvelope = (sealed: Uint8Array) => {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const bodyStart = headerLength + nonceLength;
  if (bytes[0] !== version || bytes.length < bodyStart + tagLength) return null;
  return {
    header: bytes.subarray(0, headerLength),
    keyId: bytes.subarray(1, headerLength),
    nonce: bytes.subarray(headerLength, bodyStart),
    ciphertext: bytes.subarray(bodyStart, -tagLength),
    tag: bytes.subarray(-tagLength),
  };
};

/** The keys derived from one root, made when first wanted. */
const keyring = (root: Uint8Array) => {
  const derive = (info: string, length: number) =>
    Buffer.from(hkdfSync("sha256", root, new Uint8Array(0), info, length));
  const identity = derive("atrium/fingerprint", 8);
  const keys = new Map<string, Buffer>();

  return {
    fingerprint: identity.toString("hex"),
    id: identity.subarray(0, headerLength - 1),
    keyFor: (purpose: string): Buffer => {
      const known = keys.get(purpose);
      if (known) return known;
      const key = derive(`atrium/seal/${purpose}`, 32);
      keys.set(purpose, key);
      return key;
    },
  };
};
