import { sql } from "drizzle-orm";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { dropSecondaryIndexes, restoreIndexes } from "#api/db/transfer/load-tables.ts";
import { transferTables } from "#api/db/transfer/transfer-tables.ts";
import type { ListMessagesInput } from "#api/modules/contact/contract.ts";
import { listMessages } from "#api/modules/contact/messages.ts";
import type { ListMailsInput } from "#api/modules/mail/contract.ts";
import { listMails } from "#api/modules/mail/operations.ts";
import type { ListUsersInput } from "#api/modules/users/contract.ts";
import { listUsers } from "#api/modules/users/list-users.ts";
import { fillLists } from "#api/testing/fill-lists.ts";
import { createRandom, type Random } from "#api/testing/random.ts";
import { mailStatuses } from "#contract/mail.ts";
import { sortOrders, userSorts } from "#contract/users.ts";
import { type MeasuredLog, openMeasuredLog } from "../activity/measured-log.ts";
import { interleave, median } from "../measure/interleave.ts";
import { repeat } from "../measure/repeat.ts";
import { decimal } from "../report.ts";
import { createInstallation } from "../subjects/atrium.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine, BenchSettings } from "./bench-line.ts";

const rows = 100_000;
const pageRows = 25;

/** The lists of users, messages and mails with 100,000 rows each, on PostgreSQL and embedded. */
export const listsLine: BenchLine = {
  name: "lists",
  programs: [],
  run: (settings) =>
    inWorkshop(async ({ folder, postgres }) => {
      if (postgres === null) throw new Error("PostgreSQL is not installed (looked for initdb)");
      const places: MeasuredLog[] = [];
      try {
        for (const place of [postgres, null]) {
          const opened = await openMeasuredLog(await createInstallation(folder, place));
          places.push(opened);
          await opened.handle.exclusively((db) => fill(db));
        }
        return {
          title: `Lists of ${decimal(rows)} rows, on PostgreSQL and embedded`,
          method:
            `A page of ${pageRows} rows with its total, each time another one where the page is "any". ${settings.rounds} ` +
            "interleaved rounds, one question at a time; the databases have one core, the caller another. CPU is processor " +
            "time a question, database and caller together.",
          columns: ["", "p50 ms", "CPU ms", "embedded p50 ms", "CPU ms", "goal"],
          rows: await measureAll(places, settings),
        };
      } finally {
        for (const place of places) await place.close();
      }
    }),
};

/** Fills the lists without their indexes, which are built over all rows at the end, as a move does. */
const fill = async (db: Database): Promise<void> => {
  const tables = await transferTables(db, ["users", "contact_messages", "mails"]);
  const indexes = await dropSecondaryIndexes(db, tables);
  await fillLists(db, rows);
  await restoreIndexes(db, indexes);
  for (const { name } of tables) await db.execute(sql`vacuum analyze ${sql.identifier(name)}`);
};

/** A question about a list; the n-th time it is the same on both databases. */
type Reading = { name: string; goalMs: number; read(ctx: Context, n: number): Promise<unknown> };

const measureAll = async (places: MeasuredLog[], settings: BenchSettings): Promise<string[][]> => {
  const found: string[][] = [];
  for (const { name, goalMs, read } of await readings(places)) {
    const results = await interleave(places, settings.rounds, (place) => {
      let asked = 0;
      const run = () => {
        asked += 1;
        return read(place.ctx, asked);
      };
      return repeat({
        ...{ run, databasePids: place.databasePids },
        ...{ least: 10, most: 100, forMs: settings.seconds * 1_000 },
      });
    });
    const cells = results.flatMap((measured) => [
      decimal(median(measured.flatMap(({ waitsMs }) => waitsMs)), 1),
      decimal(median(measured.map(({ ownMs, databaseMs }) => ownMs + databaseMs)), 1),
    ]);
    found.push([name, ...cells, `≤ ${goalMs}`]);
  }
  return found;
};

const readings = async (places: MeasuredLog[]): Promise<Reading[]> => [
  ...userSorts.flatMap((sort) =>
    sortOrders.map((order) => users(`users by ${sort}, ${order}, any page`, () => ({ sort, order }))),
  ),
  ...(["admin", "user"] as const).map((role) =>
    users(`users, role ${role}, any sort and page`, (random) => ({ role, sort: random.pick(userSorts) })),
  ),
  ...(["active", "disabled"] as const).map((status) =>
    users(`users, status ${status}, any sort and page`, (random) => ({
      status,
      sort: random.pick(userSorts),
    })),
  ),
  ...[1, rows / pageRows / 2, rows / pageRows].map((page) =>
    users(`users, page ${decimal(page)}, any sort`, (random) => ({
      sort: random.pick(userSorts),
      offset: (page - 1) * pageRows,
    })),
  ),
  users("users, three letters of a name", (random) => ({ search: letters(random), offset: 0 }), 20),
  users("users, three letters of every address", () => ({ search: "exa", offset: 0 }), 20),
  users("users, three letters that none has", () => ({ search: "zqx", offset: 0 }), 20),
  messages("messages, any page", () => ({})),
  ...(["General", "Sales"] as const).map((subject) =>
    messages(`messages, subject ${subject}, any page`, () => ({ subject })),
  ),
  ...(["open", "handled"] as const).map((status) =>
    messages(`messages, ${status}, any page`, () => ({ status })),
  ),
  messages("messages, three letters of a name", (random) => ({ search: letters(random), offset: 0 }), 20),
  messages("messages, three letters of every text", () => ({ search: "inv", offset: 0 }), 20),
  mails("emails, the newest", () => ({})),
  ...mailStatuses.map((status) => mails(`emails, ${status}`, () => ({ status }))),
  ...(await farDown(places)),
  mails("emails, three letters of a name", (random) => ({ search: letters(random) }), 20),
  mails("emails, three letters of every address", () => ({ search: "exa" }), 20),
];

const names = [
  "ada",
  "edsger",
  "barbara",
  "margaret",
  "katherine",
  "leslie",
  "stein",
  "field",
  "wood",
  "son",
] as const;
const hex = "0123456789abcdef";

/** Of a first or last name that many have, or of one that few have. */
const letters = (random: Random): string => {
  if (random.once(2)) return Array.from({ length: 3 }, () => hex[random.below(16)]).join("");
  const name = random.pick(names);
  const from = random.below(name.length - 2);
  return name.slice(from, from + 3);
};

const users = (name: string, inputOf: (random: Random) => Partial<ListUsersInput>, goalMs = 10): Reading => ({
  ...{ name, goalMs },
  read: (ctx, n) => {
    const random = createRandom(n);
    const input = inputOf(random);
    const most = input.role === "admin" ? rows / 1_000 : rows / (input.status === "disabled" ? 20 : 1);
    return listUsers(ctx, { limit: pageRows, offset: random.below(most), search: "", ...input });
  },
});

const messages = (
  name: string,
  inputOf: (random: Random) => Partial<ListMessagesInput>,
  goalMs = 10,
): Reading => ({
  ...{ name, goalMs },
  read: (ctx, n) => {
    const random = createRandom(n);
    const input = inputOf(random);
    const most = input.subject ? rows / 3 : rows / (input.status === "open" ? 5 : 1);
    return listMessages(ctx, {
      ...{ limit: pageRows, offset: random.below(Math.floor(most)), search: "" },
      ...input,
    });
  },
});

const mails = (name: string, inputOf: (random: Random) => Partial<ListMailsInput>, goalMs = 10): Reading => ({
  ...{ name, goalMs },
  read: (ctx, n) => listMails(ctx, { limit: pageRows, search: "", ...inputOf(createRandom(n)) }),
});

/** Mails are paged through by the last one of a page: here by the last of the hundredth. */
const farDown = async (places: MeasuredLog[]): Promise<Reading[]> => {
  const last = new Map<Context, string>();
  for (const { ctx } of places)
    for (let page = 0; page < 100; page += 1) {
      const before = last.get(ctx);
      const { mails: found } = await listMails(ctx, {
        ...{ limit: 100, search: "" },
        ...(before === undefined ? {} : { before }),
      });
      last.set(ctx, found.at(-1)?.id ?? "");
    }
  const read = (ctx: Context) => listMails(ctx, { limit: pageRows, search: "", before: last.get(ctx) ?? "" });
  return [{ name: "emails, behind the first 10,000", goalMs: 10, read }];
};
