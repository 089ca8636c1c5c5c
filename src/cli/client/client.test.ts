import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "bun";
import { isRoot, printedByNobody } from "#api/testing/other-user.ts";
import { refusal, run, success } from "#cli/testing/run.ts";
import { plainStatus } from "#cli/testing/system-status.ts";
import { createClient } from "./client.ts";
import type { Call } from "./transport.ts";

const info = {
  version: "1.2.3",
  startedAt: "2026-11-20T18:40:12.000Z",
  uptimeS: 3725,
  appUrl: "http://localhost:3000",
  node: { rssBytes: 72_000_000, cpus: 2 },
  database: { kind: "embedded", version: "18.6", sizeBytes: 41_000_000, latencyMs: 0.4 },
  mail: { transport: "outbox", waiting: 1, dead: 0 },
  users: { total: 3, admins: 1, pending: 1 },
};
const page = { users: [], pagination: { total: 0, limit: 25, offset: 0 } };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-cli-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

type Answer = (request: Request) => Response | Promise<Response>;

const listen = (
  place: { unix: string } | { port: 0; hostname: string },
  fetch: Answer,
): Server<undefined> => {
  const server = Bun.serve({ ...place, fetch });
  cleanups.push(() => server.stop(true));
  return server;
};

const inUse = (pid: number): Error =>
  Object.assign(new Error("in use"), { name: "DataFolderInUseError", pid });

test("a folder without an installation stays empty: only what begins one may make it", async () => {
  const composition = { hasDatabase: () => false };
  const { code, err, calls } = await run(["user", "list"], { composition });
  expect({ code, calls }).toEqual({ code: 3, calls: [] });
  expect(err).toContain("there is no installation in /nonexistent/atrium");
});

describe("a server that runs on the data folder", () => {
  test("is asked through its control socket, and nothing is opened here", async () => {
    const folder = newFolder();
    const seen: string[] = [];
    listen({ unix: join(folder, "control.sock") }, (request) => {
      seen.push(new URL(request.url).pathname);
      return success(page);
    });
    const { code, out, calls } = await run(["user", "list", "--json", "--data-dir", folder]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(page);
    expect(calls).toEqual([]);
    expect(seen).toEqual(["/api/health", "/api/admin/users"]);
  });

  test("is described by status, as text and as JSON", async () => {
    const folder = newFolder();
    listen({ unix: join(folder, "control.sock") }, ({ url }) => {
      // One of an older version, which tells nothing of its backups and its parts.
      if (/\/api\/(?:admin\/backups\/health|system\/readiness)$/.test(url))
        return Response.json(
          { success: false, code: "NOT_FOUND", message: "", requestId: "" },
          { status: 404 },
        );
      return success(url.endsWith("/api/system/status") ? plainStatus : info);
    });
    const plain = await run(["status"], { env: { DATA_DIR: folder } });
    expect(plain.out).toContain("Up\t1 h 2 min, since 2026-11-20 18:40Z\n");
    expect(plain.out).toContain("Accounts\t3, including 1 administrator; 1 pending registration\n");
    expect(plain.out).toContain("Database\tembedded, 18.6, 41.0 MB, responds in 0.4 ms\n");
    const { out } = await run(["status", "--json"], { env: { DATA_DIR: folder } });
    expect(JSON.parse(out)).toEqual({ ...info, ...plainStatus, backups: null, readiness: null });
  });

  test("sends the email of a command immediately", async () => {
    const folder = newFolder();
    listen({ unix: join(folder, "control.sock") }, () => success({ email: "ada@example.com" }));
    const { out } = await run(["user", "send-reset", "ada@example.com", "--data-dir", folder]);
    expect(out).toBe("A link to choose a new password is sent to ada@example.com\n");
  });

  test("that has left its socket behind counts as not running", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "control.sock"), "");
    const { code, calls } = await run(["user", "list"], {
      env: { DATA_DIR: folder },
      answer: () => success(page),
    });
    expect(code).toBe(0);
    expect(calls).toHaveLength(1);
  });

  test("that never answers ends the command with 3", async () => {
    const folder = newFolder();
    listen({ unix: join(folder, "control.sock") }, () => new Promise<Response>(() => {}));
    const { code, err } = await run(["status"], { env: { DATA_DIR: folder } });
    expect(code).toBe(3);
    expect(err).toContain("does not respond");
  });
});

describe("X2: a data folder that is in use without a control socket", () => {
  test("ends the command with 3, after a short wait, and names the process", async () => {
    let tries = 0;
    const startedAt = performance.now();
    const { code, err } = await run(["user", "list"], {
      composition: {
        openApp: () => {
          tries += 1;
          return Promise.reject(inUse(4711));
        },
      },
    });
    expect(code).toBe(3);
    expect(err).toContain("data directory in use by pid 4711");
    expect(err).toContain("control socket");
    expect(tries).toBeGreaterThan(1);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test("is waited for when its server is just starting: the command then asks that server", async () => {
    const folder = newFolder();
    const { code, calls } = await run(["user", "list"], {
      env: { DATA_DIR: folder },
      composition: {
        openApp: () => {
          listen({ unix: join(folder, "control.sock") }, () => success(page));
          return Promise.reject(inUse(4711));
        },
      },
    });
    expect({ code, calls }).toEqual({ code: 0, calls: [] });
  });

  test("ends serve with 75, as a port in use does, and an unusable key or configuration with 78", async () => {
    const startServer = (error: Error) => ({ composition: { startServer: () => Promise.reject(error) } });
    const taken = await run(["serve"], startServer(inUse(4711)));
    expect(taken).toMatchObject({ code: 75, out: "" });
    expect(taken.err).toMatch(/^error: data directory in use by pid 4711\n.*stop it first.*try again.*\n$/);
    const key = Object.assign(new Error("the key is too short"), { name: "UnusableKeyError" });
    expect(await run(["serve"], startServer(key))).toMatchObject({
      code: 78,
      err: "error: the key is too short\n",
    });
    const port = Object.assign(new Error("port 80 is in use by pid 4711"), { name: "PortInUseError" });
    expect(await run(["serve"], startServer(port))).toMatchObject({
      code: 75,
      err: "error: port 80 is in use by pid 4711\n",
    });
  });
});

describe("a server elsewhere", () => {
  test("gets the token as bearer, from the environment, a file or standard input", async () => {
    const folder = newFolder();
    const tokens: (string | null)[] = [];
    const server = listen({ port: 0, hostname: "127.0.0.1" }, (request) => {
      tokens.push(request.headers.get("authorization"));
      return success(page);
    });
    const url = `http://127.0.0.1:${server.port}`;
    writeFileSync(join(folder, "token"), "atr_file\n", { mode: 0o600 });
    await run(["user", "list", "--url", url], { env: { ATRIUM_TOKEN: "atr_environment" } });
    await run(["user", "list"], { env: { ATRIUM_URL: url, ATRIUM_TOKEN: "atr_environment" } });
    await run(["user", "list", "--url", url, "--token-file", join(folder, "token")]);
    await run(["user", "list", "--url", url, "--token-file", "-"], { input: "atr_input\n" });
    await run(["user", "list", "--url", url]);
    expect(tokens).toEqual([
      "Bearer atr_environment",
      "Bearer atr_environment",
      "Bearer atr_file",
      "Bearer atr_input",
      null,
    ]);
  });

  test("is not followed to another address, which would get the token", async () => {
    const elsewhere = listen({ port: 0, hostname: "127.0.0.1" }, () => success(page));
    let asked = 0;
    elsewhere.reload({
      fetch: () => {
        asked += 1;
        return success(page);
      },
    });
    const target = `http://127.0.0.1:${elsewhere.port}/`;
    const server = listen({ port: 0, hostname: "127.0.0.1" }, () => Response.redirect(target, 307));
    const { code, err } = await run(["user", "list", "--url", `http://127.0.0.1:${server.port}`], {
      env: { ATRIUM_TOKEN: "atr_x" },
    });
    expect(code).toBe(3);
    expect(err).toContain(`redirects to ${target}`);
    expect(asked).toBe(0);
  });

  test("that cannot be reached, or is something else, ends the command with 3", async () => {
    const gone = listen({ port: 0, hostname: "127.0.0.1" }, () => success(page));
    await gone.stop(true);
    const refused = await run(["status", "--url", `http://127.0.0.1:${gone.port}`]);
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 3, out: "" });
    expect(refused.err).toContain("cannot reach");
    const other = listen({ port: 0, hostname: "127.0.0.1" }, () => new Response("<h1>It works!</h1>"));
    const strange = await run(["status", "--url", `http://127.0.0.1:${other.port}`]);
    expect(strange.code).toBe(3);
    expect(strange.err).toContain("is not an Atrium server (status 200)");
  });

  test("that does not know the token ends the command with 3", async () => {
    const server = listen({ port: 0, hostname: "127.0.0.1" }, () =>
      refusal(401, "NOT_SIGNED_IN", "Please sign in"),
    );
    const { code, err } = await run(["status", "--url", `http://127.0.0.1:${server.port}`]);
    expect(code).toBe(3);
    expect(err).toContain("Please sign in: provide an API token in ATRIUM_TOKEN or with --token-file");
  });

  for (const [title, argv, env] of [
    ["plain http to another machine", ["status", "--url", "http://atrium.example"], {}],
    ["an address with a path", ["status", "--url", "https://atrium.example/api"], {}],
    ["an address that is none", ["status", "--url", "atrium.example"], {}],
    ["the same from the environment", ["status"], { ATRIUM_URL: "ftp://atrium.example" }],
    [
      "a token with a line break in it",
      ["status", "--url", "https://atrium.example"],
      { ATRIUM_TOKEN: "a\nb" },
    ],
    [
      "a token file that does not exist",
      ["status", "--url", "https://a.example", "--token-file", "/nowhere"],
      {},
    ],
  ] as [string, string[], Record<string, string>][]) {
    test(`is not called with ${title}: wrong usage`, async () => {
      const { code, out, err } = await run(argv, { env });
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).not.toBe("");
    });
  }
});

test("a control socket of another user is not asked: not allowed", async () => {
  // Root may open every socket; only another user meets this.
  const folder = newFolder();
  listen({ unix: join(folder, "control.sock") }, () => success(info));
  chmodSync(join(folder, "control.sock"), 0o600);
  chmodSync(folder, 0o755);
  const printed = await printedByNobody(
    { "{ isServerRunning }": join(import.meta.dir, "transport.ts") },
    `await isServerRunning(${JSON.stringify(join(folder, "control.sock"))}).then(
      (isRunning) => console.log("running", isRunning),
      (error) => console.log(error.kind),
    );`,
  );
  expect(printed.trim()).toBe(isRoot ? "FORBIDDEN" : "running true");
});

test("a call has a minute, unless its caller gives it as long as it takes or its operation may take long", async () => {
  const sent: Call[] = [];
  const client = createClient({
    target: "a server",
    isServer: true,
    send: async (call) => {
      sent.push(call);
      return success({ deletedCount: 0 });
    },
    startPlugin: async () => {},
    close: async () => {},
  });
  await client.ready({ timeoutMs: null });
  await client.ready();
  await client.operate("activity.cleanup", { days: 90 });
  await client.operate("activity.setRetention", { days: 90 });
  expect(sent.map(({ signal }) => signal === null)).toEqual([true, false, true, false]);
});
