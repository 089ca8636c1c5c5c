import { describe, expect, test } from "bun:test";
import {
  altered,
  judge,
  packed,
  publisher,
  rules,
  signed,
  stranger,
  trusted,
} from "#api/testing/signed-packages.ts";
import { isSignatureProblem, matchesName } from "./judge.ts";
import { verifyPackage } from "./pack.ts";
import { readPackage } from "./read-package.ts";

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
    bundled: (name: string) => (name === "visitor-notes" ? [contentSha256] : null),
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
