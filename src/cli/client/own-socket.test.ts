import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asReader, describeAsRoot, nobody } from "#api/testing/other-user.ts";
import { atOwnSocket, fetchOwn, isServerRunning, strangerAt } from "./transport.ts";

const [stranger, caller] = [nobody, 1];
const url = "http://localhost/";

let folder = "";
let calls: string[] = [];
let servers: ReturnType<typeof Bun.serve>[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-socket-"));
  [calls, servers] = [[], []];
});

afterEach(async () => {
  for (const server of servers) await server.stop(true);
  rmSync(folder, { recursive: true });
});

/** A server at a socket of this name in the folder, which answers with its name; returns the socket's path. */
const listen = (name: string): string => {
  const unix = join(folder, name);
  mkdirSync(join(unix, ".."), { recursive: true });
  const fetch = async (request: Request) => {
    calls.push(`${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({ success: true, data: { name } });
  };
  servers.push(Bun.serve({ unix, fetch }));
  return unix;
};

const nameAt = async (unix: string): Promise<unknown> =>
  (await (await fetch(url, { unix, keepalive: false })).json()).data.name;

test("a link in the socket's place is not followed", async () => {
  symlinkSync(listen("elsewhere.sock"), join(folder, "control.sock"));
  await expect(isServerRunning(join(folder, "control.sock"))).rejects.toMatchObject({ kind: "FORBIDDEN" });
  expect(calls).toEqual([]);
});

test.if(process.platform === "linux")(
  "the socket that was looked at is called, whatever takes its place",
  async () => {
    const [socket, other] = [listen("control.sock"), listen("other.sock")];
    const name = await atOwnSocket(socket, (unix) => {
      renameSync(other, socket);
      return nameAt(unix);
    });
    expect(name).toBe("control.sock");
    expect(await atOwnSocket(socket, nameAt)).toBe("other.sock");
  },
);

test("a kept connection is never taken for another socket's", async () => {
  const sockets = [listen("one.sock"), listen("two.sock")];
  for (const socket of [...sockets, ...sockets])
    expect((await (await fetchOwn(socket, url, {})).json()).data.name).toBe(socket.split("/").at(-1));
});

describe("who is trusted with a socket", () => {
  const folderOf = (uid: number, mode: number) => ({ uid, mode });
  const asked = (user: number, owner: number, dataFolder: { uid: number; mode: number }, isPinned = true) =>
    strangerAt({ user, socket: { uid: owner }, folder: dataFolder, isPinned });

  test("the caller and root, and for root the owner of the folder", () => {
    expect(asked(1000, 1000, folderOf(1000, 0o700))).toBeNull();
    expect(asked(1000, 0, folderOf(0, 0o755))).toBeNull();
    expect(asked(0, 990, folderOf(990, 0o700))).toBeNull();
    expect(asked(1000, 1001, folderOf(1000, 0o700))).toBe(1001);
    expect(asked(1000, 1001, folderOf(1001, 0o777))).toBe(1001);
    expect(asked(0, 1001, folderOf(990, 0o700))).toBe(1001);
    expect(asked(0, 1001, folderOf(0, 0o777))).toBe(1001);
  });

  test("an open volume's socket as well, where it cannot be replaced after the look", () => {
    expect(asked(65_532, 65_532, folderOf(0, 0o777))).toBeNull();
    expect(asked(65_532, 65_532, folderOf(0, 0o777), false)).toBe(0);
    expect(asked(65_532, 65_532, folderOf(0, 0o775), false)).toBe(0);
    expect(asked(65_532, 65_532, folderOf(0, 0o1777), false)).toBeNull();
    expect(asked(65_532, 65_532, folderOf(1001, 0o755), false)).toBe(1001);
    expect(asked(65_532, 65_532, folderOf(65_532, 0o700), false)).toBeNull();
  });
});

describeAsRoot("X2: another user's socket", () => {
  const mainFile = join(import.meta.dir, "../main.ts");

  /** Runs the program in the folder as another user, with what it reads from standard input. */
  const atrium = async (argv: string[], input = "", env: Record<string, string> = {}) => {
    const child = Bun.spawn([...asReader(caller), process.execPath, "--no-env-file", mainFile, ...argv], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: folder, PORT: "0", ...env },
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
      // A server that is let through ends as well.
      timeout: 20_000,
    });
    const [code, out, err] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code, out, err };
  };

  test("gets no password and no call, and the caller reads whose it is", async () => {
    chmodSync(folder, 0o755);
    const socket = listen("data/control.sock");
    for (const path of [join(folder, "data"), socket]) {
      chmodSync(path, 0o777);
      chownSync(path, stranger, stranger);
    }
    const argvs = [
      ["admin", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"],
      ["settings", "set", "credentials.redis.password", "--stdin"],
    ];
    for (const argv of argvs) {
      const { code, err } = await atrium(argv, "correct-horse-battery\n");
      expect(code).toBe(3);
      expect(err).toContain(`${socket} is controlled by another user, nobody: nothing was sent`);
      expect(err).toContain("--data-dir");
    }
    const { checks } = JSON.parse((await atrium(["doctor", "--json"])).out);
    const failed = checks.filter(({ state }: { state: string }) => state === "fail");
    expect(failed.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["server", "data folder"]),
    );
    expect(calls).toEqual([]);
  });

  test("is called by root where the data folder is that user's, and nowhere else", async () => {
    const socket = listen("data/control.sock");
    chownSync(socket, stranger, stranger);
    await expect(isServerRunning(socket)).rejects.toMatchObject({ kind: "FORBIDDEN" });
    expect(calls).toEqual([]);
    chownSync(join(folder, "data"), stranger, stranger);
    expect(await isServerRunning(socket)).toBe(true);
  });

  for (const [title, env] of [
    ["with the embedded database", {}],
    ["with PostgreSQL", { DATABASE_URL: "postgres://atrium@127.0.0.1:1/atrium" }],
  ] as [string, Record<string, string>][])
    test(`has no server beside it: serve is refused in that user's folder, ${title}`, async () => {
      chmodSync(folder, 0o755);
      mkdirSync(join(folder, "data"));
      chmodSync(join(folder, "data"), 0o777);
      chownSync(join(folder, "data"), stranger, stranger);
      const { code, err } = await atrium(["serve"], "", env);
      expect(code).toBe(78);
      expect(err).toContain(`${join(folder, "data")} belongs to nobody, who could replace everything in it`);
      expect(readdirSync(join(folder, "data"))).toEqual([]);
    });
});
