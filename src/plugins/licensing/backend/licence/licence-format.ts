/** The prefix of every license key, which includes the version of the format. */
const keyPrefix = "atrium1";

/** Longer texts are not license keys. */
export const keyLengthMax = 4_096;

/** The two parts of a license key as bytes; `payloadText` is the payload as it is in the key. */
export type KeyParts = { payloadText: string; payload: Uint8Array; signature: Uint8Array };

/** Splits a key, `atrium1.<payload>.<signature>`, both in base64url; `null` for other texts. White space is ignored. */
export const splitKey = (text: string): KeyParts | null => {
  const [prefix, payloadText, signatureText, ...rest] = text.replace(/\s+/g, "").split(".");
  if (prefix !== keyPrefix || payloadText === undefined || signatureText === undefined || rest.length > 0)
    return null;
  const [payload, signature] = [fromBase64url(payloadText), fromBase64url(signatureText)];
  if (payload === null || signature?.length !== 64 || payload.length === 0) return null;
  return { payloadText, payload, signature };
};

/** Builds a key from its parts. */
export const joinKey = (payloadText: string, signature: Uint8Array): string =>
  `${keyPrefix}.${payloadText}.${toBase64url(signature)}`;

/** The signed bytes: the payload as it is in the key, after a line that no other kind of signature uses. */
export const signedBytes = (payloadText: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`atrium-licence-v1\n${payloadText}`);

/** Bytes in base64url without padding: RFC 4648 §5. */
export const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** The bytes, or `null` for a text that is not exactly what {@link toBase64url} makes. */
const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | null => {
  const bytes = new Uint8Array(Buffer.from(text, "base64url"));
  return toBase64url(bytes) === text ? bytes : null;
};
