import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { details, ok, plugin } from "#cli/testing/plugins.ts";
import { refusal, run } from "#cli/testing/run.ts";
import { errorTexts } from "#contract/errors.ts";

const bodyOf = async (request: Request | undefined): Promise<unknown> => request?.clone().json();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-plugin-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("plugin list, info, download and logs", () => {
  test("a list has a line for each plugin", async () => {
    const { out } = await run(["plugin", "list"], { answer: () => ok([plugin]) });
    expect(out).toBe("notes\t1.2.0\trunning\tOther\tunsigned\tlicensing\tNotes\n");
    const empty = await run(["plugin", "list"], { answer: () => ok([]), isTerminal: true });
    expect(empty.out).toContain("atrium plugin install");
  });

  test.each(["info", "enable", "settings get"])("%s says which plugin is not installed", async (word) => {
    const answer = () => refusal(404, "PLUGIN_NOT_FOUND", errorTexts.PLUGIN_NOT_FOUND);
    const { code, err } = await run(["plugin", ...word.split(" "), "absent"], { answer });
    expect([code, err]).toEqual([1, expect.stringContaining("the plugin absent is not installed")]);
  });

  test("a list fails for a token that sees no more than visitors", async () => {
    const { state: _, ...little } = plugin;
    const told = async (answer: () => Response) =>
      run(["plugin", "list"], {
        answer: ({ url }) => (url.endsWith("/api/plugins") ? ok([little]) : answer()),
      });
    const unknown = await told(() => refusal(401, "NOT_SIGNED_IN", "Please sign in"));
    expect(unknown).toMatchObject({ code: 3, out: "" });
    expect(unknown.err).toContain(
      "Please sign in: provide an API token in ATRIUM_TOKEN or with --token-file",
    );
    const narrow = await told(() => refusal(403, "FORBIDDEN", "The token lacks the scope plugins:read"));
    expect(narrow).toMatchObject({ code: 3, out: "" });
    expect(narrow.err).toContain("lacks the scope");
    expect(await told(() => ok(details))).toMatchObject({ code: 3, out: "" });
  });

  test("a plugin is shown with what it was granted and how often it used that", async () => {
    const { out } = await run(["plugin", "info", "notes"], { answer: () => ok(details) });
    expect(out).toContain("granted\tnet.fetch (a.example): used 4, refused 1");
    expect(out).toContain("refused\tusers.read: 2, not granted");
    expect(out).toContain("job\tdaily every 86400 s: no ink");
    expect(out).toContain("server\tr1, running, process+seccomp");
  });

  test("a package is saved, and the size is told", async () => {
    const out = join(folder, "saved.zip");
    const file = () =>
      new Response("bytes", {
        headers: { "content-disposition": 'attachment; filename="notes-plugin.zip"' },
      });
    const done = await run(["plugin", "download", "notes", "--out", out], { answer: file });
    expect(done.code).toBe(0);
    expect(await readFile(out, "utf8")).toBe("bytes");
    const told = await run(["plugin", "download", "notes", "--out", out, "--json"], { answer: file });
    expect(await fitsSchema("plugin download", told.out)).toEqual({ file: out, sizeBytes: 5 });
  });

  test("a log is printed line by line, and followed from its last line", async () => {
    const line = (id: number, message: string) => ({
      id,
      at: "2026-11-01T00:00:00.000Z",
      level: "info",
      message,
      replica: "r",
    });
    const interrupt = new AbortController();
    const asked: string[] = [];
    const { out } = await run(["plugin", "logs", "notes", "--follow"], {
      interrupt: interrupt.signal,
      answer: ({ url }) => {
        asked.push(new URL(url).search);
        if (asked.length === 2) interrupt.abort();
        return ok({ lines: asked.length === 1 ? [line(7, "a\u001b[2Jb")] : [line(8, "c")] });
      },
    });
    expect(asked).toEqual(["?after=0", "?after=7"]);
    expect(out.split("\n")).toHaveLength(3);
    expect(out).not.toContain("\u001b[2J");
    const newest = { lines: [line(7, "a")] };
    const told = await run(["plugin", "logs", "notes", "--json"], { answer: () => ok(newest) });
    expect(await fitsSchema("plugin logs", told.out)).toEqual(line(7, "a"));
  });
});

describe("plugin settings and keys", () => {
  const settings = { schema: {}, values: { color: "red", token: "" }, secrets: { token: true } };

  test("settings are shown without secrets, and one of them bare", async () => {
    const all = await run(["plugin", "settings", "get", "notes"], { answer: () => ok(settings) });
    expect(all.out).toBe("color\tred\ntoken\t(stored)\n");
    const one = await run(["plugin", "settings", "get", "notes", "color"], { answer: () => ok(settings) });
    expect(one.out).toBe("red\n");
    const none = await run(["plugin", "settings", "get", "notes", "size"], { answer: () => ok(settings) });
    expect(none.code).toBe(2);
  });

  test("a secret is taken from standard input alone", async () => {
    const answer = () => ok(settings);
    const typed = await run(["plugin", "settings", "set", "notes", "token", "s3cret"], { answer });
    expect(typed.code).toBe(2);
    expect(typed.calls.some(({ method }) => method === "PUT")).toBe(false);
    const piped = await run(["plugin", "settings", "set", "notes", "token", "--stdin"], {
      answer,
      input: "s3cret\n",
    });
    expect(await bodyOf(piped.calls.at(-1))).toEqual({ values: { token: "s3cret" } });
    expect(`${piped.out}${piped.err}`).not.toContain("s3cret");
    const number = await run(["plugin", "settings", "set", "notes", "size", "5"], { answer });
    expect(await bodyOf(number.calls.at(-1))).toEqual({ values: { size: 5 } });
  });

  test("a native key is trusted only after consent, and a key is revoked by the beginning of its id", async () => {
    const key = {
      keyId: "abcdef0123456789",
      label: "Ada",
      tier: "native",
      names: ["*"],
      revokedAt: null,
      source: "store",
    };
    const add = ["plugin", "keys", "add", "AAAA", "--label", "Ada", "--tier", "native"];
    expect((await run(add, { answer: () => ok(key) })).code).toBe(2);
    const added = await run([...add, "--yes", "--names", "a-*, b"], { answer: () => ok(key) });
    expect(await bodyOf(added.calls[0])).toEqual({
      publicKey: "AAAA",
      label: "Ada",
      tier: "native",
      names: ["a-*", "b"],
    });
    const revoked = await run(["plugin", "keys", "revoke", "ABCD", "--yes"], {
      answer: ({ method }) => ok(method === "GET" ? { keys: [key] } : key),
    });
    expect(revoked.calls.at(-1)?.url).toEndWith("/api/admin/plugin-keys/abcdef0123456789/revoke");
    const listed = await run(["plugin", "keys", "list"], { answer: () => ok({ keys: [key] }) });
    expect(listed.out).toBe("abcdef0123456789\tAda\tnative\t*\ttrusted (store)\n");
  });

  test("a key of several that fit is made native only after consent, too", async () => {
    const answer = () => ok({ keys: [] });
    const { code, calls } = await run(["plugin", "keys", "set", "abcd", "--tier", "native"], { answer });
    expect([code, calls.map(({ method }) => method)]).toEqual([2, ["GET"]]);
  });

  test("only the given fields of a key are changed, and native only after consent", async () => {
    const key = { keyId: "abcdef0123456789", label: "Ada", tier: "verified", names: ["*"] };
    const answer = ({ method }: Request) => ok(method === "GET" ? { keys: [key] } : key);
    const set = ["plugin", "keys", "set", "ABCD"];
    const changed = await run([...set, "--label", "Ada L.", "--names", "a-*, b", "--until", "never"], {
      answer,
    });
    expect(changed).toMatchObject({ code: 0, out: "Changed Ada (abcdef0123456789)\n" });
    expect(changed.calls.at(-1)?.method).toBe("PATCH");
    expect(changed.calls.at(-1)?.url).toEndWith("/api/admin/plugin-keys/abcdef0123456789");
    expect(await bodyOf(changed.calls.at(-1))).toEqual({
      label: "Ada L.",
      names: ["a-*", "b"],
      notAfter: null,
    });
    const nothing = await run(set, { answer });
    expect(nothing).toMatchObject({ code: 2, calls: [] });
    const native = await run([...set, "--tier", "native"], { answer });
    expect(native.code).toBe(2);
    expect(native.calls.every(({ method }) => method === "GET")).toBe(true);
    const agreed = await run([...set, "--tier", "native", "--until", "2027-01-31", "--yes"], { answer });
    expect(await bodyOf(agreed.calls.at(-1))).toEqual({
      tier: "native",
      notAfter: "2027-01-31T23:59:59.999Z",
    });
  });
});
