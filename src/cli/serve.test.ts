import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inOrder } from "#api/testing/in-order.ts";

// A new embedded database takes seconds where no ready-made one has been built.
setDefaultTimeout(90_000);

const mainFile = join(import.meta.dir, "main.ts");
const password = "correct-horse-battery";
const folder = mkdtempSync(join(tmpdir(), "atrium-serve-"));
const dataDir = join(folder, "data");

const start = (argv: string[], env: Record<string, string> = {}) =>
  Bun.spawn([process.execPath, "--no-env-file", mainFile, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, DATA_DIR: dataDir, PORT: "0", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });

/** Runs a command to its end. */
const atrium = async (argv: string[], input = "", env: Record<string, string> = {}) => {
  const child = start(argv, env);
  child.stdin.write(input);
  child.stdin.end();
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
};

/** A port at which nobody answers. */
const closedPort = (): number => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  listener.stop(true);
  return listener.port;
};

type Serving = {
  url: string;
  lines: string[];
  /** Resolves to the exit code, and what was printed meanwhile. */
  stop: (signal?: "SIGTERM" | "SIGINT") => Promise<{ code: number; said: string }>;
};

const running = new Set<ReturnType<typeof start>>();

/** Starts a server and waits for the last line of its start. */
const serve = async (env: Record<string, string> = {}): Promise<Serving> => {
  const child = start(["serve"], env);
  running.add(child);
  const failed = new Response(child.stderr).text();
  const decoder = new TextDecoder();
  const reader = child.stdout.getReader();
  let text = "";
  while (!/^atrium listening on .+\n/m.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the server ended: ${text}${await failed}`);
    text += decoder.decode(value, { stream: true });
  }
  const lines = text.trim().split("\n");
  return {
    url: /^atrium listening on (.+)$/m.exec(text)?.[1] ?? "",
    lines,
    stop: async (signal = "SIGTERM") => {
      running.delete(child);
      child.kill(signal);
      // What is still logged must be read, or the pipe would hold the server up.
      let said = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        said += decoder.decode(value, { stream: true });
      }
      return { code: await child.exited, said };
    },
  };
};

const createAdmin = (email: string) =>
  atrium(["admin", "create", "--email", email, "--name", "Ada", "--password-stdin", "--json"], password);

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exited));
  rmSync(folder, { recursive: true, force: true });
});

// One folder is lived in from the first start on.
const step = inOrder();

describe("the first start on an empty folder", () => {
  let server: Serving;

  step("ends with one line that names the address, which is ready", async () => {
    server = await serve();
    expect(server.lines.at(-1)).toBe(`atrium listening on ${server.url}`);
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
  });

  step("prints a link that creates the first admin", () => {
    expect(server.lines.join("\n")).toMatch(/^ {2}http:\/\/localhost:\d+\/setup\?token=[\w-]{43}$/m);
  });

  step("makes a data folder and a control socket for its owner alone", () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "control.sock")).mode & 0o777).toBe(0o600);
  });

  step("X2: commands ask the running server", async () => {
    expect(await createAdmin("ada@example.com")).toMatchObject({ code: 0, err: "" });
    const list = await atrium(["user", "list", "--json"]);
    expect(JSON.parse(list.out).users.map(({ email }: { email: string }) => email)).toEqual([
      "ada@example.com",
    ]);
    const status = await atrium(["status", "--json"]);
    expect(JSON.parse(status.out)).toMatchObject({
      database: { kind: "embedded" },
      users: { total: 1, admins: 1 },
      redis: { state: "unused" },
      storage: { home: "database" },
    });
    expect((await atrium(["migrate"])).out).toContain("applied all migrations when it started");
    const doctor = await atrium(["doctor", "--json"]);
    expect(doctor.code).toBe(0);
    expect(JSON.parse(doctor.out).checks).toContainEqual(
      expect.objectContaining({ name: "server", detail: "running" }),
    );
    expect(JSON.parse(doctor.out).checks).toContainEqual(
      expect.objectContaining({
        name: "visitors",
        detail: expect.stringMatching(/^(?:the latest visitor|no visitors)/),
      }),
    );
  });

  step("an address that is taken already is a conflict: 1, with the request's id", async () => {
    const { code, out, err } = await createAdmin("ADA@example.com");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(JSON.parse(err)).toMatchObject({
      success: false,
      code: "CONFLICT",
      requestId: expect.any(String),
    });
  });

  step("the new admin can sign in immediately", async () => {
    const response = await fetch(`${server.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password }),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ user: { role: "admin", emailVerified: true } });
  });

  step("X5: SIGTERM ends it with 0, it says so and when it has, and the socket is gone", async () => {
    const { code, said } = await server.stop();
    expect(code).toBe(0);
    const lines = said.trim().split("\n");
    expect(lines.filter((line) => line.includes('"stopping when requests in progress'))).toHaveLength(1);
    expect(lines.at(-1)).toContain('"message":"stopped"');
    expect(existsSync(join(dataDir, "control.sock"))).toBe(false);
    expect((await atrium(["status"])).code).toBe(3);
  });
});

describe("without a server, on the same folder", () => {
  step("commands find what was written, and write themselves", async () => {
    expect(await createAdmin("eve@example.com")).toMatchObject({ code: 0, err: "" });
    const { out } = await atrium(["user", "list"]);
    expect(out.split("\n").map((line) => line.split("\t")[0])).toEqual([
      "eve@example.com",
      "ada@example.com",
      "",
    ]);
  });

  step(
    "the database is up to date, and doctor finds nothing broken but that there is no backup",
    async () => {
      expect(await atrium(["migrate"])).toMatchObject({ code: 0, out: "The database is up to date.\n" });
      const { out } = await atrium(["migrate", "--status", "--json"]);
      expect(JSON.parse(out)).toMatchObject({ isServerRunning: false, pending: 0 });
      const doctor = await atrium(["doctor", "--json"]);
      const complaints = JSON.parse(doctor.out).checks.filter(
        ({ state }: { state: string }) => state !== "ok",
      );
      // Nobody has made a backup of what began a moment ago.
      expect(complaints).toMatchObject([{ name: "backups", state: "warn" }]);
    },
  );

  step("doctor tries the Redis server that is saved, as it goes before REDIS_URL", async () => {
    const [saved, given] = [`127.0.0.1:${closedPort()}`, `127.0.0.1:${closedPort()}`];
    const endpoint = ["settings", "set", "credentials.redis.endpoint"];
    const env = { REDIS_URL: `redis://${given}` };
    expect(await atrium([...endpoint, `redis://${saved}`])).toMatchObject({ code: 0 });
    try {
      const { code, out } = await atrium(["doctor"], "", env);
      expect(code).toBe(1);
      expect(out).toContain(`Redis: ${saved}, from the settings, can't be used: connection refused`);
      expect(out).not.toContain(`Redis: ${given}`);
    } finally {
      expect(await atrium([...endpoint, ""])).toMatchObject({ code: 0 });
    }
    const { out } = await atrium(["doctor"], "", env);
    expect(out).toContain(`Redis: ${given}, from REDIS_URL, can't be used: connection refused`);
  });

  step("a server with accounts prints no setup link, and SIGINT ends it with 0", async () => {
    const server = await serve();
    expect(server.lines.join("\n")).not.toContain("/setup?token=");
    expect((await server.stop("SIGINT")).code).toBe(0);
  });

  step(
    "X5: a request in progress delays the end, and a second signal ends the server immediately",
    async () => {
      const server = await serve();
      const { hostname, port } = new URL(server.url);
      const half =
        "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{";
      const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } });
      socket.write(half);
      await fetch(`${server.url}/api/health`);
      const ended = server.stop();
      expect(await Promise.race([ended, Bun.sleep(700).then(() => "draining")])).toBe("draining");
      expect((await server.stop()).code).toBe(128 + 15);
      socket.end();
    },
  );

  step("another key than the database was made with is refused with 78", async () => {
    const child = start(["serve"], { APP_SECRET: "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi" });
    const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    expect(code).toBe(78);
    expect(err).toContain("key");
    expect(err).not.toContain("q7Yt2k");
  });
});

test("X4: a server whose PostgreSQL server is away waits for it and says so, and a signal ends the wait", async () => {
  const away = { DATA_DIR: join(folder, "waiting"), DATABASE_URL: "postgres://app@127.0.0.1:1/app" };
  const child = start(["serve"], away);
  running.add(child);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("waiting for the database");
  expect(child.exitCode).toBeNull();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  running.delete(child);
});
