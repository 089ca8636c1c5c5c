import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UnusableKeyError } from "#api/core/key-complaint.ts";
import { testAsRoot } from "#api/testing/other-user.ts";
import { loadAppKey } from "./app-key.ts";

const strong = "q7Vw2mX9-Lr4TzNb8cYd1KfHs6JgPe3Ua";
let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "atrium-key-"));
  dataDir = join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const load = (appSecret: string | null = null, appSecretPrevious: string | null = null) =>
  loadAppKey({ appSecret, appSecretPrevious, dataDir }, true);
const modeOf = (path: string) => statSync(path).mode & 0o777;
const keyFile = () => join(dataDir, "app.key");

describe("without APP_SECRET", () => {
  test("a key is made once, for the owner's eyes only, and read again at the next start", () => {
    const first = load();
    expect(first.root.length).toBeGreaterThanOrEqual(32);
    expect(first.previous).toBeNull();
    expect([modeOf(dataDir), modeOf(keyFile())]).toEqual([0o700, 0o600]);
    expect(load().root).toEqual(first.root);
    expect(readdirSync(dataDir)).toEqual(["app.key"]);
  });

  test("S6: none is made for a database that was used with one before", () => {
    expect(() => loadAppKey({ appSecret: null, appSecretPrevious: null, dataDir }, false)).toThrow(
      UnusableKeyError,
    );
    expect(existsSync(keyFile())).toBe(false);
  });

  test("two installations get two keys", () => {
    const first = load().root;
    rmSync(dataDir, { recursive: true });
    expect(load().root).not.toEqual(first);
  });

  test("the file's text can move into APP_SECRET, and the key stays the same", () => {
    const { root } = load();
    expect(load(readFileSync(keyFile(), "utf8").trim()).root).toEqual(root);
  });

  test("no key made here is refused as a weak one", () => {
    for (let round = 0; round < 200; round += 1) {
      load();
      rmSync(keyFile());
    }
  });

  test("processes that start at the same time agree on one key", async () => {
    const script = `import { loadAppKey } from ${JSON.stringify(join(import.meta.dir, "app-key.ts"))};
      console.log(Buffer.from(loadAppKey({ appSecret: null, appSecretPrevious: null, dataDir: process.argv[1] }, true).root).toString("hex"))`;
    const starts = Array.from({ length: 4 }, () =>
      new Response(Bun.spawn([process.execPath, "-e", script, dataDir]).stdout).text(),
    );
    const keys = await Promise.all(starts);
    expect(keys[0]).toMatch(/^[0-9a-f]{64,}\n$/);
    expect(new Set(keys).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(["app.key"]);
  });

  test.each([
    ["empty", ""],
    ["blank", " \n"],
    ["cut short", "q7Vw2mX9-Lr4"],
    ["zeroed by a crash", "\0".repeat(44)],
  ])("S6: a key file that is %s stops the start and is left as it is", (_what, content) => {
    load();
    writeFileSync(keyFile(), content);
    expect(load).toThrow(UnusableKeyError);
    expect(load).toThrow(/app\.key .*backup/);
    expect(readFileSync(keyFile(), "utf8")).toBe(content);
  });

  test("S6: a key file that cannot be read stops the start and says why", () => {
    load();
    rmSync(keyFile());
    // A folder in its place is unreadable for every user, root included.
    Bun.spawnSync(["mkdir", keyFile()]);
    expect(load).toThrow(/cannot be read \(EISDIR\)/);
  });

  test.each([
    ["that others may write", 0o602, 0o700, "may be someone else's key"],
    ["that everyone can reach and read", 0o644, 0o755, "can be read by every user"],
  ])("M1: a key file %s stops the start and names the way out", (_what, mode, folderMode, words) => {
    load();
    chmodSync(dataDir, folderMode);
    chmodSync(keyFile(), mode);
    expect(() => load()).toThrow(UnusableKeyError);
    expect(() => load()).toThrow(words);
    expect(() => load()).toThrow("chmod 600");
  });

  testAsRoot("M1: a key file of another user stops the start", () => {
    load();
    chownSync(keyFile(), 65_534, 65_534);
    expect(() => load()).toThrow("belongs to another user");
  });

  test("a key file that others may read is used while its folder keeps them out", () => {
    const { root } = load();
    chmodSync(keyFile(), 0o644);
    expect(load().root).toEqual(root);
  });

  test("a data folder that cannot be created stops the start and names the way out", () => {
    writeFileSync(dataDir, "a file where the folder should be");
    expect(load).toThrow(/cannot be created \((ENOTDIR|EEXIST)\).*APP_SECRET/);
  });
});

describe("with APP_SECRET", () => {
  test("it is the key, byte for byte, and no file is made", () => {
    expect(load(strong).root).toEqual(new TextEncoder().encode(strong));
    expect(existsSync(dataDir)).toBe(false);
  });

  test("the previous key is handed on beside it", () => {
    expect(load(strong, `${strong}-former`).previous).toEqual(new TextEncoder().encode(`${strong}-former`));
  });

  test.each([
    "",
    "short",
    "a".repeat(64),
    "abc".repeat(20),
    "0123456789abcdef".repeat(2),
    "changeme-changeme-changeme-changeme-1",
    "CHANGE_ME_please_with_something_long_123",
    "secret-that-nobody-will-ever-guess-42",
    "your-secret-key-goes-here-0123456789abc",
    "<your_app_secret_with_at_least_32_bytes>",
    "supersecretsupersecret-1234567890-xyz",
    "password1234567890password0987654321qq",
    "replace-this-with-a-long-random-string",
    "xxxxxxxxxxxxxxxxxxxxxxxx-0123456789-abcdef",
  ])("M1, S6: %j is refused by name, without being shown", (weak) => {
    const attempt = () => load(weak);
    expect(attempt).toThrow(UnusableKeyError);
    expect(attempt).toThrow(/^APP_SECRET .*openssl rand -base64 48$/);
    if (weak.length > 10) expect(attempt).not.toThrow(weak);
  });

  test("S6: a weak previous key is refused by its own name", () => {
    expect(() => load(strong, "short")).toThrow(/^APP_SECRET_PREVIOUS is too short \(5 bytes/);
  });

  test("length is counted in bytes, not in characters", () => {
    expect(load("äöüßéèêëáàâãåçñõ").root.length).toBe(32);
  });
});
