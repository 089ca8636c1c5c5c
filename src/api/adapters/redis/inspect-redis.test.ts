import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { openRawServer } from "#api/testing/tcp-sink.ts";
import { inspectRedis } from "./run-redis-checks.ts";

const endings = endAfterEachTest();

/** Listens on a free port; `greet` is what the server does with a connection. */
const listen = async (greet: (socket: Socket) => void): Promise<number> => {
  const { port, close } = await openRawServer(greet);
  endings.push(close);
  return port;
};

/** Answers every command with the same line; commands arrive as arrays, several at the same time. */
const answering = (line: string) => (socket: Socket) =>
  void socket.on("data", (chunk) => {
    const commands = String(chunk).match(/^\*\d+\r$/gm) ?? [];
    socket.write(`${line}\r\n`.repeat(commands.length));
  });

const problemAt = async (url: string, limitMs?: number) => {
  const report = await inspectRedis({ url, password: null }, limitMs);
  expect(JSON.stringify(report)).not.toContain("hunter2");
  return report.isUsable ? "none" : report.reason;
};

describe("a Redis server that cannot be used is explained in words", () => {
  test("when no one listens, or the name is unknown", async () => {
    expect(await inspectRedis({ url: "redis://127.0.0.1:1/0", password: "hunter2" })).toEqual({
      server: "127.0.0.1:1",
      isUsable: false,
      reason: "connection refused",
    });
    expect(await problemAt("redis://:hunter2@redis.invalid")).toMatch(
      /unknown host name|could not be resolved/,
    );
    expect(await inspectRedis({ url: "redis://[::1]:1", password: null })).toMatchObject({
      server: "[::1]:1",
    });
  });

  test("when it stays silent", async () => {
    const port = await listen(() => {});
    expect(await problemAt(`redis://:hunter2@127.0.0.1:${port}`, 200)).toBe("no response in time");
  });

  test("when it hangs up", async () => {
    const port = await listen((socket) => socket.destroy());
    expect(await problemAt(`redis://:hunter2@127.0.0.1:${port}`)).toBe("it closed the connection");
  });

  test.each([
    ["-WRONGPASS invalid username-password pair or user is disabled: hunter2", "wrong user name or password"],
    ["-NOAUTH Authentication required.", "it requires a password"],
    [
      "-NOPERM this user has no permissions to run the 'info' command",
      "the user may not run the required commands",
    ],
    ["-LOADING Redis is loading the dataset in memory", "it is still loading its data"],
    ["-STRANGE hunter2", "it failed (STRANGE)"],
    ["SSH-2.0-OpenSSH hunter2", "the server is not Redis"],
  ])("when it answers %s", async (line, reason) => {
    const port = await listen(answering(line));
    expect(await problemAt(`redis://:hunter2@127.0.0.1:${port}`, 1_000)).toBe(reason);
  });

  test("when plain text answers where TLS is asked for", async () => {
    const port = await listen((socket) => void socket.write("+PONG\r\n"));
    expect(await problemAt(`rediss://:hunter2@127.0.0.1:${port}`, 1_000)).toMatch(/TLS|closed/);
  });
});
