import { sql } from "drizzle-orm";
import { type AttributedEntry, noteActivity } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import { createRandom } from "#api/testing/random.ts";
import { activityTypes } from "#contract/activity.ts";
import { sampleUser } from "../subjects/sample-user.ts";
import { sampleKinds } from "./sample-kinds.ts";
import { sampleActions, sampleDescriptions } from "./sample-texts.ts";

/** How long it took to leave lines with the log, and from then until all of them were in it. */
export type Written = { noteMs: number; recordMs: number };

const mostWaits = 30;

/** Logs so many lines, each of someone else; `seed` decides which. `onRecorded` runs before they are waited for. */
export const writeLines = async (
  ctx: Context,
  { seed, count, onRecorded = () => {} }: { seed: number; count: number; onRecorded?: () => void },
): Promise<Written> => {
  const lines = Array.from({ length: count }, (_, n) => lineOf(ctx, seed * count + n));
  const last = (await headOf(ctx)) + count;
  const begun = performance.now();
  for (const { caller, entry } of lines) noteActivity(caller, entry);
  const recorded = performance.now();
  onRecorded();
  // It stops waiting after two seconds, however much is left.
  for (let waits = 0; (await headOf(ctx)) < last; waits += 1) {
    if (waits === mostWaits) throw new Error("the lines were not recorded within a minute");
    await ctx.activity.settle();
  }
  return { noteMs: recorded - begun, recordMs: performance.now() - recorded };
};

const headOf = async ({ db }: Context): Promise<number> => {
  const [row] = await db.execute<{ head: number }>(sql`select head_id::float8 as head from activity_chain`);
  return row?.head ?? 0;
};

// As often as they are in a sample log; of many failures at once the log would keep some alone.
const dealt = sampleKinds()
  .filter(({ status }) => status === "success")
  .flatMap((kind) => Array.from({ length: Math.round(kind.share * 5_000) }, () => kind));

type Line = { caller: Context; entry: AttributedEntry };

// Repeats within a minute become one row: no two lines are of the same person from the same place.
const lineOf = (ctx: Context, n: number): Line => {
  const random = createRandom(n);
  const [place, item] = [random.below(2 ** 31), random.below(2 ** 31)];
  const kind = dealt[n % dealt.length];
  const type = kind?.type ?? "api_call";
  const words = activityTypes.indexOf(type);
  return {
    caller: {
      ...ctx,
      ip: [24, 16, 8, 0].map((bits) => (place >> bits) & 255).join("."),
      requestId: place.toString(16),
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
    },
    entry: {
      type,
      status: kind?.status ?? "success",
      severity: kind?.severity ?? "low",
      pluginName: kind?.plugin ?? "core",
      action: sampleActions[words] ?? "",
      description: `${sampleDescriptions[words]?.replace("%", kind?.plugin ?? "")} for item ${item.toString(16)}`,
      durationMs: random.below(400),
      by: { ...sampleUser, id: crypto.randomUUID(), email: `person${place % 5_000}@example.com` },
    },
  };
};
