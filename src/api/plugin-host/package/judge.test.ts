import { describe, expect, test } from "bun:test";
import {
  altered,
  fileIn,
  judge,
  manifest,
  packed,
  publisher,
  rules,
  signed,
  signedRaw,
  stranger,
  trusted,
} from "#api/testing/signed-packages.ts";
import { createIntegrity, listContent } from "./content-hash.ts";
import { isSignatureProblem, matchesName } from "./judge.ts";
import { verifyPackage } from "./pack.ts";
import { readPackage } from "./read-package.ts";
import { unpackZip } from "./read-zip.ts";

test("a package that a trusted key signed is verified, and its publisher is named", async () => {
  expect(await judge(await signed())).toEqual({
    state: "signed",
    keyId: publisher.keyId,
    publisher: "Ada's plugins",
    signedAt: "2026-05-01T00:00:00Z",
    tier: "verified",
    publisherChanged: false,
    problems: [],
  });
});

describe("P5: a package without a trusted signature", () => {
  test("is unsigned, and refused where only signed ones are allowed", async () => {
    expect(await judge(packed())).toMatchObject({
      state: "unsigned",
      keyId: null,
      tier: "unsigned",
      problems: [],
    });
    expect(await judge(packed(), { allowUnsigned: false })).toMatchObject({ problems: ["unsigned_refused"] });
  });

  test("counts as unsigned with a signature of an unknown key, which is shown as a claim without a name", async () => {
    const zip = await signed(packed(), stranger);
    const facts = {
      state: "unsigned",
      keyId: null,
      claimedKeyId: stranger.keyId,
      publisher: null,
      signedAt: null,
      tier: "unsigned",
    };
    expect(await judge(zip)).toMatchObject({ ...facts, problems: [] });
    expect(await judge(zip, { allowUnsigned: false })).toMatchObject({
      ...facts,
      problems: ["unsigned_refused"],
    });
  });
});

describe("P5: a package that was changed after signing is refused:", () => {
  test.each<[string, Record<string, string | null>]>([
    ["another content", { "backend/index.js": "evil()" }],
    ["another content of the same length", { "backend/index.js": "export default []" }],
    ["a file more", { "backend/evil.js": "evil()" }],
    ["a file less", { "backend/index.js": null }],
    ["another version", { "plugin.json": JSON.stringify({ ...manifest, version: "1.2.4" }) }],
    ["its signature taken away", { "signature.json": null }],
    ["its integrity taken away", { "integrity.json": null }],
  ])("%s", async (_what, changes) => {
    for (const key of [publisher, stranger]) {
      const zip = await altered(await signed(packed(), key), changes);
      expect(await judge(zip)).toMatchObject({ state: "modified", tier: "unsigned", problems: ["modified"] });
    }
  });

  test("one of another name or version, with the very files that were signed", async () => {
    for (const about of [
      { name: "other-notes", version: "1.2.3" },
      { name: "visitor-notes", version: "9.9.9" },
    ]) {
      const { entries } = await unpackZip(packed());
      const integrity = createIntegrity(listContent(entries), {
        ...about,
        publisher: "Ada",
        signedAt: "2026-05-01",
      });
      const zip = await signedRaw(packed(), new TextDecoder().decode(integrity));
      expect(await judge(zip)).toMatchObject({ state: "modified", problems: ["modified"] });
    }
  });

  test("one that lists a file twice, in place of another one or beside it", async () => {
    const integrity = JSON.parse(await fileIn(await signed(), "integrity.json"));
    const [first, second, third] = integrity.files;
    for (const files of [
      [first, second, second],
      [first, second, third, third],
    ]) {
      const zip = await signedRaw(packed(), JSON.stringify({ ...integrity, files }));
      expect(await judge(zip)).toMatchObject({ problems: ["modified"] });
    }
  });

  test("an integrity without a signature that fits its files is no unsigned package either", async () => {
    const { entries } = await unpackZip(packed());
    const integrity = createIntegrity(listContent(entries), {
      name: "visitor-notes",
      version: "1.2.3",
      publisher: "",
      signedAt: "2026-05-01",
    });
    const zip = await altered(packed(), { "integrity.json": new TextDecoder().decode(integrity) });
    expect(await judge(zip)).toMatchObject({ state: "modified", problems: ["modified"] });
  });
});

describe("P5: a package with a signature that is not valid is refused:", () => {
  test("a signature of another key under a trusted key's id", async () => {
    const foreign = JSON.parse(await fileIn(await signed(packed(), stranger), "signature.json"));
    const zip = await altered(await signed(), {
      "signature.json": JSON.stringify({ ...foreign, keyId: publisher.keyId }),
    });
    expect(await judge(zip)).toMatchObject({ state: "invalid", problems: ["invalid"] });
  });

  test("a signature for something else than a package", async () => {
    const integrity = await fileIn(await signed(), "integrity.json");
    expect(await judge(await signedRaw(packed(), integrity))).toMatchObject({ state: "signed" });
    expect(await judge(await signedRaw(packed(), integrity, ""))).toMatchObject({ state: "invalid" });
  });

  test("an integrity file with a space more, though it says the same", async () => {
    const zip = await signed();
    const spaced = await altered(zip, { "integrity.json": `${await fileIn(zip, "integrity.json")} ` });
    expect(await judge(spaced)).toMatchObject({ state: "invalid", problems: ["invalid"] });
  });

  test.each<[string, (right: Record<string, unknown>) => unknown]>([
    ["no JSON", () => "x"],
    ["a list", () => []],
    ["another method", (right) => ({ ...right, alg: "none" })],
    ["a field more", (right) => ({ ...right, note: 1 })],
    ["63 bytes", (right) => ({ ...right, sig: Buffer.alloc(63).toString("base64") })],
    ["base64url", (right) => ({ ...right, sig: String(right.sig).replace(/=+$/, "") })],
    ["an id in capitals", (right) => ({ ...right, keyId: String(right.keyId).toUpperCase() })],
  ])("a signature file that is %s", async (_what, change) => {
    for (const key of [publisher, stranger]) {
      const zip = await signed(packed(), key);
      const right = JSON.parse(await fileIn(zip, "signature.json"));
      const wrong = await altered(zip, { "signature.json": JSON.stringify(change(right)) });
      expect(await judge(wrong)).toMatchObject({ state: "invalid", problems: ["invalid"] });
    }
  });
});

describe("P5: a key that does not hold for it signs nothing:", () => {
  test("a revoked one, even when another entry has it unrevoked", async () => {
    const revoked = trusted({ revokedAt: "2026-05-30T00:00:00Z" });
    for (const keys of [[revoked], [trusted(), revoked]])
      expect(await judge(await signed(), { keys })).toMatchObject({
        state: "revoked",
        tier: "unsigned",
        problems: ["revoked"],
      });
  });

  test("one that is not valid yet, or no more", async () => {
    for (const key of [
      trusted({ notBefore: "2026-06-02T00:00:00Z" }),
      trusted({ notAfter: "2026-05-31T00:00:00Z" }),
    ])
      expect(await judge(await signed(), { keys: [key] })).toMatchObject({
        state: "invalid",
        problems: ["expired"],
      });
  });

  test("but one that expired after the package was stored here, which a publisher's own clock does not decide", async () => {
    const zip = await signed();
    const keys = [trusted({ notAfter: "2026-05-20T00:00:00Z" })];
    const at = (day: string) => judge(zip, { keys, storedAt: new Date(day) });
    expect(await at("2026-05-10T00:00:00Z")).toMatchObject({
      state: "signed",
      tier: "verified",
      problems: [],
    });
    // It says of itself that it was signed on the first of May.
    expect(await at("2026-05-21T00:00:00Z")).toMatchObject({ state: "invalid", problems: ["expired"] });
    const revoked = [trusted({ notAfter: "2026-05-20T00:00:00Z", revokedAt: "2026-05-19T00:00:00Z" })];
    const storedAt = new Date("2026-05-10T00:00:00Z");
    expect(await judge(zip, { keys: revoked, storedAt })).toMatchObject({ problems: ["revoked"] });
  });

  test("one for other names", async () => {
    const keys = [trusted({ names: ["firewall", "visitor-*-pro"] })];
    expect(await judge(await signed(), { keys })).toMatchObject({
      state: "invalid",
      problems: ["not_for_name"],
    });
    expect(await judge(await signed(), { keys: [trusted({ names: ["visitor-*"] })] })).toMatchObject({
      problems: [],
    });
    expect(matchesName("ab*bc", "abbc")).toBe(true);
    // Beginning and end may not share a letter.
    expect(matchesName("ab*bc", "abc")).toBe(false);
  });

  test("one that only says it is the trusted one", async () => {
    const keys = [trusted({ keyId: stranger.keyId })];
    expect(await judge(await signed(packed(), stranger), { keys })).toMatchObject({ state: "unsigned" });
  });

  test("a weak one that got into the store", async () => {
    const weak = trusted({ publicKey: Buffer.from([1, ...Buffer.alloc(31)]).toString("base64") });
    expect(await judge(await signed(), { keys: [weak] })).toMatchObject({ state: "unsigned" });
  });
});

describe("P5: what a plugin wants and its origin does not allow is refused:", () => {
  const native = { backend: { entry: "backend/index.js", runtime: "native" }, permissions: ["native"] };
  const page = {
    frontend: { entry: "frontend/index.js", mode: "native" },
    permissions: ["ui.page", "ui.native"],
  };

  test("running inside the server takes a native key, and a server that allows it", async () => {
    const zip = await signed(packed(native));
    const keys = [trusted({ tier: "native" })];
    expect(await judge(zip, { keys, allowNative: true })).toMatchObject({ tier: "native", problems: [] });
    expect(await judge(zip, { keys })).toMatchObject({ tier: "verified", problems: ["native_refused"] });
    expect(await judge(zip, { allowNative: true })).toMatchObject({
      tier: "verified",
      problems: ["native_refused"],
    });
    expect(await judge(packed(native), { allowNative: true })).toMatchObject({
      problems: ["native_refused"],
    });
  });

  test("running in the page takes a signature", async () => {
    expect(await judge(packed(page))).toMatchObject({ problems: ["page_refused"] });
    expect(await judge(await signed(packed(page)))).toMatchObject({ problems: [] });
  });

  test("and so does a script on every page", async () => {
    const frontend = { entry: "frontend/index.js", site: "frontend/site.js" };
    const site = { frontend, permissions: ["ui.page", "ui.site"] };
    expect(await judge(packed(site))).toMatchObject({ problems: ["page_refused"] });
    expect(await judge(await signed(packed(site)))).toMatchObject({ problems: [] });
    const asking = { permissions: ["ui.site"] };
    expect(await judge(packed(asking))).toMatchObject({ problems: ["page_refused"] });
  });
});

test("content that is part of the product counts as that, signed or not, and edited no more", async () => {
  const { contentSha256 } = await readPackage(packed(), { trust: rules() });
  const changes = {
    bundled: new Map([["visitor-notes", [contentSha256]]]),
    allowUnsigned: false,
  };
  for (const zip of [packed(), await signed(), await signed(packed(), stranger)])
    expect(await judge(zip, changes)).toMatchObject({ state: "bundled", tier: "bundled", problems: [] });
  const pinned = await judge(packed(), { ...changes, pinnedKeyId: publisher.keyId });
  expect(pinned.publisherChanged).toBe(false);
  const edited = await altered(packed(), { "backend/index.js": "edited" });
  expect(await judge(edited, changes)).toMatchObject({ state: "unsigned", problems: ["unsigned_refused"] });
});

test("P5: another publisher than the pinned one is told", async () => {
  const pinned = { pinnedKeyId: publisher.keyId };
  expect((await judge(await signed(), pinned)).publisherChanged).toBe(false);
  expect((await judge(await signed(packed(), stranger), pinned)).publisherChanged).toBe(true);
  expect((await judge(packed(), pinned)).publisherChanged).toBe(true);
  expect((await judge(await signed(), { pinnedKeyId: null })).publisherChanged).toBe(false);
});

test("problems of signatures are told from what the server does not allow", () => {
  expect(isSignatureProblem({ code: "modified", message: "" })).toBe(true);
  expect(isSignatureProblem({ code: "unsigned_refused", message: "" })).toBe(false);
});

test("a star stands for any text, and nothing else for anything but itself", () => {
  for (const pattern of ["*", "visitor-notes", "visitor-*", "*-notes", "v*r-*s", "**"])
    expect(matchesName(pattern, "visitor-notes")).toBe(true);
  for (const pattern of ["", "visitor", "notes*", "visitor-notes*x", "v.*", "visitor-n*-notes", "VISITOR-*"])
    expect(matchesName(pattern, "visitor-notes")).toBe(false);
});

test("an author's check says signed for his key alone", async () => {
  const zip = await signed();
  expect((await verifyPackage(zip, [publisher.publicKey])).signature.state).toBe("signed");
  expect((await verifyPackage(zip, [stranger.publicKey])).signature.state).toBe("unsigned");
  expect((await verifyPackage(packed(), [publisher.publicKey])).signature.state).toBe("unsigned");
});
