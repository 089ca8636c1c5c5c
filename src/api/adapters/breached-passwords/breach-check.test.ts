import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OutboundError } from "#api/adapters/outbound/check-address.ts";
import type { Outbound } from "#api/adapters/outbound/create-outbound.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { folderForFile } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { breachFilterIn, buildBreachFilter, UnusableListError } from "./build-filter.ts";
import { createBreachCheck, inspectFilter } from "./filter-file.ts";

const folder = folderForFile();

const sha1 = (password: string): string => createHash("sha1").update(password).digest("hex").toUpperCase();
const common = Array.from({ length: 5_000 }, (_, index) => `breached password ${index}`);
const listOf = (passwords: readonly string[], count = 3): string =>
  passwords
    .map((password) => `${sha1(password)}:${count}`)
    .sort()
    .join("\r\n");

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
}

const freshPath = (): string => breachFilterIn(mkdtempSync(join(folder, "data-")));

type World = { filterPath?: string; isOnline?: boolean; outbound?: Outbound };
const offline: Outbound = () => Promise.reject(new Error("asked although it must not be"));
const openCheck = ({ filterPath = join(folder, "none"), isOnline = false, outbound = offline }: World) => {
  const log = createRecordingLog();
  const settings = createFixedSettings();
  const { accounts } = settings.current;
  settings.setAccounts({ ...accounts, breachedPasswords: isOnline ? "online" : "off" });
  return {
    check: createBreachCheck({ filterPath, settings, outbound, log }),
    lines: log.entries,
  };
};

test("without a filter and without the service, every password passes", async () => {
  expect(await openCheck({}).check("breached password 1")).toBe("clean");
});

describe("the filter of an operator", () => {
  test("holds exactly the passwords of the list, and is used without a restart", async () => {
    const filterPath = freshPath();
    const { check } = openCheck({ filterPath });
    expect(await check("breached password 17")).toBe("clean");
    expect(await buildBreachFilter(filterPath, chunksOf(listOf(common)), { atLeast: 1 })).toBe(5_000);
    for (const password of common) expect(await check(password)).toBe("breached");
    for (let index = 0; index < 5_000; index += 1) expect(await check(`own words ${index}`)).toBe("clean");
    expect(inspectFilter(filterPath)).toMatchObject({ passwords: 5_000, path: filterPath });
  });

  test("leaves out what was seen less often than wanted, and counts a repeated hash once", async () => {
    const filterPath = freshPath();
    const list = [
      ...listOf(["often"], 10).split("\r\n"),
      ...listOf(["often"], 12).split("\r\n"),
      ...listOf(["seldom"], 9).split("\r\n"),
    ];
    expect(await buildBreachFilter(filterPath, chunksOf(list.sort().join("\n")), { atLeast: 10 })).toBe(1);
    const { check } = openCheck({ filterPath });
    expect([await check("often"), await check("seldom")]).toEqual(["breached", "clean"]);
  });

  test.each([
    ["a text", "password\n123456", /^Line 1 is not a SHA-1 hash/],
    ["one endless line", "A".repeat(5_000), /^Line 1 is not a SHA-1 hash/],
    ["a list in another order", listOf(common).split("\r\n").reverse().join("\n"), /^Line 2 comes before/],
    ["an empty list", "\n\n", /has no password/],
  ])("is not made of %s, and the old one stays", async (_, list, message) => {
    const filterPath = freshPath();
    await buildBreachFilter(filterPath, chunksOf(listOf(common)), { atLeast: 1 });
    const building = buildBreachFilter(filterPath, chunksOf(list), { atLeast: 1 });
    expect(await building.catch((error) => error)).toBeInstanceOf(UnusableListError);
    await expect(building).rejects.toThrow(message);
    expect(inspectFilter(filterPath)).toMatchObject({ passwords: 5_000 });
    expect(readdirSync(join(filterPath, ".."))).toEqual(["breached-passwords"]);
  });

  test("is told to the log when it is damaged, and lets passwords pass", async () => {
    for (const damage of [
      (path: string) => truncateSync(path, 300_000),
      (path: string) => truncateSync(path, 3),
      (path: string) => writeFileSync(path, "something else"),
    ]) {
      const filterPath = freshPath();
      await buildBreachFilter(filterPath, chunksOf(listOf(common)), { atLeast: 1 });
      damage(filterPath);
      const { check, lines } = openCheck({ filterPath });
      expect(await check("breached password 1")).toBe("unknown");
      expect(lines.map(({ level }) => level)).toEqual(["error"]);
      expect(inspectFilter(filterPath)).toMatchObject({ path: filterPath, fault: expect.any(String) });
    }
  });

  test("leaves nothing when it is broken off", async () => {
    const filterPath = freshPath();
    const building = buildBreachFilter(filterPath, chunksOf(listOf(common)), {
      atLeast: 1,
      signal: AbortSignal.abort(),
    });
    await expect(building).rejects.toThrow();
    expect(existsSync(filterPath)).toBe(false);
  });
});

describe("the service", () => {
  const answering = (status: number, text: string) => {
    const asked: Parameters<Outbound>[0][] = [];
    const outbound: Outbound = async (request) => {
      asked.push(request);
      return { status, text };
    };
    return { asked, check: openCheck({ isOnline: true, outbound }).check };
  };
  const hash = sha1("hunter2 hunter2");

  test("gets five digits of the hash and asks for padding", async () => {
    const { asked, check } = answering(200, "");
    expect(await check("hunter2 hunter2")).toBe("clean");
    expect(asked).toMatchObject([
      { url: `https://api.pwnedpasswords.com/range/${hash.slice(0, 5)}`, headers: { "add-padding": "true" } },
    ]);
  });

  test("knows a password by the rest of its hash, unless that is padding", async () => {
    const other = `${"0".repeat(35)}:9`;
    const found = answering(200, `${other}\r\n${hash.slice(5)}:42\r\n`);
    expect(await found.check("hunter2 hunter2")).toBe("breached");
    const padded = answering(200, `${other}\r\n${hash.slice(5)}:0\r\n`);
    expect(await padded.check("hunter2 hunter2")).toBe("clean");
  });

  test("lets passwords pass when it fails, is slow or can't be reached", async () => {
    expect(await answering(503, "").check("hunter2 hunter2")).toBe("unknown");
    for (const fault of ["slow", "unreachable", "large"] as const) {
      const outbound: Outbound = () => Promise.reject(new OutboundError(fault));
      expect(await openCheck({ isOnline: true, outbound }).check("hunter2 hunter2")).toBe("unknown");
    }
  });
});
