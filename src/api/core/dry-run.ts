import { planTexts } from "#contract/plan.ts";
import { fillMarks } from "#contract/site.ts";
import type { ActivityEntry } from "./activity.ts";
import { AppError } from "./app-error.ts";
import type { Context, Mail, Services } from "./context.ts";
import type { Database } from "./database.ts";
import type { AppEvent } from "./events.ts";
import type { ObjectStore } from "./objects.ts";
import type { PluginService } from "./plugins.ts";
import { within } from "./timing.ts";

/** What an operation did in a transaction that was rolled back. */
export type DryRun<T> = {
  /** What it resolved to. */
  outcome: T;
  recorded: ActivityEntry[];
  mails: Pick<Mail, "to" | "subject">[];
  events: AppEvent[];
};

/** What an operation's own plan returns. */
export type OwnPlan = { summary: string } & Partial<Omit<DryRun<unknown>, "outcome">>;

/**
 * What becomes of each service during a dry run: `transaction` is replaced by the one that is rolled back, `recorded` only
 * writes down what it is asked to do, `counted` counts as ever, `idle` does nothing, `reads` has no effect, and `outside` has one that no rollback
 * undoes: an operation that touches it needs a plan of its own. A service that isn't listed here doesn't compile.
 */
const during = {
  ...{ db: "transaction", lookups: "transaction" },
  ...{
    mail: "recorded",
    activity: "recorded",
    events: "recorded",
    happenings: "recorded",
    cache: "recorded",
  },
  // Otherwise passwords could be guessed through plans.
  attempts: "counted",
  // To hash a password or to ask another server takes long, and others wait for the transaction.
  ...{ hasher: "idle", breachCheck: "idle" },
  ...{ clock: "reads", process: "reads", disk: "reads", log: "reads", appUrl: "reads", passkeyHost: "reads" },
  ...{ contactEmail: "reads", s3Endpoints: "reads", isCallableHost: "reads", secrets: "reads" },
  ...{ firewall: "reads", serviceStates: "reads", environmentProviders: "reads" },
  ...{ personalData: "reads", beforeHooks: "reads", featureSettings: "reads" },
  // They have database handles of their own: on the embedded database they would wait for this very transaction.
  ...{ database: "outside", outbox: "outside", settings: "outside", plugins: "outside", objects: "outside" },
  ...{ backups: "outside", connectionTests: "outside", providers: "outside" },
} as const satisfies Record<
  keyof Services,
  "transaction" | "recorded" | "counted" | "idle" | "reads" | "outside"
>;

/** Nothing runs for a trial of a plugin: whether it would start, only the change itself finds out. */
const noTrial: PluginService["try"] = async () => ({ keep: () => {}, discard: async () => {} });
/** What is listed is deleted next. */
const noObjects: ObjectStore["list"] = async () => [];

/** Parts of outside services that may be read, do nothing, or are replaced, during a dry run; objects are read beside it. */
const harmless: {
  readonly [part: string]: "reads" | "idle" | "fetched" | typeof noTrial | typeof noObjects | undefined;
} = {
  // They work in the caller's transaction.
  ...{ "backups.claim": "reads", "backups.cancel": "reads", "backups.make": "idle", "backups.halt": "idle" },
  ...{ "database.kind": "reads", "outbox.transport": "reads", "outbox.hurry": "idle" },
  ...{
    "settings.current": "reads",
    "settings.homePages": "reads",
    "settings.refresh": "idle",
    "settings.use": "idle",
  },
  ...{ "plugins.observe": "reads", "plugins.states": "reads", "plugins.pinnedKeys": "reads" },
  ...{ "plugins.allowUnsigned": "reads", "plugins.allowNative": "reads", "plugins.bundled": "reads" },
  ...{ "plugins.readKey": "reads", "plugins.compilePattern": "reads", "plugins.isSafeMode": "reads" },
  ...{ "plugins.quotaBytes": "reads", "plugins.replica": "reads", "plugins.read": "reads" },
  ...{ "plugins.try": noTrial, "plugins.converge": "idle" },
  "providers.keys": "reads",
  "providers.entries": "reads",
  ...{ "objects.get": "fetched", "objects.list": noObjects },
  // What names them is rolled back.
  ...{ "objects.put": "idle", "objects.delete": "idle" },
};

// Locks are held until then, and after five the embedded database ends a transaction that keeps it waiting.
const longestMs = 4_000;

class RolledBack extends Error {}

/** What a dry run found of outside services: what it must not touch, and objects, by their keys, as far as they were read. */
type Found = { touched: string[]; wanted: string[]; objects: Map<string, Uint8Array | null> };

/**
 * Runs an operation in a transaction that is rolled back; nothing is published, sent or started. Throws what the operation
 * throws, `BUSY` after `limitMs`, and an error for one that touched an outside service, whatever became of it.
 */
export const dryRun = async <T>(
  ctx: Context,
  run: (ctx: Context) => Promise<T>,
  limitMs = longestMs,
): Promise<DryRun<T>> => {
  const endsAt = performance.now() + limitMs;
  const leftMs = () => Math.max(1, endsAt - performance.now());
  const objects: Found["objects"] = new Map();
  for (;;) {
    const found: Found = { touched: [], wanted: [], objects };
    const attempt = inTurn(() => attemptOnce(ctx, run, { found, endsAt }), leftMs());
    await attempt.catch(() => {});
    const [key] = found.wanted;
    if (key === undefined) return attempt;
    // Objects may be in the database: each is read between two attempts, so that no transaction waits for it.
    objects.set(key, await inTime(ctx.objects.get(key), leftMs()));
  }
};

// Each holds a connection, and on the embedded database everyone else waits meanwhile.
const mostAtOnce = 2;
const mostWaiting = 16;
const rollbackMs = 1_000;
const waiting: (() => void)[] = [];
let running = 0;

/** Runs `work` once fewer than two others run in this process. Throws `BUSY` when too many wait, or after `limitMs`. */
const inTurn = async <T>(work: () => Promise<T>, limitMs: number): Promise<T> => {
  if (running < mostAtOnce) running += 1;
  else {
    if (waiting.length >= mostWaiting) throw new AppError("BUSY", planTexts.tooSlow);
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await inTime(promise, limitMs);
    } catch (error) {
      const at = waiting.indexOf(resolve);
      // When it isn't in the queue any more, its turn has just come.
      if (at === -1) leave();
      else waiting.splice(at, 1);
      throw error;
    }
  }
  const result = work();
  result.then(leave, leave);
  // The transaction ends first where it has begun: longer than that is only waited for a connection.
  return inTime(result, limitMs + rollbackMs);
};

const leave = (): void => {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
};

const attemptOnce = async <T>(
  ctx: Context,
  run: (ctx: Context) => Promise<T>,
  { found, endsAt }: { found: Found; endsAt: number },
): Promise<DryRun<T>> => {
  const told: Omit<DryRun<T>, "outcome"> = { recorded: [], mails: [], events: [] };
  const { touched } = found;
  const outcomes: T[] = [];
  try {
    await ctx.db.transaction(async (tx) => {
      // Waiting for a connection may have taken all the time there was.
      if (performance.now() > endsAt) throw new AppError("BUSY", planTexts.tooSlow);
      const opened = { isOver: false };
      const db = endingWith(opened, tx);
      const dry: Context = {
        ...{ ...ctx, ...recording(ctx, told), ...refusals(ctx, found) },
        ...{ db, lookups: db },
      };
      try {
        outcomes.push(await inTime(run(dry), Math.max(1, endsAt - performance.now())));
      } finally {
        opened.isOver = true;
      }
      throw new RolledBack();
    });
  } catch (error) {
    // Some operations catch what their services throw.
    if (touched.length > 0) throw outsideTouched(touched);
    if (!(error instanceof RolledBack)) throw error;
  }
  if (outcomes.length === 0) throw new Error("a dry run ended without an outcome");
  return { ...told, outcome: outcomes[0] as T };
};

/** Resolves and rejects as the work does, or throws `BUSY`: on the embedded database a query beside the transaction waits for ever. */
export const inTime = async <T>(running: Promise<T>, limitMs = longestMs): Promise<T> => {
  const settled = running.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
  const outcome = await within(limitMs, settled).catch((cause) => {
    throw new AppError("BUSY", planTexts.tooSlow, { cause });
  });
  return outcome();
};

/** The transaction as long as it is open. Work that continues after the time limit must not use its connection. */
const endingWith = (opened: { isOver: boolean }, tx: Database): Database =>
  new Proxy(tx, {
    get: (target, name) => {
      if (opened.isOver) throw new Error("the dry run is over");
      if (name === "transaction")
        return (work: (inner: Database) => Promise<unknown>) =>
          target.transaction((inner) => work(endingWith(opened, inner)));
      const part: unknown = Reflect.get(target, name);
      return typeof part === "function" ? part.bind(target) : part;
    },
  });

const recording = (
  ctx: Context,
  told: Omit<DryRun<unknown>, "outcome">,
): Pick<
  Services,
  "mail" | "activity" | "events" | "happenings" | "cache" | "attempts" | "hasher" | "breachCheck"
> => ({
  mail: {
    enqueue: async (_, { to, subject }) => {
      const { name } = ctx.settings.current.site;
      told.mails.push({ to, subject: fillMarks(subject, { name }) });
    },
    wake: () => {},
  },
  activity: {
    record: async (tx, fact) => {
      await ctx.activity.record(tx, fact);
      told.recorded.push(fact.entry);
    },
    note: ({ entry }) => void told.recorded.push(entry),
    wake: () => {},
    settle: async () => {},
  },
  events: {
    publish: (event) => void told.events.push(event),
    subscribe: () => () => {},
    isConnected: ctx.events.isConnected,
  },
  happenings: { tell: () => {}, listen: () => () => {} },
  cache: { get: async () => null, set: async () => {}, delete: async () => {} },
  attempts: { ...ctx.attempts, clear: async () => {} },
  hasher: { ...ctx.hasher, hash: async () => "" },
  breachCheck: async () => "clean",
});

/** The outside services, whose every use is refused and taken down. Each may be copied with the context. */
const refusals = (ctx: Context, found: Found): object => {
  const outside = Object.entries(during).filter(([, how]) => how === "outside");
  const refusal = (service: string) =>
    new Proxy({}, { get: (_, part) => partOf(ctx, { service, part: String(part), found }) });
  return Object.fromEntries(outside.map(([service]) => [service, refusal(service)]));
};

type Touch = { service: string; part: string; found: Found };

const partOf = (ctx: Context, { service, part, found }: Touch): unknown => {
  const name = `${service}.${part}`;
  const how = harmless[name];
  if (how === "idle") return async () => {};
  if (how === "reads") {
    const whole: object = Object(Reflect.get(ctx, service));
    const read: unknown = Reflect.get(whole, part);
    // A map's functions work on the map alone.
    return typeof read === "function" ? read.bind(whole) : read;
  }
  if (how === "fetched") return async (key: string) => fetched(found, key);
  if (how !== undefined) return how;
  found.touched.push(name);
  throw outsideTouched(found.touched);
};

const fetched = ({ objects, wanted }: Found, key: string): Uint8Array | null => {
  const bytes = objects.get(key);
  if (bytes !== undefined) return bytes;
  wanted.push(key);
  throw new Error("the dry run starts again once it has the object");
};

const outsideTouched = (touched: readonly string[]): Error =>
  new Error(`a dry run touched ${touched.join(", ")}: the operation needs a plan of its own`);
