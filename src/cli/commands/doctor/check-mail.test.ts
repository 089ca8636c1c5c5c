import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { checkMail } from "./check-services.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

/** Listens on a free port; `greet` is what the server does first. */
const listen = async (greet: (socket: Socket) => void): Promise<number> => {
  const server = createServer(greet);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
};

describe("the mail server", () => {
  test("is fine when it responds; neither user name nor password is sent, nor shown", async () => {
    const logins: string[] = [];
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      onAuth: (auth, _session, done) => {
        logins.push(auth.username ?? "");
        done(null, { user: auth.username });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", () => resolve()));
    cleanups.push(() => new Promise<void>((resolve) => smtp.close(resolve)));
    const address = smtp.server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const check = await checkMail(`smtp://ada:hunter2@127.0.0.1:${port}`);
    expect(check).toMatchObject({
      name: "mail",
      state: "ok",
      detail: expect.stringContaining(`127.0.0.1:${port} responds`),
    });
    expect(JSON.stringify(check)).not.toContain("hunter2");
    expect(logins).toEqual([]);
  });

  test("may be absent: emails are then saved to the outbox folder", async () => {
    expect(await checkMail(null)).toMatchObject({ state: "ok", detail: expect.stringContaining("outbox") });
  });

  test("fails when nothing listens, when the name is unknown, and when something else answers", async () => {
    const port = await listen((socket) => socket.end("SSH-2.0-OpenSSH canarybanner\r\n"));
    const other = await checkMail(`smtp://127.0.0.1:${port}`);
    expect(other).toMatchObject({ state: "fail", detail: expect.stringContaining("is not a mail server") });
    expect(JSON.stringify(other)).not.toContain("canarybanner");
    expect((await checkMail("smtp://127.0.0.1:1")).detail).toContain("connection refused");
    expect((await checkMail("smtp://mail.invalid:25")).state).toBe("fail");
    const mute = await listen((socket) => socket.end());
    expect((await checkMail(`smtp://127.0.0.1:${mute}`)).detail).toContain("without a greeting");
  });

  test("fails when the server stays silent", async () => {
    const port = await listen(() => {});
    expect(await checkMail(`smtp://127.0.0.1:${port}`, 100)).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("timeout while waiting for a greeting"),
    });
  });

  test("fails when TLS is asked for and plain text answers", async () => {
    const port = await listen((socket) => void socket.write("220 plain\r\n"));
    expect((await checkMail(`smtps://127.0.0.1:${port}`)).state).toBe("fail");
  });
});
