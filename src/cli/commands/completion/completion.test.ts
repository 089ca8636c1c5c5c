import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#api/testing/until.ts";
import { run, success, type World } from "#cli/testing/run.ts";
import { completeCommands } from "#contract/plugin-commands.ts";
import { shells } from "./completion.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-completion-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What may stand for the last word: the kind, and then the words. */
const completed = async (words: string[], world: World = {}): Promise<string[]> => {
  const { code, out, err } = await run(["completion", "zsh", "--", ...words], world);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "");
};

/** As for a person who presses Tab again: a server that a busy machine held up is not waited for. */
const expectOffered = async (words: string[], world: World, expected: string[]): Promise<void> => {
  let offered: string[] = [];
  await until(async () => {
    offered = await completed(words, world);
    return Bun.deepEquals(offered, expected);
  }).catch(() => expect(offered).toEqual(expected));
};

describe("the script", () => {
  for (const shell of shells) {
    test(`for ${shell} asks the program itself`, async () => {
      const { code, out } = await run(["completion", shell]);
      expect(code).toBe(0);
      expect(out).toContain(`completion ${shell} `);
    });
  }

  test("for an unknown shell is wrong usage", async () => {
    expect((await run(["completion", "tcsh"])).code).toBe(2);
  });
});

describe("what may stand at a place", () => {
  test("is commands first, with what they do", async () => {
    const { out } = await run(["completion", "zsh", "--", "use"]);
    expect(out).toBe("words\nuser\taccounts\n");
    expect(await completed(["user", "set-r"])).toEqual(["words", "set-role"]);
  });

  test("is options behind a dash, those of all commands too, and none twice", async () => {
    expect(await completed(["user", "list", "--r"])).toEqual(["words", "--role"]);
    expect(await completed(["user", "list", "--role", "admin", "--r"])).toEqual(["words"]);
    expect(await completed(["user", "list", "--data"])).toEqual(["words", "--data-dir"]);
  });

  test("is the values that an option or an operand takes", async () => {
    expect(await completed(["user", "list", "--role", ""])).toEqual(["words", "user", "admin"]);
    expect(await completed(["user", "list", "--role=ad"])).toEqual(["words", "--role=admin"]);
    expect(await completed(["user", "set-role", "ada@example.com", "a"])).toEqual(["words", "admin"]);
  });

  test("is the scopes that a token can have, each time that one is given", async () => {
    const first = ["token", "create", "--scope"];
    expect(await completed([...first, "users"])).toEqual(["words", "users:read", "users:write"]);
    expect(await completed([...first, "users:read", "--scope", "plugins:r"])).toEqual([
      "words",
      "plugins:read",
    ]);
  });

  test("is the words of commands that print JSON behind schema, those of shipped plugins too", async () => {
    const list = [{ name: "show", summary: "Shows", call: { method: "GET", path: "/" } as const }];
    const commands = completeCommands({ word: "notes", summary: "Notes", list }, "visitor-notes");
    const world = { pluginWords: [{ plugin: "visitor-notes", commands }] };
    expect(await completed(["schema", "us"], world)).toEqual(["words", "user"]);
    expect(await completed(["schema", "user", "set-r"], world)).toEqual(["words", "set-role"]);
    expect(await completed(["schema", "plugin", "settings", ""], world)).toEqual(["words", "get", "set"]);
    expect(await completed(["schema", "notes", ""], world)).toEqual(["words", "show"]);
    expect(await completed(["schema", "user", "list", ""], world)).toEqual(["words"]);
    for (const words of [["serv"], ["plugin", "dev"], ["nonsense", ""]])
      expect(await completed(["schema", ...words], world)).toEqual(["words"]);
  });

  test("is a file or a folder where a path is meant", async () => {
    expect(await completed(["plugin", "verify", ""])).toEqual(["files"]);
    expect(await completed(["plugin", "pack", ""])).toEqual(["folders"]);
    expect(await completed(["--data-dir", ""])).toEqual(["folders"]);
  });

  test("is settings and their values in turn; a secret has none to type", async () => {
    expect(await completed(["settings", "get", "core.security.t"])).toEqual([
      "words",
      "core.security.trustProxy",
    ]);
    expect(await completed(["settings", "set", "core.security.trustProxy", ""])).toEqual([
      "words",
      "true",
      "false",
    ]);
    const next = ["settings", "set", "credentials.redis.password", "core.security.trustProxy", "true"];
    expect(await completed([...next, "core.security.c"])).toEqual(["words", "core.security.corsEnabled"]);
  });

  test("is the places, snapshots and files that backups and snapshots are named by", async () => {
    expect(await completed(["backup", "schedule", "--to", ""])).toEqual(["words", "folder", "storage"]);
    expect(await completed(["restore", ""])).toEqual(["files"]);
    const made = { sizeBytes: 1, madeAt: "2026-11-21T14:30:00.000Z", before: null };
    const names = ["2026-11-21T14-30-00Z", "2026-11-20T14-30-00Z"];
    const listSnapshots = async () => names.map((name) => ({ ...made, name }));
    const world = { composition: { listSnapshots } };
    expect(await completed(["snapshot", "restore", ""], world)).toEqual(["words", ...names]);
    expect(await completed(["snapshot", "restore", "2026-11-21"], world)).toEqual(["words", names[0] ?? ""]);
  });

  test("is empty for unknown words, also when everything fails", async () => {
    expect(await completed(["nonsense", ""])).toEqual(["words"]);
    expect(await completed(["settings", "set", "core.rateLimiting.maxRequests", ""])).toEqual(["words"]);
    const broken = () => {
      throw new Error("no configuration");
    };
    expect(await completed(["plugin", "info", ""], { composition: { config: broken } })).toEqual(["words"]);
  });
});

describe("with a running server", () => {
  const plugin = { name: "visitor-notes", title: "Visitor notes", enabled: true, commandWord: "notes" };
  const commands = {
    word: "notes",
    summary: "notes of visitors",
    list: [{ name: "list", summary: "", description: "", arguments: [], options: [], examples: [] }].map(
      (command) => ({
        ...command,
        ...{ call: { method: "GET", path: "/", body: {} }, confirm: null, input: null, output: null },
      }),
    ),
  };
  const odd = ["$(touch hit)", "two words", "-yes", "a;b", "`x`", "é"];
  const tokens = ["ci", "old", "Old", ...odd].map((name, at) => ({
    id: `id-${at}`,
    name,
    hint: "ABCD",
    state: "live",
  }));
  const versions = ["1.1.0", "1.0.0"].map((version) => ({
    ...{ version, isCurrent: version === "1.1.0", sizeBytes: 1, uploadedAt: "2026-11-21T10:00:00.000Z" },
  }));
  const paths = {
    "/api/plugins": { get: { summary: "List plugins" } },
    "/api/notes/list.v2": { get: {}, delete: {} },
    "/api/notes/{id}": { get: {} },
    "/api/notes/$(touch hit)": { get: {} },
    "/api/notes/it's;x`y`": { get: {} },
  };
  const serve = (delayMs: number) =>
    Bun.serve({
      unix: join(folder, "control.sock"),
      fetch: async ({ url }) => {
        await Bun.sleep(delayMs);
        if (url.endsWith("/backups"))
          return success({
            backups: ["atrium-a.tar.zst", ...odd].map((name) => ({ name, place: "storage" })),
          });
        if (url.endsWith("/tokens")) return success({ tokens });
        if (url.endsWith("/swagger/json")) return Response.json({ openapi: "3.1.0", paths });
        return success(url.endsWith("/api/plugins") ? [plugin] : { ...plugin, commands, versions });
      },
    });
  const here = () => ({ env: { DATA_DIR: folder } });

  test("names of plugins and their commands are offered, also for a folder that the words name", async () => {
    const server = serve(0);
    try {
      await expectOffered(["plugin", "info", ""], here(), ["words", "visitor-notes"]);
      await expectOffered(["--data-dir", folder, "plugin", "disable", "v"], {}, ["words", "visitor-notes"]);
      await expectOffered(["no"], here(), ["words", "notes"]);
      for (const words of [["remove"], ["download"]])
        await expectOffered(["backup", ...words, ""], here(), ["words", "atrium-a.tar.zst"]);
      await expectOffered(["plugin", "discard", ""], here(), ["words", "visitor-notes"]);
      await expectOffered(["plugin", "discard", "visitor-notes", ""], here(), ["words", "1.0.0"]);
      await expectOffered(["notes", ""], here(), ["words", "list"]);
    } finally {
      await server.stop(true);
    }
  });

  test("paths of the API are offered behind a method, but for what shells would read otherwise", async () => {
    const server = serve(0);
    try {
      await expectOffered(["api", "GET", ""], here(), [
        ...["words", "/api/plugins", "/api/notes/list.v2", "/api/notes/"],
      ]);
      await expectOffered(["api", "DELETE", "/api/n"], here(), ["words", "/api/notes/list.v2"]);
    } finally {
      await server.stop(true);
    }
  });

  test("a token whose name shells would read otherwise, or that others have too, is offered by its id", async () => {
    const server = serve(0);
    try {
      await expectOffered(["token", "revoke", ""], here(), [
        ...["words", "ci", "id-1", "id-2"],
        ...odd.map((_, at) => `id-${at + 3}`),
      ]);
      const { out } = await run(["completion", "bash", "--", "token", "revoke", ""], here());
      expect(out.split("\n")).toContain("id-3\t$(touch hit) …ABCD, live");
    } finally {
      await server.stop(true);
    }
  });

  test("a server that is slow is not waited for", async () => {
    const server = serve(5_000);
    try {
      const startedAt = performance.now();
      expect(await completed(["plugin", "info", ""], here())).toEqual(["words"]);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    } finally {
      await server.stop(true);
    }
  });
});

test("bash completes with the script: words, values behind =, and nothing on standard error", async () => {
  const program = new URL("../../main.ts", import.meta.url).pathname;
  writeFileSync(join(folder, "atrium"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o700,
  });
  writeFileSync(join(folder, "odd $(touch hit)"), "");
  const script = `
    eval "$(atrium completion bash)"
    complete_line() {
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
      _atrium atrium
      echo "\${COMPREPLY[*]}"
    }
    complete_line atrium use
    complete_line atrium user list --role = a
    complete_line atrium --url https : //atrium.example doc
    complete_line atrium nonsense ''
    complete_line atrium plugin verify ./odd
    complete -p atrium`;
  const bash = Bun.spawn(["bash", "--norc", "-c", script], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: folder, PATH: `${folder}:${process.env.PATH}` },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(bash.stdout).text(), new Response(bash.stderr).text()]);
  expect(err).toBe("");
  expect(out.split("\n")).toEqual([
    "user",
    "admin",
    "doctor",
    "",
    "./odd\\ \\$\\(touch\\ hit\\)",
    "complete -F _atrium atrium",
    "",
  ]);
});
