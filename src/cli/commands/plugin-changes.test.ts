import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "#cli/testing/run.ts";

const plugin = {
  name: "notes",
  title: "Notes",
  version: "1.2.0",
  description: "",
  type: "Other",
  enabled: true,
  core: false,
  dependsOn: ["licensing"],
  state: "running",
  error: null,
  pendingVersion: null,
  signature: { state: "unsigned", keyId: null, publisher: null, signedAt: null },
};
const version = (name: string, isCurrent: boolean) => ({
  version: name,
  isCurrent,
  sizeBytes: 1_000,
  uploadedAt: "2026-11-01T00:00:00.000Z",
});
const details = {
  ...plugin,
  runtime: "sandbox",
  frontendMode: null,
  dependencies: { licensing: "^1.0.0" },
  dependents: ["others"],
  granted: [{ name: "net.fetch", hosts: ["a.example"], used: 4, refused: 1, lastUsedAt: null }],
  pendingPermissions: [],
  versions: [version("1.2.0", true), version("1.1.0", false)],
  replicas: [{ replica: "r1", state: "running", isolation: "process+seccomp", memoryBytes: 10_000_000 }],
  routes: [{ method: "GET", path: "/list", access: "admin", summary: null }],
  jobs: [{ name: "daily", everyMs: 86_400_000, lastRunAt: null, lastError: "no ink" }],
  data: { keys: 3, files: 1, fileBytes: 2_000, secrets: 0, settings: 2 },
  installedAt: "2026-11-01T00:00:00.000Z",
  installedBy: "ada@example.com",
};
const ok = (data: unknown, message = "Done") => Response.json({ success: true, message, data });
const consentRequired = () =>
  Response.json(
    {
      success: false,
      code: "CONSENT_REQUIRED",
      message: "Notes needs your consent first",
      requestId: "r",
      data: {
        permissions: [{ name: "net.fetch", hosts: ["a.example"], reason: "looks\u001b[31m up" }],
        signature: plugin.signature,
      },
    },
    { status: 409 },
  );
const bodyOf = async (request: Request | undefined): Promise<unknown> => request?.clone().json();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-plugin-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("plugin enable", () => {
  const answer = async (request: Request) => {
    const { consent } = Object(await bodyOf(request));
    return consent === true ? ok(plugin) : consentRequired();
  };

  test("shows what the plugin wants, asks, and grants it when the answer is yes", async () => {
    const { code, out, err, calls } = await run(["plugin", "enable", "notes"], { answer, typed: ["y"] });
    expect(code).toBe(0);
    expect(out).toBe("Notes 1.2.0: running\n");
    expect(err).toContain("Nobody you trust signed notes (unsigned).");
    expect(err).toContain("net.fetch (a.example): looks");
    expect(err).not.toContain("\u001b[31m");
    expect(await Promise.all(calls.map(bodyOf))).toEqual([
      { enabled: true },
      { enabled: true, consent: true },
    ]);
  });

  test("grants nothing when the answer is no, and nothing without a terminal", async () => {
    const no = await run(["plugin", "enable", "notes"], { answer, typed: ["n"] });
    expect(no).toMatchObject({ code: 1, out: "" });
    expect(no.calls).toHaveLength(1);
    const silent = await run(["plugin", "enable", "notes"], { answer });
    expect(silent).toMatchObject({ code: 2, out: "" });
    expect(silent.calls).toHaveLength(1);
  });

  test("with --yes grants it, and still says what was granted", async () => {
    const { code, err, calls } = await run(["plugin", "enable", "notes", "--yes"], { answer });
    expect(code).toBe(0);
    expect(err).toContain("net.fetch");
    expect(calls).toHaveLength(2);
  });

  test("with --json prints the API's data alone", async () => {
    const { out } = await run(["plugin", "enable", "notes", "--yes", "--json"], { answer });
    expect(JSON.parse(out)).toEqual(plugin);
  });
});

describe("plugin disable", () => {
  test("says which others went off with it", async () => {
    const { out, err } = await run(["plugin", "disable", "notes"], {
      answer: ({ method }) => ok(method === "GET" ? details : { ...plugin, state: "disabled" }),
    });
    expect(out).toBe("Notes: disabled\n");
    expect(err).toContain("others");
  });
});

describe("plugin remove", () => {
  const answer = ({ method }: Request) =>
    method === "GET" ? ok(details) : Response.json({ success: true, message: "Notes deleted" });

  test("tells what is lost before it asks", async () => {
    const { code, err, calls } = await run(["plugin", "remove", "notes"], { answer, typed: ["n"] });
    expect(code).toBe(1);
    expect(err).toContain("Delete Notes with 3 keys, 1 files");
    expect(calls.every(({ method }) => method === "GET")).toBe(true);
  });

  test("keeps data and forces only when it is told to", async () => {
    const plain = await run(["plugin", "remove", "notes", "--yes"], { answer });
    expect(plain.calls.at(-1)?.url).toEndWith("/api/plugins/notes");
    const kept = await run(["plugin", "remove", "notes", "--yes", "--retain-data", "--force"], { answer });
    expect(kept.calls.at(-1)?.url).toEndWith("/api/plugins/notes?retainData=true&force=true");
    expect(kept.out).toBe("Notes deleted\n");
  });
});

describe("plugin rollback", () => {
  const answer = ({ method }: Request) => ok(method === "GET" ? details : plugin);

  test("goes to the version before, or to the one that is named", async () => {
    const before = await run(["plugin", "rollback", "notes"], { answer });
    expect(before.calls.at(-1)?.url).toEndWith("/api/plugins/notes/versions/1.1.0/activate");
    const named = await run(["plugin", "rollback", "notes", "1.0.0-beta.1"], { answer });
    expect(named.calls).toHaveLength(1);
    expect(named.calls[0]?.url).toEndWith("/versions/1.0.0-beta.1/activate");
  });

  test("says so when no earlier version is kept", async () => {
    const { code, err } = await run(["plugin", "rollback", "notes"], {
      answer: () => ok({ ...details, versions: [version("1.2.0", true)] }),
    });
    expect(code).toBe(1);
    expect(err).toContain("no earlier version");
  });
});

describe("plugin install", () => {
  test("sends the package as the form's file, and says how it stands", async () => {
    const path = join(folder, "notes.zip");
    await writeFile(path, "zip");
    const { code, out, calls } = await run(["plugin", "install", path], {
      answer: () => ok({ ...plugin, enabled: false, state: "disabled" }),
    });
    expect(code).toBe(0);
    expect(out).toBe("Installed Notes 1.2.0: disabled\n");
    const file: unknown = (await calls[0]?.formData())?.get("plugin");
    expect(file).toBeInstanceOf(File);
    expect(await new Response(file instanceof File ? file : "").text()).toBe("zip");
  });

  test("packs a folder first, and tells of a version that waits", async () => {
    const { err, calls } = await run(["plugin", "install", folder, "--allow-downgrade"], {
      answer: () => ok({ ...plugin, pendingVersion: "2.0.0" }),
      composition: { packPlugin: async () => new TextEncoder().encode("packed") },
    });
    expect(calls[0]?.url).toEndWith("/api/plugins/upload?allowDowngrade=true");
    expect(err).toContain("atrium plugin rollback notes 2.0.0");
  });

  test("refuses what is not there before anything is sent", async () => {
    const { code, err, calls } = await run(["plugin", "install", join(folder, "none.zip")]);
    expect(code).toBe(2);
    expect(err).toContain("there is no file or folder");
    expect(calls).toEqual([]);
  });
});

describe("plugin list, info, download and logs", () => {
  test("a list has a line for each plugin", async () => {
    const { out } = await run(["plugin", "list"], { answer: () => ok([plugin]) });
    expect(out).toBe("notes\t1.2.0\trunning\tOther\tunsigned\tlicensing\tNotes\n");
    const empty = await run(["plugin", "list"], { answer: () => ok([]), isTerminal: true });
    expect(empty.out).toContain("atrium plugin install");
  });

  test("a plugin is shown with what it was granted and how often it used that", async () => {
    const { out } = await run(["plugin", "info", "notes"], { answer: () => ok(details) });
    expect(out).toContain("granted\tnet.fetch (a.example): used 4, refused 1");
    expect(out).toContain("job\tdaily every 86400 s: no ink");
    expect(out).toContain("server\tr1, running, process+seccomp");
  });

  test("a package is saved whole or not at all", async () => {
    const out = join(folder, "saved.zip");
    const file = () =>
      new Response("bytes", {
        headers: { "content-disposition": 'attachment; filename="notes-plugin.zip"' },
      });
    const done = await run(["plugin", "download", "notes", "--out", out], { answer: file });
    expect(done.code).toBe(0);
    expect(await readFile(out, "utf8")).toBe("bytes");
    const gone = await run(["plugin", "download", "notes", "--out", join(folder, "none.zip")], {
      answer: () =>
        Response.json(
          {
            success: false,
            code: "PLUGIN_NOT_FOUND",
            message: "This plugin is not installed",
            requestId: "r",
          },
          { status: 404 },
        ),
    });
    expect(gone).toMatchObject({ code: 1 });
    expect(await readdir(folder)).not.toContain("none.zip");
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

  test("a native key is trusted only once somebody agreed, and a key is revoked by the beginning of its id", async () => {
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
});
