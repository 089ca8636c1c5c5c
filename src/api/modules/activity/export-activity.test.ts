import { describe, expect, spyOn, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { ActivityFact } from "#api/core/activity.ts";
import { asCsv, columnOf, createActivityExports, exportedColumns } from "#api/testing/activity-exports.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { factAt, fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { parseCsv } from "#api/testing/parse-csv.ts";
import { createRandom } from "#api/testing/random.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");

const path = "/api/admin/activity";
const { exported, csv, listed } = createActivityExports(() => admin);

const fill = (facts: ActivityFact[]) => fillActivity(host.services, facts);
const facts = (count: number) =>
  randomFacts(createRandom(7), { count, end: host.clock.now(), spanMs: 9 * 24 * 3_600_000 });
const step = inOrder();

describe("an export of the activity log", () => {
  step("is a file of that day's name, never stored and inert, as CSV unless asked otherwise", async () => {
    const day = host.clock.now().toISOString().slice(0, 10);
    for (const [query, type, name] of [
      ["", "text/csv; charset=utf-8; header=present", `plugin-activity-${day}.csv`],
      ["?format=csv", "text/csv; charset=utf-8; header=present", `plugin-activity-${day}.csv`],
      ["?format=ndjson", "application/x-ndjson; charset=utf-8", `plugin-activity-${day}.ndjson`],
    ] as const) {
      const answer = await admin.call("GET", `${path}/export${query}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      await answer.text();
    }
  });

  step("of nothing is a head alone in CSV, and empty otherwise", async () => {
    expect(await csv("pluginName=nobody-has-it")).toEqual([exportedColumns]);
    expect(await exported("pluginName=nobody-has-it&format=ndjson")).toBe("");
  });

  step("holds what the list holds, each on one line that begins with its id, in both forms", async () => {
    await fill(facts(450));
    const last = (await listed())[0]?.id ?? 0;
    const all = (await listed(`endDate=${host.clock.now().toISOString()}`)).filter(({ id }) => id <= last);
    const query = `before=${last + 1}`;
    expect(await exported(query)).toBe(asCsv(all));
    const lines = (await exported(`${query}&format=ndjson`)).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(all);
    expect(lines.every((line, at) => line.startsWith(`{"id":${all[at]?.id},`))).toBe(true);
    expect((await exported(query)).split("\r\n")).toHaveLength(all.length + 2);
  });

  step(
    "holds times to the millisecond, also those that end in zeros, behind its first piece too",
    async () => {
      host.clock.advance(2_000 - (host.clock.now().getTime() % 1_000));
      const second = host.clock.now().getTime() - 1_000;
      await fill([0, 5, 100, 120, 123].map((ms) => factAt(new Date(second + ms), { pluginName: "exact" })));
      await addForged("behind", 150);
      const all = await listed("pluginName=exact,behind");
      expect(all.slice(-5).map(({ timestamp }) => timestamp.slice(-4))).toEqual([
        "123Z",
        "120Z",
        "100Z",
        "005Z",
        "000Z",
      ]);
      expect(await exported("pluginName=exact,behind")).toBe(asCsv(all));
    },
  );

  step(
    "lets through what the filters of the list let through: kinds, dates, searches long and short",
    async () => {
      await fill(facts(450));
      const { timestamp = "" } = (await listed())[200] ?? {};
      const last = (await listed())[0]?.id ?? 0;
      for (const filter of [
        "type=api_call,file_read",
        "pluginName=long-gone",
        "status=failure&severity=low,critical&actorKind=operator",
        `startDate=${timestamp}`,
        `endDate=${timestamp.slice(0, 10)}&status=success`,
        "search=number%201",
        "search=%C3%84RGER&type=api_call",
        "search=9",
        "search=100%25_",
      ]) {
        const wanted = (await listed(filter)).filter(({ id }) => id <= last);
        expect([filter, wanted.length > 0]).toEqual([filter, true]);
        expect(await exported(`${filter}&before=${last + 1}`)).toBe(asCsv(wanted));
      }
    },
  );

  step("says of a search that looks at the newest 10,000 alone that it does, and of no other", async () => {
    const bound = async (query: string) => {
      const answer = await admin.call("GET", `${path}/export?${query}`);
      await answer.text();
      return answer.headers.get("x-atrium-searched-newest");
    };
    for (const query of ["search=zq", "search=1%25&format=ndjson", "search=-.-"].flatMap((one) => [
      one,
      `${one}&before=2`,
    ]))
      expect([query, await bound(query)]).toEqual([query, "10000"]);
    for (const query of ["", "search=", "search=%20%20", "search=zqx", "search=10.0"])
      expect([query, await bound(query)]).toEqual([query, null]);
  });

  step(
    "L2: of 10,001 activities contains the newest 10,000, each once and in order, and `before` " +
      "continues after them",
    async () => {
      await addForged("many", limits.exportRows + 1);
      const first = columnOf(await csv("pluginName=many"), "id").map(Number);
      expect(first).toHaveLength(limits.exportRows);
      expect(first).toEqual([...first].sort((one, other) => other - one));
      expect(new Set(first).size).toBe(limits.exportRows);
      const oldest = first.at(-1) ?? 0;
      expect(columnOf(await csv(`pluginName=many&before=${oldest}`), "id")).toEqual([String(oldest - 1)]);
      const walked: number[] = [];
      for (let before = oldest + 5; ; ) {
        const ids = columnOf(await csv(`pluginName=many&limit=2&before=${before}`), "id").map(Number);
        walked.push(...ids);
        if (ids.length < 2) break;
        before = ids.at(-1) ?? 0;
      }
      expect(walked).toEqual([4, 3, 2, 1, 0, -1].map((step) => oldest + step));
    },
  );

  step("is not disturbed by activities that arrive meanwhile", async () => {
    await addForged("some", 4_500);
    const answer = await admin.call("GET", `${path}/export?pluginName=some`);
    const reader = answer.body?.getReader();
    const parts: Uint8Array[] = [];
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      await fill([factAt(host.clock.now(), { pluginName: "some", action: "came later" })]);
    }
    const records = parseCsv(Buffer.concat(parts).toString());
    expect(columnOf(records, "action")).not.toContain("came later");
    expect(new Set(columnOf(records, "id")).size).toBe(4_500);
    expect(records).toHaveLength(4_501);
  });

  step(
    "is made no further than two pieces ahead of its reader, and not at all once that one went away",
    async () => {
      await addForged("large", 10_000);
      const execute = spyOn(host.db, "execute");
      const piecesAsked = () =>
        execute.mock.calls.filter(([query]) => textOf(query).includes("concat_ws")).length;
      try {
        const answer = await admin.call("GET", `${path}/export?pluginName=large`);
        const reader = answer.body?.getReader();
        expect(piecesAsked()).toBe(0);
        await reader?.read();
        await reader?.read();
        expect(piecesAsked()).toBe(2);
        await reader?.read();
        expect(piecesAsked()).toBe(3);
        await reader?.cancel();
        await host.services.activity.settle();
        expect(piecesAsked()).toBe(3);
      } finally {
        execute.mockRestore();
      }
    },
  );

  step(
    "that can't continue ends with a failure instead of looking complete, and the cause is logged",
    async () => {
      await addForged("broken", 3_000);
      const answer = await admin.call("GET", `${path}/export`);
      const reader = answer.body?.getReader();
      await reader?.read();
      const { execute } = host.db;
      host.db.execute = () => {
        throw new Error("the database went away");
      };
      try {
        const failure = await failureOf(Promise.resolve(reader?.read()));
        expect(failure).toMatchObject({ message: "the export could not be completed" });
      } finally {
        host.db.execute = execute;
      }
      expect(host.logs).toContainEqual(
        expect.objectContaining({ level: "warn", message: "an export ended early" }),
      );
    },
  );

  step("is recorded in the log, with who made it and its filters", async () => {
    // Repeats within a minute are one row.
    host.clock.advance(60_000);
    await exported("type=api_call&search=ada&format=ndjson");
    const [own] = await listed("search=exported%20the%20activity");
    expect(own).toMatchObject({
      type: "api_call",
      action: "Exported the activity log",
      description: "As ndjson, type api_call, search ada",
      userId: admin.user?.id,
      status: "success",
      pluginName: "core",
    });
  });

  step(
    "leaves nothing in the log where the headers alone are asked for, and names no empty filter",
    async () => {
      host.clock.advance(60_000);
      const own = () => listed("search=exported%20the%20activity");
      const before = await own();
      const head = await admin.call("HEAD", `${path}/export?format=ndjson`);
      expect([head.status, head.headers.get("content-type")]).toEqual([
        200,
        "application/x-ndjson; charset=utf-8",
      ]);
      expect(await head.text()).toBe("");
      expect(await own()).toEqual(before);
      await exported("type=&startDate=&severity=low");
      const [newest, ...rest] = await own();
      expect(newest?.description).toBe("As csv, severity low");
      expect(rest).toEqual(before);
    },
  );

  test.each([
    "format=xlsx",
    "format=",
    "limit=0",
    "limit=10001",
    "limit=-1",
    "limit=1e3",
    "before=0",
    "offset=0",
    "type=x",
  ])("L6: is refused for %s, for others than admins before it is looked at", async (query) => {
    const people = { visitor: host.visitor(), user: await host.signedIn("user"), admin };
    const statuses = { visitor: 401, user: 403, admin: 422 };
    for (const who of ["visitor", "user", "admin"] as const) {
      const answer = await people[who].call("GET", `${path}/export?${query}`);
      expect([who, answer.status]).toEqual([who, statuses[who]]);
    }
  });
});

/** So many rows of a plugin, beside the writer, which would take a while: an export asks for no hashes. */
const addForged = async (pluginName: string, count: number) => {
  // What earlier exports left behind would get numbers between the rows.
  await host.services.activity.settle();
  await fill([factAt(host.clock.now(), { pluginName })]);
  await host.db.execute(sql`
    with head as (
      select head_id, head_at, kind.id as kind_id from activity_chain, activity_kinds kind where plugin_name = ${pluginName}
    ), forged as (
      insert into activities (id, kind_id, occurred_at, action, description, occurrences, hash)
      select head_id + n, kind_id, head_at, 'Forged', 'No. ' || n, 1, '' from head, generate_series(1, ${count - 1}::int) n
    ), counted as (
      update activity_kinds set rows = ${count}, last_id = head_id + ${count - 1}::int from head where id = kind_id
    )
    update activity_chain set head_id = activity_chain.head_id + ${count - 1}::int`);
};

/** The words of a statement, without its parameters. */
const textOf = (query: unknown): string => JSON.stringify(query);
