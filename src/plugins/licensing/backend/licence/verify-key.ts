import { refusalTexts } from "../texts.ts";
import { keyLengthMax, signedBytes, splitKey } from "./licence-format.ts";
import { type Licence, readPayload } from "./read-payload.ts";

/** A license signed by one of the issuers, or why the key is refused. */
export type VerifiedKey = { licence: Licence } | { reason: string };

/** Verifies a license key against the issuers' keys. Whether the license has expired is not checked here. */
export const verifyKey = async (text: string, issuers: readonly CryptoKey[]): Promise<VerifiedKey> => {
  if (text.length > keyLengthMax) return { reason: refusalTexts.size };
  const parts = splitKey(text);
  if (parts === null) return { reason: refusalTexts.form };
  const { payloadText, payload, signature } = parts;
  const message = signedBytes(payloadText);
  const checks = issuers.map((key) =>
    crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), message),
  );
  // The payload is not parsed before its signature is verified.
  if (!(await Promise.all(checks)).includes(true)) return { reason: refusalTexts.signature };
  const licence = readPayload(payload);
  return licence === null ? { reason: refusalTexts.payload } : { licence };
};
