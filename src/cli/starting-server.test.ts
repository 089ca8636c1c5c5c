import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#api/testing/until.ts";

setDefaultTimeout(60_000);

const mainFile = join(import.meta.dir, "main.ts");
let folder = "";
const running = new Set<Bun.Subprocess>();

afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exited));
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

const start = (argv: string[], env: Record<string, string>) =>
  Bun.spawn([process.execPath, "--no-env-file", mainFile, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, PORT: "0", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });

/** A server that waits for its PostgreSQL server, and what commands on its data folder say. */
const waitingServer = async () => {
  folder = mkdtempSync(join(tmpdir(), "atrium-starting-"));
  const dataDir = join(folder, "data");
  const socket = join(dataDir, "control.sock");
  const port = closedPort();
  const env = { DATA_DIR: dataDir, DATABASE_URL: `postgres://app@127.0.0.1:${port}/app` };
  const child = start(["serve"], env);
  running.add(child);
  const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const isThere = () =>
    fetch("http://localhost/api/health", { unix: socket }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isThere, 20_000);
  const atrium = async (...argv: string[]) => {
    const command = start(argv, env);
    const [code, out, err] = await Promise.all([
      command.exited,
      new Response(command.stdout).text(),
      new Response(command.stderr).text(),
    ]);
    return { code, out, err };
  };
  return { child, said, socket, port, atrium };
};

const closedPort = (): number => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  listener.stop(true);
  return listener.port;
};

test("a server that waits for its database is alive, and `status` says that it is starting", async () => {
  const { socket, atrium, child } = await waitingServer();
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(await atrium("status", "--live")).toEqual({ code: 0, out: "alive\n", err: "" });
  const status = await atrium("status");
  expect(status).toMatchObject({ code: 1, out: "" });
  expect(status.err).toContain("the server is running; it is starting");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(existsSync(socket)).toBe(false);
});

test("other commands are told meanwhile to come again, with 3, and none opens the database beside it", async () => {
  const { atrium } = await waitingServer();
  for (const argv of [
    ["user", "list"],
    ["backup", "--out", "-"],
    ["plugin", "list"],
  ]) {
    const { code, out, err } = await atrium(...argv);
    expect([argv, code, out]).toEqual([argv, 3, ""]);
    expect(err).toContain("The server is starting, please try again in a moment");
  }
  expect((await atrium("snapshot", "list")).err).toContain("Only the embedded database has snapshots");
});

test("a start that is refused after it has waited leaves no socket behind", async () => {
  const { child, said, socket, port } = await waitingServer();
  const refusal = "SFATAL\0C3D000\0Mno such database\0\0";
  const answer = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(refusal)]);
  answer.writeUInt32BE(refusal.length + 4, 1);
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port,
    socket: { data: (connection) => void connection.end(answer) },
  });
  try {
    expect(await child.exited).not.toBe(0);
  } finally {
    listener.stop(true);
  }
  expect((await said).join("")).toContain('has no database "app"');
  expect(existsSync(socket)).toBe(false);
});

test("after a server was killed while it waited, its socket means that none runs", async () => {
  const { child, socket, atrium } = await waitingServer();
  child.kill("SIGKILL");
  await child.exited;
  expect(existsSync(socket)).toBe(true);
  const { code, err } = await atrium("status");
  expect([code, err]).toEqual([3, expect.stringContaining("no server is running")]);
});
