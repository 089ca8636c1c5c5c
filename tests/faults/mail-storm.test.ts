import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isNotNull, sql } from "drizzle-orm";
import { mails } from "#api/db/schema.ts";
import { sized } from "#api/testing/size.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { createPerson } from "../driver/person.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

const password = "a rather fine long password";
let sink: SmtpSink;
beforeAll(async () => {
  sink = await startSmtpSink();
});
afterAll(() => sink.down());

const env = () => ({ SMTP_URL: sink.url, MAIL_FROM: "Atrium <atrium@example.test>" });

/** Registers an address; `null` when the server went away before it answered. */
const register = async (server: ServerProcess, email: string): Promise<number | null> => {
  try {
    const answer = await createPerson(server.url).call("POST", "/api/auth/register", {
      name: "Ada",
      email,
      password,
    });
    return answer.status;
  } catch {
    // The server was killed: nothing was promised.
    return null;
  }
};

/** Lets most of the minute that a lease lasts be over; at full size all of it is waited for. */
const ageLeases = async (dataDir: string): Promise<void> => {
  const seconds = sized(54, 0);
  await readRows({ dataDir, env: {} }, (db) =>
    db
      .update(mails)
      .set({ leasedUntil: sql`${mails.leasedUntil} - make_interval(secs => ${seconds})` })
      .where(isNotNull(mails.leasedUntil)),
  );
};

/** How many mails each address got. */
const mailCounts = (): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const address of sink.mails.flatMap((mail) => mail.recipients))
    counts.set(address, (counts.get(address) ?? 0) + 1);
  return counts;
};

const until = async (isTrue: () => boolean, withinMs: number): Promise<void> => {
  const deadline = performance.now() + withinMs;
  while (!isTrue() && performance.now() < deadline) await Bun.sleep(50);
};

describe("X8: registrations while the mail server and the product fail", () => {
  const people = sized(120, 1_000);
  const kills = sized(6, 50);
  test(
    `${people} registrations over ${kills} kills: everyone acknowledged gets an email, at most one more per kill`,
    async () => {
      const dataDir = temporaryFolder();
      const acknowledged: string[] = [];
      let number = 0;
      for (let life = 0; life < kills; life += 1) {
        const server = await startServer({ dataDir, env: env() });
        sink.behave(life % 2 === 0 ? {} : { delayMs: 100 });
        const before = acknowledged.length;
        const share = Array.from({ length: Math.ceil(people / kills) }, async () => {
          number += 1;
          const email = `storm-${number}@example.test`;
          if ((await register(server, email)) === 201) acknowledged.push(email);
        });
        // On a busy machine no one may have been answered by then.
        const some = until(() => acknowledged.length > before + people / kills / 10, 10_000);
        await Promise.race([Promise.all(share), Promise.all([some, Bun.sleep(200 + Math.random() * 600)])]);
        await server.stop("SIGKILL");
        await Promise.all(share);
      }
      sink.behave({});
      await ageLeases(dataDir);
      const last = await startServer({ dataDir, env: env() });
      // A mail that was being sent when its server died is tried again when its lease ends.
      await until(() => acknowledged.every((email) => mailCounts().has(email)), 100_000);
      await last.stop();
      const counts = mailCounts();
      expect(acknowledged.filter((email) => !counts.has(email))).toEqual([]);
      const repeated = [...counts.values()].filter((mailsOfOne) => mailsOfOne > 1);
      expect(repeated.every((mailsOfOne) => mailsOfOne <= 1 + kills)).toBe(true);
      // Four mails are under way at most, so a kill repeats four at most.
      expect(sink.mails.length - counts.size).toBeLessThanOrEqual(4 * kills);
      const ids = new Set(sink.mails.map((mail) => mail.messageId));
      expect(ids.size).toBe(counts.size);
      expect(acknowledged.length).toBeGreaterThan(people / 10);
      removeFolder(dataDir);
    },
    sized(300_000, 1_800_000),
  );
});
