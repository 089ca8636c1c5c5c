import { sql } from "drizzle-orm";
import type { RateDecision, RateRule, SharedRateCounter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { hideKeys } from "#api/adapters/redis/redis-failure.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";

type PostgresRateCounterOptions = {
  db: Database;
  clock: Clock;
  log: Log;
  secret: Uint8Array;
  /** So many rows there are at most, about: of more keys, each server counts the new ones alone. */
  mostRows?: number;
};

/** Requests of one key and rule that are counted together. */
type Ask = { rule: RateRule; waiting: ((decision: RateDecision | null) => void)[] };
/** What one statement counts, and for how many turns it has waited. */
type Batch = { asks: Map<string, Ask>; turns: number };

// Patience is counted in turns: however long this server itself was busy, that is one of them.
const turnMs = 20;
const mostTurns = 10;
const pauseMs = 1_000;
const lookMs = 10_000;
const mostWaiting = 2_000;
const mostKeys = 200;
// As in memory: above this many requests, moments are rounded up, so that no row grows beyond it.
const mostMoments = 1_000;

/**
 * One statement at a time counts everything that arrived during the one before, by the database's own clock; each key is
 * one row, which statements of several servers change one after the other. A server that is alone on its database asks
 * nothing, because memory is as exact: it looks for others every ten seconds. Keys are hidden, because they contain IP addresses.
 */
export const createPostgresRateCounter = ({
  db,
  clock,
  log,
  secret,
  mostRows = 100_000,
}: PostgresRateCounterOptions): SharedRateCounter => {
  const hide = hideKeys(secret, "rate-limit");
  const batches: Batch[] = [];
  let waiting = 0;
  let isShared = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Batch | null = null;
  let room = mostRows;
  let isRunning = false;
  let isLate = false;
  let downUntilMs = Number.NEGATIVE_INFINITY;

  const failed = (error: unknown): void => {
    downUntilMs = clock.uptimeMs() + pauseMs;
    log.warn("requests could not be counted in the database", { error: describeError(error) });
  };

  const look = async (): Promise<void> => {
    lookedAtMs = clock.uptimeMs();
    const [row] = await db.execute<{ servers: number }>(sql`
      select count(distinct replica)::int as servers from plugin_replicas
      where seen_at > now() - interval '2 minutes'`);
    const servers = row?.servers ?? 0;
    if (isShared !== servers > 1)
      log.info(servers > 1 ? "requests are counted with other servers" : "requests are counted alone", {
        servers,
      });
    isShared = servers > 1;
    if (!isShared) return;
    await sweepRateCounts(db);
    const [kept] = await db.execute<{ rows: number }>(sql`
      select count(*)::int as rows from (select from rate_counts limit ${mostRows}) as known`);
    room = mostRows - (kept?.rows ?? 0);
    if (room <= 0) log.warn("too many callers are counted: new ones are counted alone", { rows: mostRows });
  };

  const answerAll = ({ asks }: Batch, counted: ReadonlyMap<string, RateDecision[]>): void => {
    for (const [name, { waiting: asked }] of asks)
      for (const [at, answer] of asked.entries()) answer(counted.get(name)?.[at] ?? null);
  };

  /** What waited for too long is counted alone, as is all that comes until the database responds. */
  const turn = (): void => {
    for (const batch of asking === null ? [...batches] : [asking, ...batches]) {
      batch.turns += 1;
      if (batch.turns !== mostTurns) continue;
      if (!isLate) failed(new Error(`no response within ${mostTurns * turnMs} ms`));
      isLate = true;
      if (batch !== asking) batches.splice(batches.indexOf(batch), 1);
      answerAll(batch, new Map());
    }
  };

  const run = async (): Promise<void> => {
    const timer = setInterval(turn, turnMs);
    for (asking = batches.shift() ?? null; asking !== null; asking = batches.shift() ?? null) {
      const counted = await countAll(db, asking.asks, { isFull: room <= 0 }).catch((error) => {
        failed(error);
        return { decisions: new Map<string, RateDecision[]>(), newRows: 0 };
      });
      room -= counted.newRows;
      answerAll(asking, counted.decisions);
      isLate = false;
    }
    clearInterval(timer);
    isRunning = false;
  };

  const enqueue = (name: string, rule: RateRule): Promise<RateDecision | null> => {
    const isSame = ({ max, windowMs }: RateRule) => max === rule.max && windowMs === rule.windowMs;
    const batch = batches.find((one) => {
      const known = one.asks.get(name);
      return known === undefined ? one.asks.size < mostKeys : isSame(known.rule);
    });
    const { promise, resolve } = Promise.withResolvers<RateDecision | null>();
    waiting += 1;
    const found = batch ?? { asks: new Map<string, Ask>(), turns: 0 };
    if (batch === undefined) batches.push(found);
    const ask = found.asks.get(name) ?? { rule, waiting: [] };
    found.asks.set(name, ask);
    ask.waiting.push(resolve);
    if (!isRunning) {
      isRunning = true;
      // What arrives in the same moment is counted together.
      queueMicrotask(run);
    }
    return promise.finally(() => {
      waiting -= 1;
    });
  };

  return {
    get isUp() {
      const nowMs = clock.uptimeMs();
      if (nowMs - lookedAtMs > lookMs) void look().catch(failed);
      return isShared && !isLate && nowMs >= downUntilMs && waiting < mostWaiting;
    },
    take: (key, rule) => enqueue(hide(key), rule),
    forget: (key) =>
      db.execute(sql`delete from rate_counts where key = ${hide(key)}`).then(
        () => true,
        (error) => {
          failed(error);
          return false;
        },
      ),
  };
};

/** Removes counts that matter no longer, and waits for no one who counts. */
export const sweepRateCounts = async (db: Database): Promise<void> => {
  await db.execute(sql`
    delete from rate_counts where key in (
      select key from rate_counts where expires_at < now() for update skip locked)`);
};

type Row = { key: string; isNew: boolean; granted: number; now: number; moments: string; counts: string };

type Counted = { decisions: Map<string, RateDecision[]>; newRows: number };

/**
 * Counts a batch, and returns what became of each of its requests in their order; nothing of keys without a row when it
 * `isFull`. Throws what the database throws.
 */
const countAll = async (
  db: Database,
  batch: Batch["asks"],
  { isFull }: { isFull: boolean },
): Promise<Counted> => {
  const asks = [...batch].map(([key, { rule, waiting }]) => ({ key, ...rule, wanted: waiting.length }));
  const rows = await db.execute<Row>(sql`
    with asked as (
      select key, max, window_ms, wanted, greatest(1, case when max > ${mostMoments} then window_ms / ${mostMoments} end) as grain
      from json_to_recordset(${JSON.stringify(
        asks.map(({ key, max, windowMs, wanted }) => ({ key, max, window_ms: windowMs, wanted })),
      )}::json) as given(key text, max int, window_ms bigint, wanted int)
    )
    insert into rate_counts as kept (key, moments, counts, granted, wanted, max, window_ms, grain, expires_at)
    select key, array[ceil(${nowMs} / grain) * grain], array[least(wanted, max)], least(wanted, max), wanted, max,
      window_ms, grain, ${expiry}
    from asked where not ${isFull} or exists (select from rate_counts as known where known.key = asked.key) order by key
    on conflict (key) do update set (moments, counts, granted, wanted, max, window_ms, grain, expires_at) = (
      select
        case when fits > 0 then known || greatest(ceil(${nowMs} / excluded.grain) * excluded.grain, latest) else known end,
        case when fits > 0 then used || fits else used end,
        fits, excluded.wanted, excluded.max, excluded.window_ms, excluded.grain, excluded.expires_at
      from (
        select coalesce(array_agg(moment order by at), '{}') as known, coalesce(array_agg(count order by at), '{}') as used,
          greatest(0, least(excluded.wanted, excluded.max - coalesce(sum(count), 0)))::int as fits, max(moment) as latest
        from unnest(kept.moments, kept.counts) with ordinality as run(moment, count, at)
        where moment > ${nowMs} - excluded.window_ms
      ) as alive
    )
    returning key, xmax = 0 as "isNew", granted, ${nowMs} as now, to_json(moments)::text as moments, to_json(counts)::text as counts`);
  const found = new Map(rows.map((row) => [row.key, row]));
  const decisions = new Map(
    asks.flatMap(({ key, ...ask }) => {
      const row = found.get(key);
      return row === undefined ? [] : [[key, decisionsOf(row, ask)] as const];
    }),
  );
  return { decisions, newRows: rows.filter(({ isNew }) => isNew).length };
};

const nowMs = sql.raw("floor(extract(epoch from clock_timestamp()) * 1000)::float8");
// Rows of an hour's window last a little longer than it, because moments are rounded up.
const expiry = sql.raw("now() + (window_ms + grain) * interval '1 millisecond'");

/** What each of the requests gets that were counted as one. */
const decisionsOf = (
  { granted, now, ...row }: Row,
  { max, windowMs, wanted }: RateRule & { wanted: number },
): RateDecision[] => {
  const moments: number[] = JSON.parse(row.moments);
  const counts: number[] = JSON.parse(row.counts);
  const used = counts.reduce((sum, count) => sum + count, 0);
  /** When the request after `skipped` older ones no longer counts. */
  const endOf = (skipped: number): number => {
    let left = skipped;
    const at = counts.findIndex((count) => {
      left -= count;
      return left < 0;
    });
    return Math.min(windowMs, Math.max(1, Math.ceil((moments[at] ?? now) + windowMs - now)));
  };
  return Array.from({ length: wanted }, (_, at) => {
    const isAllowed = at < granted;
    const remaining = isAllowed ? max - (used - granted) - at - 1 : 0;
    // As in memory: one that uses the limit up is told when the next one passes.
    return { isAllowed, remaining, resetMs: endOf(remaining > 0 ? 0 : Math.max(0, used - max)) };
  });
};
