import { joinKey, signedBytes, toBase64url } from "../backend/licence/licence-format.ts";
import { type Licence, readPayload } from "../backend/licence/read-payload.ts";

/** A new key pair: the private key as PKCS#8 in PEM, the public one raw in base64. */
export const generateIssuerKey = async (): Promise<{ privateKey: string; publicKey: string }> => {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("This runtime cannot create Ed25519 keys");
  const pkcs8 = await crypto.subtle.exportKey("pkcs8", pair.privateKey);
  const raw = await crypto.subtle.exportKey("raw", pair.publicKey);
  return { privateKey: toPem(new Uint8Array(pkcs8)), publicKey: Buffer.from(raw).toString("base64") };
};

/** Signs a license. Throws for a license that would be refused, and for what is not a private key. */
export const issueLicence = async (licence: Licence, privateKey: string): Promise<string> => {
  const payload = new TextEncoder().encode(JSON.stringify(licence));
  if (readPayload(payload) === null)
    throw new Error(
      "Not a valid license: --owner and --plan must be texts of one line, --grace a number of days up to 365, --expires a day in the future",
    );
  const payloadText = toBase64url(payload);
  const key = await readPrivateKey(privateKey);
  const signature = await crypto.subtle.sign("Ed25519", key, signedBytes(payloadText));
  return joinKey(payloadText, new Uint8Array(signature));
};

/** The public key that belongs to a private one, raw in base64. */
export const publicKeyIn = async (privateKey: string): Promise<string> => {
  const { x = "" } = await crypto.subtle.exportKey("jwk", await readPrivateKey(privateKey));
  return Buffer.from(x, "base64url").toString("base64");
};

const toPem = (bytes: Uint8Array): string =>
  `-----BEGIN PRIVATE KEY-----\n${Buffer.from(bytes).toString("base64")}\n-----END PRIVATE KEY-----\n`;

const readPrivateKey = async (pem: string): Promise<CryptoKey> => {
  const base64 = pem.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "");
  try {
    const pkcs8 = new Uint8Array(Buffer.from(base64, "base64"));
    return await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  } catch {
    // The runtime's message might repeat the input.
    throw new Error("Not an Ed25519 private key in PEM format");
  }
};
