import { refusalTexts } from "../texts.ts";
import { keyLengthMax, signedBytes, splitKey } from "./licence-format.ts";
import { type Licence, readPayload } from "./read-payload.ts";

/** A licence whose signature one of the issuers made, or why a key is none. */
export type VerifiedKey = { licence: Licence } | { reason: string };

/** Verifies a licence key against the issuers' keys. Whether the licence holds at this moment is another question. */
export const verifyKey = async (text: string, issuers: readonly CryptoKey[]): Promise<VerifiedKey> => {
  if (text.length > keyLengthMax) return { reason: refusalTexts.size };
  const parts = splitKey(text);
  if (parts === null) return { reason: refusalTexts.form };
  const { payloadText, payload, signature } = parts;
  const message = signedBytes(payloadText);
  const checks = issuers.map((key) =>
    crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), message),
  );
  // Nothing of a payload is looked at before it is known who signed it.
  if (!(await Promise.all(checks)).includes(true)) return { reason: refusalTexts.signature };
  const licence = readPayload(payload);
  return licence === null ? { reason: refusalTexts.payload } : { licence };
};
