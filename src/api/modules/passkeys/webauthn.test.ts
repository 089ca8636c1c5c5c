import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { newId } from "#api/core/ids.ts";
import { testOrigin } from "#api/testing/host.ts";
import { createRandom, testSeed } from "#api/testing/random.ts";
import {
  type AnswerFacts,
  cbor,
  type coseAlgorithms,
  createSoftPasskey,
  type SoftPasskey,
} from "#api/testing/soft-passkey.ts";
import { refusing } from "./check-passkey.ts";
import type { Passkey } from "./store.ts";
import { type MadePasskey, readAssertion, readRegistration } from "./webauthn.ts";

const challenge = randomBytes(32).toString("base64url");
const terms = { challenge, rpId: "localhost", origin: testOrigin };
const algorithms = ["es256", "eddsa", "rs256"] as const satisfies (keyof typeof coseAlgorithms)[];

const outcomeOf = (check: Promise<unknown>) =>
  check.then(
    () => "accepted",
    (error: unknown) => Reflect.get(Object(error), "kind"),
  );
const stored = (made: MadePasskey): Passkey => ({
  ...{ ...made, id: newId(), userId: newId(), userHandle: "handle", name: "Laptop", createdAt: new Date() },
  ...{ needsPassword: false, lastUsedAt: null, suspectAt: null },
});
const register = async (soft: SoftPasskey) => stored(await readRegistration(soft.create(terms), terms));
const assert = (passkey: Passkey, answer: Record<string, unknown>) =>
  outcomeOf(refusing(() => readAssertion(answer, { ...terms, passkey })));

/** What an answer must not say, each alone. */
const tamperings: Record<string, Partial<AnswerFacts>> = {
  "another challenge": { challenge: randomBytes(32).toString("base64url") },
  "another origin": { origin: "http://localhost:3001" },
  "another purpose": { type: "webauthn.create" },
  "a frame of another site": { crossOrigin: true },
  "another host": { rpId: "app.localhost" },
  "nobody there": { isPresent: false },
  "a user who was not verified": { isVerified: false },
  "other backups": { isBackupEligible: false, isBackedUp: false },
};

describe("an answer to a challenge", () => {
  for (const algorithm of algorithms) {
    const soft = createSoftPasskey({ algorithm });

    test(`is accepted with a key of ${algorithm}, and refused if a bit of its signature differs`, async () => {
      const passkey = await register(soft);
      const answer = soft.get(terms);
      expect(await assert(passkey, answer)).toBe("accepted");
      const signature = Buffer.from(answer.response.signature ?? "", "base64url");
      signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
      const response = { ...answer.response, signature: signature.toString("base64url") };
      expect(await assert(passkey, { ...answer, response })).toBe("PASSKEY_REFUSED");
    });

    for (const [what, wrong] of Object.entries(tamperings))
      test(`with a key of ${algorithm} is refused for ${what}`, async () => {
        expect(await assert(await register(soft), soft.get(terms, wrong))).toBe("PASSKEY_REFUSED");
      });
  }

  test("is refused for the account of someone else", async () => {
    const soft = createSoftPasskey();
    const passkey = await register(soft);
    const answer = soft.get(terms);
    const given = (userHandle: string) => ({ ...answer, response: { ...answer.response, userHandle } });
    expect(await assert(passkey, given("handle"))).toBe("accepted");
    expect(await assert(passkey, given("another"))).toBe("PASSKEY_REFUSED");
  });
});

describe("a new passkey", () => {
  const outcome = (answer: Record<string, unknown>) =>
    outcomeOf(refusing(() => readRegistration(answer, terms)));

  test("is read from what its authenticator says", async () => {
    const soft = createSoftPasskey({ isSynced: false });
    const answer = soft.create(terms);
    const response = { ...answer.response, transports: ["usb", "usb", "mind", 7] };
    expect(await readRegistration({ ...answer, response }, terms)).toEqual({
      ...{ credentialId: soft.id, publicKey: expect.any(Uint8Array), counter: 1, rpId: "localhost" },
      ...{ aaguid: "00000000-0000-0000-0000-000000000000", transports: ["usb"] },
      ...{ isBackupEligible: false, isBackedUp: false },
    });
  });

  for (const [what, wrong] of Object.entries({ ...tamperings, "another purpose": { type: "webauthn.get" } }))
    if (what !== "other backups")
      test(`is refused for ${what}`, async () => {
        expect(await outcome(createSoftPasskey().create(terms, wrong))).toBe("PASSKEY_REFUSED");
      });

  test("is refused under the id of another one, and with certificates that nobody asked for", async () => {
    const answer = createSoftPasskey().create(terms);
    expect(await outcome({ ...answer, id: "AAAA", rawId: "AAAA" })).toBe("PASSKEY_REFUSED");
    const authData = Buffer.from(answer.response.attestationObject ?? "", "base64url").subarray(-200);
    for (const fmt of ["packed", "tpm", "android-safetynet"]) {
      const attStmt = new Map([["x5c", new Uint8Array(8)]]);
      const attestationObject = cbor(
        new Map<string, Parameters<typeof cbor>[0]>([
          ["fmt", fmt],
          ["attStmt", attStmt],
          ["authData", authData],
        ]),
      );
      const response = { ...answer.response, attestationObject: attestationObject.toString("base64url") };
      const check = readRegistration({ ...answer, response }, terms);
      expect(check).rejects.toThrow(`attestation ${fmt}`);
    }
  });
});

test("20,000 made-up answers are refused, whatever the library and the runtime throw", async () => {
  const random = createRandom(testSeed());
  // Signatures of the others have an envelope, in which some bytes mean nothing.
  const soft = createSoftPasskey({ algorithm: "eddsa" });
  const passkey = await register(soft);
  const [made, signed] = [soft.create(terms), soft.get(terms)];
  const hostHash = Buffer.from(signed.response.authenticatorData ?? "", "base64url").subarray(0, 32);
  const noise = (most: number) =>
    Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)));
  /** The bytes with one of them changed, cut off or followed by others. */
  const damaged = (text = ""): string => {
    const bytes = Buffer.from(text, "base64url");
    const at = random.below(bytes.length);
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.readUInt8(at) + 1 + random.below(255)) % 256, at);
    return random
      .pick([changed, bytes.subarray(0, at), Buffer.concat([bytes, noise(9), Buffer.of(1)])])
      .toString("base64url");
  };
  const newAnswer = () => {
    const part = random.pick(["clientDataJSON", "authenticatorData", "signature"]);
    return { ...signed, response: { ...signed.response, [part]: damaged(signed.response[part]) } };
  };
  // Nothing signs a new key: what is damaged may be right again, so its data are noise.
  const newKey = () => {
    const authData = Buffer.concat([hostHash, noise(200)]);
    const attestationObject = random.pick([
      cbor(
        new Map<string, Parameters<typeof cbor>[0]>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      ),
      noise(200),
    ]);
    return {
      ...made,
      response: { ...made.response, attestationObject: attestationObject.toString("base64url") },
    };
  };
  const outcomes = new Map<unknown, number>();
  for (let count = 0; count < 10_000; count += 1)
    for (const check of [
      () => readAssertion(newAnswer(), { ...terms, passkey }),
      () => readRegistration(newKey(), terms),
    ]) {
      const outcome = await outcomeOf(refusing(check));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  expect([...outcomes]).toEqual([["PASSKEY_REFUSED", 20_000]]);
});
