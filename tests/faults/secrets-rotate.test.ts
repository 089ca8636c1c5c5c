import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { controlSocketIn } from "#api/config.ts";
import { contactMessages, mails } from "#api/db/schema.ts";
import { fillSealed, openedBy, operatorWith, settingPlace } from "#api/testing/sealed-world.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { dataPlaces } from "../driver/databases.ts";
import { readRows } from "../driver/read-rows.ts";
import { runCommand } from "../driver/run-command.ts";
import {
  removeFolder,
  type ServerProcess,
  StartFailure,
  startServer,
  temporaryFolder,
} from "../driver/start-server.ts";

const kills = sized(5, 50);
const storedMails = sized(900, 6_000);
/** A slice of mails is as large; all that lies sealed besides them is less. */
const sliceSize = 200;
const written = settingPlace("redis.password");
const newKey = () => randomBytes(32).toString("hex");
const boxOf = (key: string) => createSecretBox(new TextEncoder().encode(key));

/** Calls as the operator. */
const call = (dataDir: string, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`http://localhost${path}`, {
    unix: controlSocketIn(dataDir),
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });

/** Changes the key slice by slice until the server is gone; resolves to whether it came to the end. */
const rotate = async ({ dataDir }: ServerProcess, onSlice: (resealed: number) => void): Promise<boolean> => {
  try {
    for (let after: unknown = ""; ; ) {
      const answer = await call(dataDir, "POST", "/api/system/secrets/rotate", after === "" ? {} : { after });
      const { data } = (await answer.json()) as {
        data: { resealed: number; after: unknown; isComplete: boolean };
      };
      onSlice(data.resealed);
      if (data.isComplete) return true;
      after = data.after;
    }
  } catch {
    // Killed in the middle.
    return false;
  }
};

/** Writes messages, each of which is emailed, until the server is gone. */
const writeMails = async ({ dataDir }: ServerProcess, acknowledged: string[]): Promise<void> => {
  try {
    for (;;) {
      const message = `A question, ${crypto.randomUUID()}`;
      const body = { name: "Ada", email: "ada@example.test", subject: "Support", message };
      const answer = await call(dataDir, "POST", "/api/contact", body);
      if (answer.status === 201) acknowledged.push(message);
      // Only so many messages are taken from one place in an hour.
      else await Bun.sleep(20);
    }
  } catch {
    // Killed in the middle: what was not acknowledged may be there or not.
  }
};

/** Passwords in the order in which they were sent, and how many of them up to the last one that was acknowledged. */
type Saved = { sent: string[]; acknowledged: number };

/** Saves another password for Redis again and again, until the server is gone. */
const savePasswords = async ({ dataDir }: ServerProcess, saved: Saved): Promise<void> => {
  try {
    for (;;) {
      const password = `password-${saved.sent.length}`;
      saved.sent.push(password);
      const redis = { endpoint: "redis://127.0.0.1:65535", password };
      const answer = await call(dataDir, "PUT", "/api/auth/settings/credentials", { redis });
      if (answer.status === 200) saved.acknowledged = saved.sent.length;
      await Bun.sleep(50);
    }
  } catch {
    // Killed in the middle: what was not acknowledged may be there or not.
  }
};

describe("S6: a change of key under kill -9", () => {
  for (const place of dataPlaces()) {
    afterAll(() => place.close());
    test(
      `${place.name}: after ${kills} kills all that opened before opens under the new key alone, and the log is whole`,
      async () => {
        const [former, current] = [newKey(), newKey()];
        // A mail server that is away: what is emailed waits, sealed.
        const env = {
          ...(await place.env()),
          SMTP_URL: "smtp://127.0.0.1:1",
          CONTACT_EMAIL: "team@example.test",
        };
        const dataDir = temporaryFolder();
        const start = (keys: Record<string, string>) =>
          startServer({ dataDir, env: { ...env, LOG_LEVEL: "warn", ...keys } });
        const both = { APP_SECRET: current, APP_SECRET_PREVIOUS: former };
        await (await start({ APP_SECRET: former })).stop();
        const readable = await readRows({ dataDir, env }, async (db) => {
          await fillSealed(operatorWith(db, boxOf(former)), { mails: storedMails, facts: 20 });
          return openedBy(db, boxOf(former));
        });
        expect([readable.size, [...readable.values()].includes(null)]).toEqual([storedMails + 5, false]);
        await expectRefusal(start({ APP_SECRET: current }));

        const acknowledged: string[] = [];
        const saved: Saved = { sent: [], acknowledged: 0 };
        let ended = 0;
        for (let kill = 0; kill < kills; kill += 1) {
          const server = await start(both);
          const writers = [writeMails(server, acknowledged), savePasswords(server, saved)];
          const before = saved.acknowledged;
          let [resealed, isOver] = [0, false];
          const rotation = rotate(server, (more) => {
            resealed += more;
          });
          const over = rotation.then(() => {
            isOver = true;
          });
          // Most lives end within the walk; the mails that arrive lengthen it. Every other one
          // gets mails sealed again and passwords saved before, however slow the machine is.
          if (kill % 2 === 0)
            await until(() => (isOver || resealed >= sliceSize) && saved.acknowledged > before + 2, 60_000);
          await Promise.race([over, Bun.sleep(20 + Math.random() * 500)]);
          await server.stop("SIGKILL");
          ended += (await rotation) ? 1 : 0;
          await Promise.all(writers);
        }

        const server = await start(both);
        const words = { env: { ...env, ...both, DATA_DIR: dataDir } };
        const rotated = await runCommand(["secrets", "rotate", "--json"], words);
        expect([rotated.exitCode, rotated.stderr]).toEqual([0, ""]);
        // What was done before a kill was not done again.
        expect(JSON.parse(rotated.stdout).resealed).toBeLessThan(storedMails);
        await server.stop();
        // Without a server, in the command's own process: there is nothing left to do.
        const again = await runCommand(["secrets", "rotate"], words);
        expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining("Nothing to do")]);

        const alone = await start({ APP_SECRET: current });
        const proof = await (await call(dataDir, "GET", "/api/admin/activity/verify")).json();
        expect(proof).toMatchObject({ data: { fault: null, isComplete: true } });
        await alone.stop();
        const rows = await readRows({ dataDir, env }, async (db) => ({
          opened: await openedBy(db, boxOf(current)),
          waiting: (await db.select({ id: mails.id }).from(mails)).length,
          messages: (await db.select().from(contactMessages)).map(({ message }) => message),
        }));
        console.log(
          `${place.name}: ${kills} kills, ${ended} after the walk's end, ${acknowledged.length} emails and ${saved.acknowledged} passwords written`,
        );
        const untouched = [...readable].filter(([key]) => key !== written);
        expect(untouched.filter(([key, value]) => rows.opened.get(key) !== value)).toEqual([]);
        const [, password]: unknown[] = JSON.parse(rows.opened.get(written) ?? "[]");
        expect(saved.acknowledged).toBeGreaterThan(kills);
        expect(saved.sent.indexOf(String(password))).toBeGreaterThanOrEqual(saved.acknowledged - 1);
        expect([...rows.opened.values()].filter((value) => value === null)).toEqual([]);
        const text = [...rows.opened.values()].join("\n");
        expect(acknowledged.filter((message) => !rows.messages.includes(message))).toEqual([]);
        expect(acknowledged.filter((message) => !text.includes(message))).toEqual([]);
        await expectRefusal(start({ APP_SECRET: former }));
        removeFolder(dataDir);
      },
      sized(300_000, 1_800_000),
    );
  }
});

/** Expects a start to end with 78 and words. */
const expectRefusal = async (starting: Promise<ServerProcess>, words = "APP_SECRET_PREVIOUS") => {
  const failure = await starting.then(
    async (server) => {
      await server.stop();
      return null;
    },
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(StartFailure);
  expect(failure).toMatchObject({ exitCode: 78, message: expect.stringContaining(words) });
  expect(String(failure)).not.toContain("    at ");
};

describe("S6: a start", () => {
  const dataDir = temporaryFolder();
  const keyFile = join(dataDir, "app.key");
  afterAll(() => removeFolder(dataDir));
  const start = (env: Record<string, string> = {}) => startServer({ dataDir, env });
  beforeAll(async () => void (await (await start()).stop()), 60_000);

  test.each([
    ["another key than the data were stored under", newKey(), "does not belong to this database"],
    ["a short key", "q7Vw2mX9-Lr4", "APP_SECRET"],
    ["a placeholder in a key's place", "changeme-changeme-changeme-changeme-1", "APP_SECRET"],
  ])(
    "with %s ends with 78 and plain words",
    async (_, key, words) => {
      await expectRefusal(start({ APP_SECRET: key }), words);
      expect(readdirSync(dataDir).filter((name) => name.startsWith("app.key"))).toEqual(["app.key"]);
      expect(await (await start()).stop()).toBe(0);
    },
    120_000,
  );

  test("whose key file is missing ends with 78 and makes no new one; with it back the server starts as before", async () => {
    const key = readFileSync(keyFile);
    rmSync(keyFile);
    await expectRefusal(start(), "is missing");
    expect(existsSync(keyFile)).toBe(false);
    writeFileSync(keyFile, key, { mode: 0o600 });
    expect(await (await start()).stop()).toBe(0);
  }, 120_000);
});
