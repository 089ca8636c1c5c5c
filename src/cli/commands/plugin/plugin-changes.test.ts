import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { details, ok, plugin, version } from "#cli/testing/plugins.ts";
import { run } from "#cli/testing/run.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";

const sha256 = "ab".repeat(32);
const consentRequired = () =>
  Response.json(
    {
      success: false,
      code: "CONSENT_REQUIRED",
      message: "Notes needs your consent first",
      requestId: "r",
      data: {
        ...{ version: "1.2.0", sha256 },
        permissions: [{ name: "net.fetch", hosts: ["a.example"], reason: "looks\u001b[31m up" }],
        signature: plugin.signature,
      },
    },
    { status: 409 },
  );
/** What a server says of the package before it is sent. */
const preview = {
  ...{ name: "notes", title: "Notes", version: "1.2.0", tier: "unsigned", signature: plugin.signature },
  ...{ permissions: [], newPermissions: [], publisherChanged: null },
};
const sha256OfPacked = new Bun.CryptoHasher("sha256").update("packed").digest("hex");
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
    expect(err).toContain("Not signed: no one vouches for its author.");
    expect(err).toContain(
      "Connect to other servers (far-reaching): Sends and receives data over the internet, from and to: a.example. " +
        "Its author says: “looks",
    );
    expect(err).not.toContain("\u001b[31m");
    expect(await Promise.all(calls.map(bodyOf))).toEqual([
      { enabled: true },
      { enabled: true, consent: true, sha256 },
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
    expect(err).toContain("Connect to other servers");
    expect(calls).toHaveLength(2);
  });

  test("with --json prints the API's data alone", async () => {
    const { out } = await run(["plugin", "enable", "notes", "--yes", "--json"], { answer });
    expect(JSON.parse(out)).toEqual(plugin);
  });

  test("with --json writes only the error without a terminal, and the permissions when it asks", async () => {
    const fails = async (request: Request) => {
      const answered = await answer(request);
      if (!answered.ok) return answered;
      return Response.json(
        { success: false, code: "PLUGIN_START_FAILED", message: "Notes could not start", requestId: "r" },
        { status: 409 },
      );
    };
    const failed = await run(["plugin", "enable", "notes", "--yes", "--json"], { answer: fails });
    expect(JSON.parse(failed.err)).toMatchObject({ success: false, code: "PLUGIN_START_FAILED" });
    const asked = await run(["plugin", "enable", "notes", "--json"], { answer, typed: ["y"] });
    expect(asked.err).toContain("Connect to other servers");
  });
});

describe("a plugin that is enabled where nothing runs it", () => {
  const heldBack = { ...plugin, state: "disabled" };

  test("without a server is said to run once one starts", async () => {
    const answer = ({ url }: Request) => ok(url.endsWith("/api/plugins") ? [heldBack] : heldBack);
    const enabled = await run(["plugin", "enable", "notes"], { answer });
    expect(enabled.out).toBe("Notes 1.2.0: enabled; it runs when the server starts\n");
    const listed = await run(["plugin", "list"], { answer });
    expect(listed.out.split("\t")[2]).toBe("enabled (no server)");
    const shown = await run(["plugin", "info", "notes"], {
      answer: () => ok({ ...details, state: "disabled" }),
    });
    expect(shown.out).toContain("\nstate\tenabled (no server)\n");
    const json = await run(["plugin", "list", "--json"], { answer });
    expect(JSON.parse(json.out)).toEqual([heldBack]);
  });

  test("on a server in safe mode is said to run after the next start without it", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => {
        if (url.endsWith("/api/system/status")) return ok({ isSafeMode: true });
        return ok(url.endsWith("/api/plugins") ? [heldBack] : heldBack);
      },
    });
    const at = ["--url", server.url.origin];
    const enabled = await run(["plugin", "enable", "notes", ...at]);
    expect(enabled.out).toBe("Notes 1.2.0: enabled; it runs when the server starts without safe mode\n");
    const listed = await run(["plugin", "list", ...at]);
    expect(listed.out.split("\t")[2]).toBe("enabled (not running)");
  });
});

describe("plugin remove", () => {
  const answer = ({ method }: Request) =>
    method === "GET" ? ok(details) : Response.json({ success: true, message: "Notes deleted" });

  test("tells what is lost before it asks", async () => {
    const { code, err, calls } = await run(["plugin", "remove", "notes"], { answer, typed: ["n"] });
    expect(code).toBe(1);
    expect(err).toContain("Delete Notes with 3 keys, 1 file (");
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

describe("plugin update", () => {
  const answer = async (request: Request) => {
    if (request.method === "GET") return ok({ ...details, pendingVersion: "2.0.0" });
    const { consent } = Object(await bodyOf(request));
    return consent === true ? ok({ ...plugin, version: "2.0.0" }) : consentRequired();
  };

  test("activates the waiting version after consent", async () => {
    for (const words of [[], ["2.0.0"]]) {
      const done = await run(["plugin", "update", "notes", ...words, "--yes"], { answer });
      expect(done).toMatchObject({ code: 0, out: "Notes is at version 2.0.0\n" });
      expect(done.calls.at(-1)?.url).toEndWith("/versions/2.0.0/activate");
    }
    expect((await run(["plugin", "update", "notes"], { answer, typed: ["n"] })).code).toBe(1);
    const told = await run(["plugin", "update", "notes", "--yes", "--json"], { answer });
    expect(await fitsSchema("plugin update", told.out)).toMatchObject({ version: "2.0.0" });
  });

  test("takes no other version for the one that is named, and fails when none waits", async () => {
    const other = await run(["plugin", "update", "notes", "1.1.0", "--yes"], { answer });
    expect(other).toMatchObject({ code: 1, out: "" });
    expect(other.calls.every(({ method }) => method === "GET")).toBe(true);
    const none = await run(["plugin", "update", "notes", "--yes"], { answer: () => ok(details) });
    expect(none.code).toBe(1);
    expect(none.err).toContain("notes has no waiting version");
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

  test("shows on a terminal what it is at: packing, sending, enabling, and nothing of it beside a question", async () => {
    const { code, err } = await run(["plugin", "install", folder, "--enable"], {
      isTerminal: true,
      typed: ["y"],
      answer: async (request) => {
        if (request.url.includes("/inspect")) return ok(preview);
        if (request.url.includes("/upload")) return ok({ ...plugin, enabled: false, state: "disabled" });
        if (request.method === "GET") return ok([]);
        return Object(await bodyOf(request)).consent === true ? ok(plugin) : consentRequired();
      },
      composition: { packPlugin: async () => new TextEncoder().encode("packed") },
    });
    expect(code).toBe(0);
    const clear = "\r\u001b[K";
    expect(err).toStartWith(`${clear}packing ${folder}${clear}Not signed: no one`);
    expect(err).toContain(`${clear}sending 6 bytes${clear}`);
    expect(err).toEndWith(`${clear}enabling notes${clear}`);
  });

  test("packs a folder first, and tells of a version that waits", async () => {
    const change = { from: "unsigned", to: "c0ffee", fromName: "no publisher (unsigned)", toName: "Ada" };
    for (const [publisherChanged, word] of [
      [null, "update"],
      [change, "replace-publisher"],
    ] as const) {
      const { err, out, calls } = await run(["plugin", "install", folder, "--allow-downgrade"], {
        answer: () => ok({ ...plugin, pendingVersion: "2.0.0", publisherChanged }),
        composition: { packPlugin: async () => new TextEncoder().encode("packed") },
      });
      expect(calls[0]?.url).toEndWith("/api/plugins/upload?allowDowngrade=true");
      expect(err).toContain(`atrium plugin ${word} notes 2.0.0`);
      expect(out).toStartWith(`Stored ${plugin.title} 2.0.0; ${plugin.version} stays active`);
    }
  });

  describe("with --enable, of a version that waits for consent,", () => {
    const answer = async (request: Request) => {
      if (request.url.includes("/inspect")) return ok({ ...preview, version: "2.0.0" });
      if (request.url.includes("/upload")) return ok({ ...plugin, pendingVersion: "2.0.0" });
      const { consent } = Object(await bodyOf(request));
      return consent === true ? ok({ ...plugin, version: "2.0.0" }) : consentRequired();
    };
    const install = (words: string[], typed?: string[]) =>
      run(["plugin", "install", folder, "--enable", ...words], {
        answer,
        ...(typed ? { typed } : {}),
        composition: { packPlugin: async () => new TextEncoder().encode("packed") },
      });

    test("activates it after consent", async () => {
      for (const done of [await install(["--yes"]), await install([], ["y"])]) {
        expect(done).toMatchObject({ code: 0, out: "Installed Notes 2.0.0: running\n" });
        expect(done.err).not.toContain("waiting");
        expect(done.calls.at(-1)?.url).toEndWith("/versions/2.0.0/activate");
        expect(await bodyOf(done.calls.at(-1))).toEqual({ consent: true, sha256: sha256OfPacked });
      }
    });

    test("sends nothing when the answer is no, so that the same command with --yes works afterwards", async () => {
      const no = await install([], ["n"]);
      expect({ code: no.code, out: no.out }).toEqual({ code: 1, out: "" });
      expect(no.calls.map(({ url }) => new URL(url).pathname)).toEqual(["/api/plugins/inspect"]);
      expect((await install(["--yes"])).code).toBe(0);
    });
  });

  describe("with --enable, of a version that cannot start,", () => {
    const failed = () =>
      Response.json(
        { success: false, code: "PLUGIN_START_FAILED", message: "Notes 2.0.0 could not start: it threw" },
        { status: 409 },
      );
    const install = (answers: { upload: unknown; act: () => Response; now: unknown }) =>
      run(["plugin", "install", folder, "--enable", "--yes"], {
        answer: (request: Request) => {
          if (request.url.includes("/inspect")) return ok({ ...preview, version: "2.0.0" });
          if (request.url.includes("/upload")) return ok(answers.upload);
          return request.method === "GET" ? ok(answers.now) : answers.act();
        },
        composition: { packPlugin: async () => new TextEncoder().encode("packed") },
      });

    test.each([
      ["an update that is refused", { ...plugin, pendingVersion: "2.0.0" }, failed],
      ["a start that stops immediately", { ...plugin, version: "2.0.0" }, () => ok({})],
    ])("ends with 1 and says which version runs: %s", async (_, upload, act) => {
      const stopped = { ...upload, state: upload.pendingVersion === null ? "failed" : "running" };
      const { code, out, err } = await install({ upload: stopped, act, now: details });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("Notes 2.0.0 could not start");
      expect(err).toContain("Version 1.2.0 is running");
    });

    test("says that none runs where it is the first", async () => {
      const off = { ...plugin, version: "2.0.0", enabled: false, state: "disabled" };
      const { code, err } = await install({ upload: off, act: failed, now: { ...details, ...off } });
      expect(code).toBe(1);
      expect(err).toContain("No version of it is running");
    });
  });

  test("with --enable sends nothing of another publisher's version, and names the command for it", async () => {
    const publisherChanged = {
      from: "unsigned",
      to: "ab",
      fromName: "no publisher (unsigned)",
      toName: "Ada",
    };
    const { code, err, calls } = await run(["plugin", "install", folder, "--enable", "--yes"], {
      answer: () => ok({ ...preview, version: "2.0.0", publisherChanged }),
      composition: { packPlugin: async () => new TextEncoder().encode("packed") },
    });
    expect([code, calls.length]).toEqual([1, 1]);
    expect(err).toContain("atrium plugin replace-publisher notes 2.0.0");
  });

  test("refuses what is not there before anything is sent", async () => {
    const { code, err, calls } = await run(["plugin", "install", join(folder, "none.zip")]);
    expect(code).toBe(2);
    expect(err).toContain("file or folder not found");
    expect(calls).toEqual([]);
  });
});

describe("plugin replace-publisher", () => {
  const publisherChanged = { from: "ab", to: "unsigned", fromName: "Ada", toName: "no publisher (unsigned)" };
  const asking = (name: string, host: string) => ({
    ...{ ...version(name, false), publisherChanged },
    permissions: [{ name: "net.fetch", hosts: [host] }],
  });
  const versions = [...details.versions, asking("2.0.0", "new.example"), asking("1.9.0", "old.example")];
  const plan = { changes: [], mails: [], events: [], summary: "Would replace it" };
  const answer = ({ method, url }: Request) => {
    if (method === "GET") return ok({ ...details, versions, pendingVersion: "2.0.0" });
    return ok(url.includes("/api/plan/") ? plan : plugin);
  };

  test("names both publishers, asks, and sends the consent", async () => {
    const { code, err, calls } = await run(["plugin", "replace-publisher", "notes", "2.0.0"], {
      answer,
      typed: ["y"],
    });
    expect(code).toBe(0);
    expect(err).toContain("Replace the publisher of Notes from Ada to no publisher (unsigned)?");
    expect(calls.at(-1)?.url).toEndWith("/api/plugins/notes/replace-publisher");
    expect(err).toContain("from and to: new.example.");
    expect(await bodyOf(calls.at(-1))).toEqual({ version: "2.0.0", consent: true, sha256 });
  });

  test("shows what the named version asks for, also when another one waits", async () => {
    const { code, out, err } = await run(["plugin", "replace-publisher", "notes", "1.9.0", "--yes"], {
      answer,
    });
    expect([code, out]).toEqual([0, "Notes is now at version 1.9.0 from another publisher: running\n"]);
    const asked = await run(["plugin", "replace-publisher", "notes", "1.9.0"], { answer, typed: ["n"] });
    expect(asked.err).toContain("from Ada to no publisher (unsigned)?");
    expect(err).toContain("from and to: old.example.");
    expect(err).not.toContain("new.example");
    const planned = await run(["plugin", "replace-publisher", "notes", "1.9.0", "--plan"], { answer });
    expect([planned.out, planned.err]).toEqual([
      "Would replace it\n",
      expect.stringContaining("from and to: old.example."),
    ]);
    expect(await bodyOf(planned.calls.at(-1))).toMatchObject({ name: "notes", version: "1.9.0", sha256 });
  });

  test("prints with --json what its schema says, and so does its plan", async () => {
    for (const flag of ["--yes", "--plan"]) {
      const { out } = await run(["plugin", "replace-publisher", "notes", "2.0.0", flag, "--json"], {
        answer,
      });
      await fitsSchema("plugin replace-publisher", out);
    }
  });

  test("asks about no version that is not kept", async () => {
    const { code, err, calls } = await run(["plugin", "replace-publisher", "notes", "3.0.0", "--yes"], {
      answer,
    });
    expect([code, calls.length]).toEqual([1, 1]);
    expect(err).toContain(pluginTexts.unknownVersion);
  });

  test("changes nothing when the answer is no", async () => {
    const { code, calls } = await run(["plugin", "replace-publisher", "notes", "2.0.0"], {
      answer,
      typed: ["n"],
    });
    expect(code).toBe(1);
    expect(calls.every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("plugin delete-retained", () => {
  test("asks, names whose data goes, and deletes only after a yes", async () => {
    const answer = () => Response.json({ success: true, message: "Deleted" });
    const words = ["plugin", "delete-retained", "notes", "unsigned"];
    const refused = await run(words, { answer, typed: ["n"] });
    expect([refused.code, refused.calls.length]).toEqual([1, 0]);
    expect(refused.err).toContain("Permanently delete the data of notes that is kept for unsigned?");
    const { code, out, calls } = await run(words, { answer, typed: ["y"] });
    expect([code, out]).toEqual([0, "Deleted\n"]);
    expect(calls.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ["DELETE", "/api/plugins/notes/retained/unsigned"],
    ]);
  });
});
