import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from "@simplewebauthn/server/helpers";
import { algorithms, type RelyingParty } from "./ceremonies.ts";
import type { Passkey, PasskeyUse } from "./store.ts";

/** What a browser sent, which may be anything: the library checks it, and throws errors of any kind. */
export type BrowserAnswer = Record<string, unknown>;

type Terms = RelyingParty & { challenge: string };

/** A new passkey as its authenticator describes it. */
export type MadePasskey = Pick<
  Passkey,
  | "credentialId"
  | "publicKey"
  | "counter"
  | "rpId"
  | "aaguid"
  | "transports"
  | "isBackupEligible"
  | "isBackedUp"
>;

// Source: Web Authentication §7.1, step 25: 1,023 bytes as base64url.
const longestId = 1_364;
// A key of RSA with 8,192 bits takes half of it; longer ones would make each check slow.
const largestKeyBytes = 2_048;
// Source: Web Authentication §5.8.4, with what browsers send beside it.
const knownTransports = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/** The passkey that a browser made for the challenge. Throws an error of any kind when it is not right. */
export const readRegistration = async (
  answer: BrowserAnswer,
  { challenge, rpId, origin }: Terms,
): Promise<MadePasskey> => {
  const response = answer as unknown as RegistrationResponseJSON;
  refuseForeignFrame(response);
  refuseCertificates(response);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...{ response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId },
    supportedAlgorithmIDs: algorithms,
  });
  if (!verified || registrationInfo === undefined) throw new Error("not verified");
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo;
  if (credential.id !== response.id || credential.id.length > longestId)
    throw new Error("wrong credential id");
  if (credential.publicKey.length > largestKeyBytes) throw new Error("too large a key");
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    rpId,
    aaguid,
    transports: [...new Set(credential.transports)].filter((name) => knownTransports.has(name)),
    isBackupEligible: credentialDeviceType === "multiDevice",
    isBackedUp: credentialBackedUp,
  };
};

/**
 * What a passkey's signature of the challenge tells. Throws an error of any kind when it is not right, or when the passkey may
 * suddenly be backed up, or suddenly not. Whether the counter rises is for the caller to see.
 */
export const readAssertion = async (
  answer: BrowserAnswer,
  { challenge, rpId, origin, passkey }: Terms & { passkey: Passkey },
): Promise<PasskeyUse> => {
  const response = answer as unknown as AuthenticationResponseJSON;
  refuseForeignFrame(response);
  const { userHandle } = response.response;
  if ((userHandle ?? passkey.userHandle) !== passkey.userHandle) throw new Error("wrong user handle");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...{ response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId },
    // With 0 the library leaves the counter to us.
    credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
  });
  if (!verified) throw new Error("wrong signature");
  const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
  if ((credentialDeviceType === "multiDevice") !== passkey.isBackupEligible)
    throw new Error("other backup eligibility");
  return { counter: newCounter, isBackedUp: credentialBackedUp };
};

const refuseForeignFrame = ({ response }: { response: { clientDataJSON: string } }): void => {
  if (decodeClientDataJSON(response.clientDataJSON).crossOrigin === true) throw new Error("cross-origin");
};

// None are asked for, and to check those that someone sends anyway could take this server to addresses of their choice.
const refuseCertificates = ({ response }: RegistrationResponseJSON): void => {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get("fmt");
  const isOwn = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isOwn) throw new Error(`attestation ${format}`);
};
