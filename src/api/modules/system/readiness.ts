import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { Context, Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { MetricsEndpoint, PartState, Readiness, ReadinessPart, ReadyReport } from "#api/core/metrics.ts";
import { within } from "#api/core/timing.ts";
import type { ServiceState } from "#contract/settings.ts";

type ReadinessServices = Pick<
  Services,
  "clock" | "database" | "disk" | "log" | "outbox" | "plugins" | "serviceStates"
>;
type Seen = Omit<PartState, "since">;

const storageMs = 1_000;
const rememberedMs = 1_000;
const retryAfterS = 5;

/**
 * Looks at the parts, once a second at most, whoever asks; at the database each time. Only without it nothing can be
 * answered; whatever else is away is told as degraded.
 */
export const createReadiness = (services: ReadinessServices, isDraining: () => boolean): Readiness => {
  const { clock, database, log } = services;
  const known = new Map<ReadinessPart, PartState>();
  let parts: { at: number; read: Promise<ReadyReport["parts"]> } | null = null;

  const recorded = (part: ReadinessPart, seen: Seen): PartState => {
    const before = known.get(part);
    const since = before?.state === seen.state ? before.since : clock.now().toISOString();
    const state = { ...seen, since };
    known.set(part, state);
    return state;
  };

  const look = async (): Promise<ReadyReport["parts"]> => {
    const storage = await storageOf(services).catch((error): Seen => {
      log.debug("the state of the object storage could not be read", { error: describeError(error) });
      return { state: "away", note: "Its state cannot be read" };
    });
    return {
      database: recorded("database", { state: "up", note: null }),
      disk: recorded("disk", diskOf(services)),
      redis: recorded("redis", serviceOf(services.serviceStates.redis())),
      storage: recorded("storage", storage),
      mail: recorded("mail", mailOf(services)),
      plugins: recorded("plugins", pluginsOf(services)),
    };
  };

  const recent = (): Promise<ReadyReport["parts"]> => {
    const now = clock.uptimeMs();
    if (parts === null || now - parts.at >= rememberedMs) parts = { at: now, read: look() };
    return parts.read;
  };

  return {
    read: async () => {
      if (isDraining())
        throw new AppError("SHUTTING_DOWN", undefined, { retryAfterS, data: { status: "draining" } });
      try {
        await database.check();
      } catch (cause) {
        recorded("database", { state: "away", note: "It does not respond" });
        parts = null;
        throw new AppError("DB_UNAVAILABLE", undefined, {
          cause,
          retryAfterS: 1,
          data: { status: "unavailable" },
        });
      }
      const now = await recent();
      const isWhole = Object.values(now).every(({ state }) => state !== "away" && state !== "degraded");
      return { status: isWhole ? "ready" : "degraded", parts: now };
    },
  };
};

const storageOf = async ({ serviceStates }: ReadinessServices): Promise<Seen> =>
  serviceOf(await within(storageMs, serviceStates.storage()));

const serviceOf = ({ state, reason }: Pick<ServiceState, "state" | "reason">): Seen => ({
  state: state === "connecting" ? "starting" : state,
  note: reason,
});

const diskOf = ({ disk, database }: ReadinessServices): Seen => {
  const { freeBytes, isLow } = disk.read();
  if (!isLow || freeBytes === null) return { state: "up", note: null };
  const left = `${Math.floor(freeBytes / 1_000_000)} MB are left`;
  const fails =
    database.kind === "embedded" ? "writes are refused" : "backups and files of plugins may not fit";
  return { state: "degraded", note: `${left}: ${fails}` };
};

const mailOf = ({ outbox }: ReadinessServices): Seen => {
  const { isHealthy, lastError } = outbox.health();
  return isHealthy ? { state: "up", note: null } : { state: "away", note: lastError };
};

const pluginsOf = ({ plugins }: ReadinessServices): Seen => {
  if (plugins.isSafeMode) return { state: "unused", note: "Started in safe mode" };
  const states = plugins.states();
  const failing = states.filter(({ state }) => state === "failed" || state === "quarantined");
  if (failing.length > 0)
    return { state: "degraded", note: failing.map(({ name, state }) => `${name}: ${state}`).join(", ") };
  return { state: states.some(({ state }) => state === "starting") ? "starting" : "up", note: null };
};

/**
 * Whether requests can be answered; strangers read no more than the word. Throws as {@link Readiness} does, and
 * `RATE_LIMITED` for wrong bearers as the metrics do: who brings none always gets the word.
 */
export const readReadiness = async (
  ctx: Context,
  readiness: Readiness,
  { door, bearer }: { door: MetricsEndpoint; bearer: string | null },
): Promise<Pick<ReadyReport, "status"> & Partial<ReadyReport>> => {
  const isTrusted =
    ctx.actor.kind === "operator" ||
    (bearer !== null && door.isAllowed !== null && (await isMetricsBearer(ctx, door.isAllowed, bearer)));
  const { status, parts } = await readiness.read();
  return isTrusted ? { status, parts } : { status };
};

/** The same with its parts, for admins. Throws as {@link Readiness} does. */
export const readParts = (ctx: Context, readiness: Readiness): Promise<ReadyReport> => {
  requireAdmin(ctx);
  return readiness.read();
};

const mostWrong = 20;
const windowMs = 60_000;

/**
 * Whether a bearer is the token of `METRICS_TOKEN`. Throws `RATE_LIMITED` after 20 wrong ones a minute from one network,
 * whatever the address they were tried at; the right one always gets in.
 */
const isMetricsBearer = async (
  ctx: Pick<Context, "attempts" | "ip">,
  isAllowed: NonNullable<MetricsEndpoint["isAllowed"]>,
  bearer: string | null,
): Promise<boolean> => {
  if (isAllowed(bearer)) return true;
  await ctx.attempts.spend(
    placeBudgets(ctx.ip, {
      key: "metrics:",
      ...{ most: mostWrong, windowMs },
      message: (waitS) => `Too many wrong tokens, please wait ${waitS} seconds`,
    }),
  );
  return false;
};

/**
 * The figures, for the operator and whoever brings the right token. Throws `NOT_FOUND` where there is no token,
 * `NOT_SIGNED_IN` for a wrong one, and `RATE_LIMITED` after 20 wrong ones a minute from one network; the right one always
 * gets in.
 */
export const readMetrics = async (
  ctx: Context,
  door: MetricsEndpoint,
  bearer: string | null,
): Promise<string> => {
  if (door.isAllowed === null) throw new AppError("NOT_FOUND");
  if (ctx.actor.kind === "operator" || (await isMetricsBearer(ctx, door.isAllowed, bearer)))
    return door.text();
  throw new AppError("NOT_SIGNED_IN", "The token is missing or wrong");
};
