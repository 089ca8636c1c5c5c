import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { ListActivityInput } from "#api/modules/activity/contract.ts";
import { activityDays, activityStats, listActivity } from "#api/modules/activity/read-activity.ts";
import { createRandom, type Random } from "#api/testing/random.ts";
import { seldomEmail } from "./fill-log.ts";
import { chartPlainly, listPlainly, sumPlainly } from "./plain-log.ts";
import { sampleKinds } from "./sample-kinds.ts";
import { samplePersonName } from "./sample-texts.ts";

/** Something that admins read, by the product and beside it plainly; the n-th time both ask for the same. */
export type Reading = {
  name: string;
  /** For the median, and for the slowest of a hundred where that is stated too. */
  goalMs: { p50: number | null; p99: number | null };
  read(ctx: Context, n: number): Promise<unknown>;
  readPlainly(db: Database, n: number): Promise<unknown>;
};

/** All readings of a log of so many rows, whose times end now. */
export const readingsOf = (rows: number): Reading[] => {
  const searchGoal = { p50: rows > 1_000_000 ? 60 : 20, p99: null };
  const searched = (name: string, search: string, others: Partial<ListActivityInput> = {}) =>
    list(`search: ${name}`, searchGoal, () => ({ ...others, search }));
  return [
    list("newest page", enumerated, () => ({})),
    list("one filter", enumerated, (random) => filters(random, 1)),
    list("two to four filters", enumerated, (random) => filters(random, 2 + random.below(3))),
    list("failures that are critical", enumerated, () => ({ status: "failure", severity: "critical" })),
    list("dates alone", dated, (random) => dates(random)),
    list("a filter and dates", dated, (random) => ({ ...filters(random, 1), ...dates(random) })),
    list("two filters and dates", dated, (random) => ({ ...filters(random, 2), ...dates(random) })),
    list("one filter, by keyset from anywhere", enumerated, (random) => ({
      ...filters(random, 1),
      before: 1 + random.below(rows),
    })),
    list("no filter, any offset", enumerated, (random) => ({ offset: random.below(rows) })),
    list("success, offset to a tenth", { p50: null, p99: null }, (random) => ({
      status: "success",
      offset: random.below(rows / 10),
    })),
    searched("every third row", "request to"),
    searched("2 %", "timeout"),
    searched("0.3 %", "throttled"),
    searched("0.1 %", "quarantine"),
    searched("0.01 %", "emergency"),
    searched("an email address, 2,000 rows", seldomEmail),
    list("search: any email address", searchGoal, (random) => ({
      search: `${samplePersonName(random.below(5_000))}@`,
    })),
    searched("nothing", "zanzibar"),
    searched("2 % among failures", "timeout", { status: "failure" }),
    {
      name: "stats",
      goalMs: { p50: 2, p99: null },
      read: (ctx) => activityStats(ctx, {}),
      readPlainly: sumPlainly,
    },
    {
      name: "chart of 30 days",
      goalMs: { p50: 20, p99: null },
      read: (ctx) => activityDays(ctx, { days: 30 }),
      readPlainly: chartPlainly,
    },
  ];
};

const enumerated = { p50: 5, p99: 20 };
const dated = { p50: 15, p99: null };

const list = (
  name: string,
  goalMs: Reading["goalMs"],
  inputOf: (random: Random) => Partial<ListActivityInput>,
): Reading => {
  const input = (n: number): ListActivityInput => ({ limit: 25, offset: 0, ...inputOf(createRandom(n)) });
  return {
    name,
    goalMs,
    read: (ctx, n) => listActivity(ctx, input(n)),
    readPlainly: (db, n) => listPlainly(db, input(n)),
  };
};

const kinds = sampleKinds();
const frequentKinds = kinds.filter(({ share }) => share > 0.001);

/** Filters that something passes: half of the time a frequent kind's words, else those of any kind. */
const filters = (random: Random, count: number): Partial<ListActivityInput> => {
  const among = random.once(2) ? frequentKinds : kinds;
  const kind = among[random.below(among.length)];
  if (kind === undefined) return {};
  const words = [
    ["type", kind.type],
    ["pluginName", kind.plugin],
    ["status", kind.status],
    ["severity", kind.severity],
  ] as const;
  const first = random.below(words.length);
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => words[(first + at) % words.length] ?? words[0]),
  );
};

const dayMs = 24 * 60 * 60 * 1000;

/** From any moment of the ninety days to any later one. */
const dates = (random: Random): Partial<ListActivityInput> => {
  const ages = [random.below(90 * dayMs), random.below(90 * dayMs)].sort((one, other) => other - one);
  const [start = 0, end = 0] = ages.map((ageMs) => Date.now() - ageMs);
  return { startDate: new Date(start).toISOString(), endDate: new Date(end).toISOString() };
};
