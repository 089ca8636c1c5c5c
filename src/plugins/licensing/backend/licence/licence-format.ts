/** The beginning of every licence key, and the number of its form. */
const keyPrefix = "atrium1";

/** A key that is longer than this is none. */
export const keyLengthMax = 4_096;

/** The two signed parts of a licence key, as bytes; `payloadText` is the first of them as it stands in the key. */
export type KeyParts = { payloadText: string; payload: Uint8Array; signature: Uint8Array };

/** Takes a key apart: `atrium1.<payload>.<signature>`, both in base64url; `null` for what is none. White space is left out. */
export const splitKey = (text: string): KeyParts | null => {
  const [prefix, payloadText, signatureText, ...rest] = text.replace(/\s+/g, "").split(".");
  if (prefix !== keyPrefix || payloadText === undefined || signatureText === undefined || rest.length > 0)
    return null;
  const [payload, signature] = [fromBase64url(payloadText), fromBase64url(signatureText)];
  if (payload === null || signature?.length !== 64 || payload.length === 0) return null;
  return { payloadText, payload, signature };
};

/** Puts a key together. */
export const joinKey = (payloadText: string, signature: Uint8Array): string =>
  `${keyPrefix}.${payloadText}.${toBase64url(signature)}`;

/** What is signed: the payload as it stands in the key, behind a line that no other kind of signature has. */
export const signedBytes = (payloadText: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`atrium-licence-v1\n${payloadText}`);

/** Bytes in base64url without padding: RFC 4648 §5. */
export const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** The bytes, or `null` for a text that is not exactly what {@link toBase64url} makes. */
const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | null => {
  const bytes = new Uint8Array(Buffer.from(text, "base64url"));
  return toBase64url(bytes) === text ? bytes : null;
};
