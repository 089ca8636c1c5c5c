import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { success } from "./testing/run.ts";

const mainFile = join(import.meta.dir, "main.ts");
const password = "correct-horse-battery";
const ada = {
  id: "1",
  name: "Ada",
  email: "ada@example.com",
  role: "admin",
  createdAt: "2026-11-20T18:40:12.000Z",
};
const page = {
  users: [{ ...ada, emailVerified: true, disabled: false, lastSeenAt: null }],
  pagination: { total: 1, limit: 25, offset: 0 },
};

let folder = "";
let bodies: unknown[] = [];
let calls: string[] = [];
let server: ReturnType<typeof startApi>;

const startApi = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      calls.push(`${request.method} ${pathname}`);
      if (pathname.endsWith(ada.email)) return success({ ...ada, sessionCount: 0 });
      if (request.method === "GET") return success(page);
      bodies.push(await request.json());
      return success(ada, 201);
    },
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-main-"));
  [bodies, calls] = [[], []];
  server = startApi();
});

afterEach(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

const environment = (env: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: folder,
  TERM: "xterm-256color",
  DATA_DIR: join(folder, "data"),
  ...env,
});

/** Runs the program with pipes. Bun's own reading of `.env` is off, as it is in the executable. */
const atrium = async (argv: string[], env: Record<string, string> = {}) => {
  const child = Bun.spawn([process.execPath, "--no-env-file", mainFile, ...argv], {
    cwd: folder,
    env: environment(env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
};

/** Runs the program on a terminal of its own; each text is typed once its prompt has been shown. */
const atriumOnTerminal = async (
  argv: string[],
  answers: [prompt: string, typed: string][] = [],
  env: Record<string, string> = {},
) => {
  let screen = "";
  const waiting = [...answers];
  const child = Bun.spawn([process.execPath, "--no-env-file", mainFile, ...argv], {
    cwd: folder,
    env: environment(env),
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, data) => {
        screen += Buffer.from(data).toString();
        const next = waiting[0];
        if (!next || !screen.includes(next[0])) return;
        waiting.shift();
        terminal.write(next[1]);
      },
    },
  });
  const code = await child.exited;
  return { code, screen };
};

const createAda = () => [
  ...["admin", "create", "--email", "ada@example.com", "--name", "Ada"],
  ...["--url", `http://127.0.0.1:${server.port}`],
];

describe("the password prompt on a terminal", () => {
  test("asks twice, shows nothing of what is typed, and sends it", async () => {
    const { code, screen } = await atriumOnTerminal(createAda(), [
      ["Password: ", `${password}\r`],
      ["Repeat the password: ", `${password}\r`],
    ]);
    expect(code).toBe(0);
    expect(screen).toContain("Created the administrator Ada <ada@example.com>");
    expect(screen).not.toContain("correct");
    expect(bodies).toEqual([{ email: "ada@example.com", name: "Ada", password, role: "admin" }]);
  });

  test("lets the typist correct with backspace and Ctrl-U, in any script", async () => {
    const { code } = await atriumOnTerminal(createAda(), [
      ["Password: ", "wrong\u0015pässwörd-密码xx\u007f\u007f\r"],
      ["Repeat the password: ", "pässwörd-密码\n"],
    ]);
    expect(code).toBe(0);
    expect(bodies).toEqual([expect.objectContaining({ password: "pässwörd-密码" })]);
  });

  test("takes both lines when they are pasted together", async () => {
    const { code } = await atriumOnTerminal(createAda(), [["Password: ", `${password}\r${password}\r`]]);
    expect(code).toBe(0);
    expect(bodies).toHaveLength(1);
  });

  test("refuses two that differ, and sends nothing", async () => {
    const { code, screen } = await atriumOnTerminal(createAda(), [
      ["Password: ", `${password}\r`],
      ["Repeat the password: ", `${password}?\r`],
    ]);
    expect(code).toBe(2);
    expect(screen).toContain("Passwords do not match");
    expect(bodies).toEqual([]);
  });

  test("ends on Ctrl-C, and sends nothing", async () => {
    const { code, screen } = await atriumOnTerminal(createAda(), [["Password: ", "half\u0003"]]);
    expect(code).toBe(1);
    expect(screen).toContain("canceled; nothing was changed");
    expect(bodies).toEqual([]);
  });

  test("is not shown where there is no terminal: wrong usage", async () => {
    const { code, out, err } = await atrium(createAda());
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("--password-stdin");
    expect(bodies).toEqual([]);
  });
});

describe("the question before what cannot be taken back", () => {
  const remove = () => ["user", "delete", "ada@example.com", "--url", `http://127.0.0.1:${server.port}`];

  test("names the account and shows what is typed and corrected", async () => {
    const { code, screen } = await atriumOnTerminal(remove(), [
      ["[y/N]: ", "no\u007f\u007fye\u007fq\u0015yes\r"],
    ]);
    expect(code).toBe(0);
    expect(screen).toContain("Delete Ada <ada@example.com> permanently? [y/N]: yes");
    expect(screen).toContain("Deleted Ada <ada@example.com>");
    expect(calls).toEqual([
      "GET /api/admin/users/ada@example.com",
      "DELETE /api/admin/users/ada@example.com",
    ]);
  });

  test("ends on Ctrl-C, and nothing is deleted", async () => {
    const { code, screen } = await atriumOnTerminal(remove(), [["[y/N]: ", "\u0003"]]);
    expect(code).toBe(1);
    expect(screen).toContain("canceled; nothing was changed");
    expect(calls).toEqual(["GET /api/admin/users/ada@example.com"]);
  });
});

describe("tables and color", () => {
  const list = () => ["user", "list", "--url", `http://127.0.0.1:${server.port}`];

  test("appear on a terminal", async () => {
    const { code, screen } = await atriumOnTerminal(list());
    expect(code).toBe(0);
    expect(screen).toContain("EMAIL");
    expect(screen).toContain("\u001b[1m");
  });

  test("are as wide as the terminal at most", async () => {
    const { name, ...rest } = page.users[0] ?? { name: "" };
    server.reload({
      fetch: () => success({ ...page, users: [{ ...rest, name: `${name} ${"of Lovelace ".repeat(20)}` }] }),
    });
    const { screen } = await atriumOnTerminal(list(), [], { NO_COLOR: "1" });
    expect(screen).toContain("Ada of Lovelace");
    for (const line of screen.split(/\r?\n/)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(100);
  });

  test("NO_COLOR keeps the table without its color", async () => {
    const { screen } = await atriumOnTerminal(list(), [], { NO_COLOR: "1" });
    expect(screen).toContain("EMAIL");
    expect(screen).not.toContain("\u001b[");
  });

  test("are left out in a pipe, and errors stay out of standard output", async () => {
    const { code, out, err } = await atrium(list());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe("ada@example.com\tAda\tadmin\tverified\tnever\t2026-11-20 18:40Z\n");
  });
});

test("run by its name in a clone, --json leaves nothing but JSON on standard error", async () => {
  // Whoever runs it has Bun on their path, unlike whoever runs this.
  symlinkSync(process.execPath, join(folder, "bun"));
  const child = Bun.spawn([process.execPath, "run", "atrium", "stauts", "--json"], {
    cwd: join(import.meta.dir, "../.."),
    env: environment({ PATH: `${folder}:${process.env.PATH}` }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([code, out]).toEqual([2, ""]);
  expect(JSON.parse(err)).toMatchObject({ success: false, code: "USAGE" });
});

describe("M1: serve with an unusable environment", () => {
  test("ends with 78, one line for each problem and no secret, and touches nothing", async () => {
    const { code, out, err } = await atrium(["serve"], {
      PORT: "http",
      APP_URL: "http://atrium.example",
      APP_SECRET: "change-me-change-me-change-me-hunter2",
      DATABASE_URL: "mysql://ada:hunter2@db/atrium",
      LOG_LEVEL: "loud",
    });
    expect({ code, out }).toEqual({ code: 78, out: "" });
    const lines = err.trim().split("\n");
    expect(lines[0]).toBe("error: the configuration is invalid");
    expect(lines.slice(1).map((line) => line.trim().split(":")[0])).toEqual([
      "PORT",
      "APP_URL",
      "DATABASE_URL",
      "APP_SECRET",
      "LOG_LEVEL",
    ]);
    expect(err).toContain('PORT: is "http"; expected a whole number');
    expect(err).not.toContain("hunter2");
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  for (const [title, env] of Object.entries({
    "a placeholder secret": { APP_SECRET: "changemechangemechangemechangeme" },
    "a short secret": { APP_SECRET: "s3cret" },
    "plain http for a public address": { APP_URL: "http://atrium.example" },
  })) {
    test(`refuses ${title} with 78 in plain text`, async () => {
      const { code, out, err } = await atrium(["serve"], env);
      expect({ code, out }).toEqual({ code: 78, out: "" });
      expect(err).toContain(Object.keys(env).join());
    });
  }

  test("refuses a data folder that cannot be one, names it and says what to do", async () => {
    writeFileSync(join(folder, "taken"), "a file");
    for (const dataDir of [join(folder, "taken"), join(folder, "taken", "data")]) {
      const { code, out, err } = await atrium(["serve"], { DATA_DIR: dataDir });
      expect({ code: code !== 0, out }).toEqual({ code: true, out: "" });
      expect(err).toContain(dataDir);
      expect(err).toContain("DATA_DIR");
    }
  });

  test("reads .env in the working directory, and the environment wins", async () => {
    writeFileSync(join(folder, ".env"), "LOG_LEVEL=loud\nPORT=http\n");
    const { code, err } = await atrium(["serve"], { PORT: "0" });
    expect(code).toBe(78);
    expect(err).toContain('LOG_LEVEL: is "loud"');
    expect(err).not.toContain("PORT");
  });

  test("other commands fail with 1, and doctor says which variables are at fault", async () => {
    expect((await atrium(["user", "list"], { PORT: "http" })).code).toBe(1);
    const { code, out } = await atrium(["doctor", "--json"], { PORT: "http" });
    expect(code).toBe(1);
    expect(JSON.parse(out).checks[0]).toMatchObject({ name: "configuration", state: "fail" });
    expect(JSON.parse(out).checks[0].detail).toContain("PORT");
  });
});
