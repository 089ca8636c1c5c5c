import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type TestClient, testOrigin } from "./host.ts";

/** The algorithms of passkeys by their COSE numbers. Source: RFC 9053 §2, RFC 8812 §2. */
export const coseAlgorithms = { es256: -7, eddsa: -8, rs256: -257 } as const;
type Algorithm = keyof typeof coseAlgorithms;

/** What an answer says, with what a test has wrong. */
export type AnswerFacts = {
  challenge: string;
  type: string;
  origin: string;
  crossOrigin: boolean;
  rpId: string;
  isPresent: boolean;
  isVerified: boolean;
  isBackupEligible: boolean;
  isBackedUp: boolean;
  counter: number;
};

type Answer = { [name: string]: unknown; id: string; response: Record<string, string> };

/** An authenticator with one passkey, as a browser answers for it. Source: Web Authentication §6. */
export type SoftPasskey = {
  id: string;
  /** Makes the passkey for these options. */
  create(options: { challenge: string }, wrong?: Partial<AnswerFacts>): Answer;
  /** Signs the challenge; each use counts one more, unless told otherwise. */
  get(options: { challenge: string }, wrong?: Partial<AnswerFacts>): Answer;
};

/** Makes an authenticator; one that is synced has no counter, as those of phones. */
export const createSoftPasskey = ({
  algorithm = "es256",
  isSynced = true,
}: {
  algorithm?: Algorithm;
  isSynced?: boolean;
} = {}): SoftPasskey => {
  const { publicKey, privateKey } = keyPairs[algorithm]();
  const id = randomBytes(32);
  let uses = 0;
  const factsOf = (type: string, challenge: string, wrong: Partial<AnswerFacts>): AnswerFacts => {
    if (!isSynced) uses += 1;
    return {
      ...{ challenge, type, origin: testOrigin, crossOrigin: false, rpId: "localhost" },
      ...{
        isPresent: true,
        isVerified: true,
        isBackupEligible: isSynced,
        isBackedUp: isSynced,
        counter: uses,
      },
      ...wrong,
    };
  };
  const answerOf = (response: Record<string, Uint8Array>): Answer => ({
    ...{ id: text(id), rawId: text(id), type: "public-key", clientExtensionResults: {} },
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, text(bytes)])),
  });
  return {
    id: text(id),
    create: ({ challenge }, wrong = {}) => {
      const facts = factsOf("webauthn.create", challenge, wrong);
      const cose = coseKeyOf(publicKey, algorithm);
      const authData = Buffer.concat([authenticatorData(facts, 0x40), credentialData(id, cose)]);
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      return answerOf({ clientDataJSON: clientData(facts), attestationObject });
    },
    get: ({ challenge }, wrong = {}) => {
      const facts = factsOf("webauthn.get", challenge, wrong);
      const [clientDataJSON, data] = [clientData(facts), authenticatorData(facts)];
      const signed = Buffer.concat([data, sha256(clientDataJSON)]);
      const signature = sign(algorithm === "eddsa" ? null : "sha256", signed, privateKey);
      return answerOf({ clientDataJSON, authenticatorData: data, signature });
    },
  };
};

/** A passkey that is new to a user's account; the recovery codes that came with it, `null` unless it is the first factor. */
export const addPasskey = async (
  client: TestClient,
  passkey: SoftPasskey = createSoftPasskey(),
  name = "Laptop",
): Promise<{ id: string; passkey: SoftPasskey; recoveryCodes: string[] | null }> => {
  const { ceremony, options } = (await answered(client.call("POST", "/api/account/passkeys/ceremony"))).data;
  const body = { ceremony, name, response: passkey.create(options) };
  const { data } = await answered(client.call("POST", "/api/account/passkeys", body));
  return { id: data.passkey.id, passkey, recoveryCodes: data.recoveryCodes };
};

const answered = async (call: Promise<Response>) => {
  const answer = await call;
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
};

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();

const clientData = ({ type, challenge, origin, crossOrigin }: AnswerFacts): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

const authenticatorData = (facts: AnswerFacts, more = 0): Buffer => {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(facts.counter);
  const flags = [facts.isPresent, false, facts.isVerified, facts.isBackupEligible, facts.isBackedUp];
  const bits = flags.reduce((sum, isSet, at) => sum + (isSet ? 1 << at : 0), more);
  return Buffer.concat([sha256(facts.rpId), Buffer.from([bits]), counter]);
};

/** The part of authenticator data that brings a new key: a model of zeros, the credential's id, and the key. */
const credentialData = (id: Uint8Array, cose: Uint8Array): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  return Buffer.concat([Buffer.alloc(16), length, id, cose]);
};

const keyPairs: Record<Algorithm, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
  es256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  eddsa: () => generateKeyPairSync("ed25519"),
  rs256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

// Source: RFC 9052 §7.1, RFC 9053 §7.1, RFC 8230 §4.
const coseKeyOf = (key: KeyObject, algorithm: Algorithm): Uint8Array => {
  const { x = "", y = "", n = "", e = "" } = key.export({ format: "jwk" });
  const bytes = (value: string) => Buffer.from(value, "base64url");
  const parts: Record<Algorithm, [number, Cbor][]> = {
    es256: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    eddsa: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    rs256: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  };
  return cbor(new Map(parts[algorithm]));
};

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** Encodes the little of CBOR that passkeys consist of. Source: RFC 8949 §3. */
export const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
};

const head = (kind: number, size: number): Buffer => {
  if (size < 24) return Buffer.from([(kind << 5) + size]);
  if (size < 256) return Buffer.from([(kind << 5) + 24, size]);
  return Buffer.from([(kind << 5) + 25, size >> 8, size & 255]);
};
