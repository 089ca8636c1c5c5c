import { beforeAll, describe, expect, test } from "bun:test";
import { isPointOfLargeOrder } from "#api/plugin-host/package/keys.ts";
import { makeIssuer, sampleLicence, type TestIssuer } from "../../testing/make-issuer.ts";
import { refusalTexts } from "../texts.ts";
import { issuerKeys } from "./issuer-keys.ts";
import { joinKey, signedBytes, toBase64url } from "./licence-format.ts";
import { readPublicKey } from "./public-key.ts";
import { verifyKey } from "./verify-key.ts";

let issuer: TestIssuer;
let stranger: TestIssuer;
beforeAll(async () => {
  [issuer, stranger] = await Promise.all([makeIssuer(), makeIssuer()]);
});

/** A key with a valid signature over any payload. */
const signed = async (payload: unknown, text = JSON.stringify(payload)): Promise<string> => {
  const payloadText = toBase64url(new TextEncoder().encode(text));
  const pkcs8 = Buffer.from(issuer.privateKey.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
  const key = await crypto.subtle.importKey("pkcs8", new Uint8Array(pkcs8), "Ed25519", false, ["sign"]);
  return joinKey(
    payloadText,
    new Uint8Array(await crypto.subtle.sign("Ed25519", key, signedBytes(payloadText))),
  );
};

describe("a license key", () => {
  test("signed by one of the issuers gives its license", async () => {
    const key = await issuer.issue({ owner: "Nörthwind 株式会社" });
    const verified = await verifyKey(key, [stranger.key, issuer.key]);
    expect(verified).toEqual({ licence: { ...sampleLicence, owner: "Nörthwind 株式会社" } });
  });

  test("may contain line breaks, as email programs add them", async () => {
    const key = await issuer.issue();
    const broken = ` ${key.replace(/(.{40})/g, "$1\r\n")}\n`;
    expect(await verifyKey(broken, [issuer.key])).toEqual({ licence: sampleLicence });
  });

  test("is refused with any single character changed, removed or added", async () => {
    const key = await issuer.issue();
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === "A" ? "B" : "A";
      for (const middle of ["", other, key[at] + other]) {
        const altered = key.slice(0, at) + middle + key.slice(at + 1);
        if (altered !== key) expect(await verifyKey(altered, [issuer.key])).toHaveProperty("reason");
      }
    }
  });

  test("is refused when no known issuer signed it, and without known issuers", async () => {
    const key = await stranger.issue();
    expect(await verifyKey(key, [issuer.key])).toEqual({ reason: refusalTexts.signature });
    expect(await verifyKey(key, [])).toEqual({ reason: refusalTexts.signature });
  });

  test("is refused when the signature is over something other than a license", async () => {
    const [, payloadText = ""] = (await issuer.issue()).split(".");
    const pkcs8 = Buffer.from(issuer.privateKey.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
    const own = await crypto.subtle.importKey("pkcs8", new Uint8Array(pkcs8), "Ed25519", false, ["sign"]);
    for (const message of [payloadText, `atrium-plugin-v1\n${payloadText}`]) {
      const signature = await crypto.subtle.sign("Ed25519", own, new TextEncoder().encode(message));
      const key = joinKey(payloadText, new Uint8Array(signature));
      expect(await verifyKey(key, [issuer.key])).toEqual({ reason: refusalTexts.signature });
    }
  });

  test.each([
    "",
    "atrium1",
    "atrium1..",
    "atrium2.e30.AAAA",
    "hello",
    "atrium1.e30.AAAA",
    "atrium1.e30.AAAA.x",
  ])("is not %j", async (text) =>
    expect(await verifyKey(text, [issuer.key])).toEqual({ reason: refusalTexts.form }),
  );

  test("has a bounded length", async () => {
    const text = `atrium1.${"A".repeat(10_000)}.${"A".repeat(86)}`;
    expect(await verifyKey(text, [issuer.key])).toEqual({ reason: refusalTexts.size });
  });

  test.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["nothing", "null"],
    ["an owner of two lines", JSON.stringify({ ...sampleLicence, owner: "a\nb" })],
    ["an owner that reverses the text's direction", JSON.stringify({ ...sampleLicence, owner: "a\u202eb" })],
    ...["\u3164", "\u115f", "\u2800", "a\u3164", "-"].map((owner): [string, string] => [
      `an invisible owner (${JSON.stringify(owner)})`,
      JSON.stringify({ ...sampleLicence, owner }),
    ]),
    ["an owner of spaces", JSON.stringify({ ...sampleLicence, owner: " " })],
    ["no plan", JSON.stringify({ ...sampleLicence, plan: undefined })],
    ["an id that is a path", JSON.stringify({ ...sampleLicence, id: "../a" })],
    [
      "an expiry date before the issue date",
      JSON.stringify({ ...sampleLicence, expiresAt: "2020-01-01T00:00:00.000Z" }),
    ],
    ["an expiry date that is not an instant", JSON.stringify({ ...sampleLicence, expiresAt: "tomorrow" })],
    [
      "a day that does not exist",
      JSON.stringify({ ...sampleLicence, expiresAt: "2027-02-30T00:00:00.000Z" }),
    ],
    ["no expiry date", JSON.stringify({ ...sampleLicence, expiresAt: undefined })],
    ["half a day of grace", JSON.stringify({ ...sampleLicence, graceDays: 0.5 })],
    ["a thousand days of grace", JSON.stringify({ ...sampleLicence, graceDays: 1_000 })],
  ])("is refused with %s, despite a valid signature", async (_, text) => {
    expect(await verifyKey(await signed(null, text), [issuer.key])).toEqual({ reason: refusalTexts.payload });
  });

  test("may have fields that this version does not know", async () => {
    const key = await signed({ ...sampleLicence, seats: 5, __proto__: null });
    expect(await verifyKey(key, [issuer.key])).toEqual({ licence: sampleLicence });
  });
});

describe("an issuer's public key", () => {
  test("is usable if it is built in", async () => {
    for (const key of [...issuerKeys, issuer.publicKey])
      expect(await readPublicKey(key)).toHaveProperty("key");
  });

  test("is refused when it is a point of small order, however it is encoded", async () => {
    const prime = 2n ** 255n - 19n;
    const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
    // The roots of the curve's equation at order 8, which the server's own check finds weak too.
    const eighth = ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"];
    const weak = [
      ...[0n, 1n, prime - 1n, prime, prime + 1n].map(bytesOf),
      ...eighth.flatMap((hex) => {
        const y = BigInt(`0x${Buffer.from(hex, "hex").reverse().toString("hex")}`);
        return [bytesOf(y), bytesOf(prime - y)];
      }),
    ];
    for (const raw of weak) {
      for (const sign of [0, 0x80]) {
        const signedRaw = Buffer.from(raw);
        signedRaw[31] = (signedRaw[31] ?? 0) | sign;
        expect(isPointOfLargeOrder(signedRaw)).not.toBe(true);
        expect(await readPublicKey(signedRaw.toString("base64"))).toEqual({ problem: "weak" });
      }
    }
  });

  test.each(["", "AAAA", "not base64!", `${"A".repeat(43)}`, `${"_".repeat(43)}=`])(
    "is not %j",
    async (text) => expect(await readPublicKey(text)).toEqual({ problem: "form" }),
  );
});
