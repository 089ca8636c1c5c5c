import { inArray, sql } from "drizzle-orm";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { idOfActor } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { networkOf } from "#api/core/circumstances.ts";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Writable } from "#api/core/writable.ts";
import { pluginRules } from "#api/db/schema.ts";
import type { Exchange } from "#api/door/exchange.ts";
import type { GuardRule, Json, RuleHits } from "#plugins/sdk/types.ts";
import type { GuardAccess } from "../host-functions/core-functions.ts";
import { type CheckedRules, checkRules } from "./check-rules.ts";
import { type CompiledRules, type CountryOf, compileRules } from "./compile-rules.ts";

/** A request as the guard sees it. */
type GuardedRequest = Pick<
  Exchange,
  "request" | "requestId" | "path" | "search" | "userAgent" | "ip" | "actor" | "trace"
>;

/** Why a request is stopped: a refusal by a kind of rule, or the response of a native plugin. */
export type Verdict = { refusal: AppError; by: GuardRule["kind"] } | { response: Response };
type Outcome = Verdict | null | Promise<Verdict | null>;

/** Rules of plugins for requests, applied before anything else. */
export type Guard = {
  /** Replaces a plugin's rules with checked ones; counts start over. */
  set(plugin: string, rules: readonly GuardRule[]): void;
  /** Sets the hook by which a native plugin inspects each request. */
  setHooks(plugin: string, hooks: readonly BeforeHook[]): void;
  /** Removes rules and hooks. */
  remove(plugin: string): void;
  stats(plugin: string): RuleHits[];
  checkRules(value: Json): CheckedRules;
  /** There is nothing to check, so requests cost nothing here. */
  readonly isIdle: boolean;
  /** Whether anything is counted by user. */
  readonly hasUserRules: boolean;
  /** Decides about a request before its user is known. Never throws. */
  check(request: GuardedRequest): Outcome;
  /** The same for what is counted by user, once that is known. Never throws. */
  checkUser(request: GuardedRequest): Outcome;
};

type GuardOptions = Pick<Services, "activity" | "clock" | "log"> & {
  /** Separate from the core's request counter, so that a plugin's keys can't evict its keys. */
  limiter: RateLimiter;
  countryOf: CountryOf | null;
  /** A hook of a plugin threw, or took too long. */
  hookFailed(plugin: string, reason: string): void;
};

type Guarding = { compiled: CompiledRules; hits: number[]; hooks: readonly BeforeHook[] };
type Stage = "first" | "user";

/** A guard without rules. */
export const createGuard = (options: GuardOptions): Guard => {
  const { limiter, countryOf, log, activity, clock } = options;
  const plugins = new Map<string, Guarding>();
  let order: [name: string, guarding: Guarding][] = [];

  const update = (name: string, change: Partial<Guarding>): void => {
    const none = { compiled: compileRules([], countryOf), hits: [], hooks: [] };
    const next = { ...none, ...plugins.get(name), ...change };
    if (next.compiled.rules.length === 0 && next.hooks.length === 0) plugins.delete(name);
    else plugins.set(name, next);
    order = [...plugins];
    guard.isIdle = order.length === 0;
    guard.hasUserRules = order.some(([, { compiled }]) => compiled.rules.some(({ rule }) => isByUser(rule)));
  };

  const record = (name: string, index: number, rule: GuardRule, request: GuardedRequest): void => {
    const guarding = plugins.get(name);
    if (guarding !== undefined) guarding.hits[index] = (guarding.hits[index] ?? 0) + 1;
    if (isAllowing(rule)) return;
    const isStopped = rule.kind !== "pattern" || rule.action === "block";
    if (isStopped) request.trace.isRecorded = true;
    const { actor, requestId, ip, userAgent } = request;
    activity.note({
      entry: {
        type: "suspicious_activity",
        status: "warning",
        severity: isStopped ? "medium" : "low",
        pluginName: name,
        action: `${isStopped ? "Blocked" : "Noticed"} requests by rule ${index} (${rule.kind})`,
      },
      source: { actor, requestId, ip, userAgent },
      at: clock.now(),
    });
  };

  /** Checks one plugin's rules from `from` on; the first that matches decides, and one that allows ends the search. */
  const askRules = (stage: Stage, name: string, guarding: Guarding, request: GuardedRequest): Outcome => {
    const { rules, findPatterns } = guarding.compiled;
    const patterns = findPatterns(request);
    const askFrom = (from: number): Outcome => {
      for (let index = from; index < rules.length; index += 1) {
        const compiled = rules[index];
        if (compiled === undefined || (stage === "user") !== isByUser(compiled.rule)) continue;
        if (!compiled.decides(request, patterns)) continue;
        const { rule } = compiled;
        if (rule.kind === "rate") {
          const taken = take(name, index, rule, request);
          if (taken instanceof Promise) return taken.then((verdict) => verdict ?? askFrom(index + 1));
          if (taken !== null) return taken;
          continue;
        }
        record(name, index, rule, request);
        if (isAllowing(rule)) return null;
        if (rule.action === "block") return { refusal: new AppError("REQUEST_BLOCKED"), by: rule.kind };
      }
      return null;
    };
    return askFrom(0);
  };

  const take = (
    name: string,
    index: number,
    rule: GuardRule & { kind: "rate" },
    request: GuardedRequest,
  ): Outcome => {
    const { max, windowMs } = rule;
    const judge = ({ isAllowed, resetMs }: { isAllowed: boolean; resetMs: number }): Verdict | null => {
      if (isAllowed) return null;
      record(name, index, rule, request);
      const retryAfterS = Math.max(1, Math.ceil(resetMs / 1_000));
      return { refusal: new AppError("RATE_LIMITED", rule.message, { retryAfterS }), by: "rate" };
    };
    const decision = limiter.take(`${name}\n${index}\n${rateKey(rule, request)}`, { max, windowMs });
    return decision instanceof Promise ? decision.then(judge) : judge(decision);
  };

  const askPlugin = (stage: Stage, name: string, guarding: Guarding, request: GuardedRequest): Outcome => {
    const byRules = guarding.compiled.rules.length === 0 ? null : askRules(stage, name, guarding, request);
    if (stage === "user" || guarding.hooks.length === 0) return byRules;
    return Promise.resolve(byRules).then(async (verdict) => {
      if (verdict !== null) return verdict;
      for (const hook of guarding.hooks) {
        const said = await runHook(hook, request, (reason) => options.hookFailed(name, reason));
        if (said !== undefined) return { response: said };
      }
      return null;
    });
  };

  const ask = (stage: Stage, request: GuardedRequest): Outcome => {
    const askFrom = (from: number): Outcome => {
      for (let at = from; at < order.length; at += 1) {
        const entry = order[at];
        if (entry === undefined) continue;
        const said = askPlugin(stage, entry[0], entry[1], request);
        if (said instanceof Promise) return said.then((verdict) => verdict ?? askFrom(at + 1));
        if (said !== null) return said;
      }
      return null;
    };
    // A rule that can't be checked must not block everything.
    const letPass = (error: unknown): null => {
      log.error("a request could not be guarded", {
        requestId: request.requestId,
        error: describeError(error),
      });
      return null;
    };
    try {
      const said = askFrom(0);
      return said instanceof Promise ? said.catch(letPass) : said;
    } catch (error) {
      return letPass(error);
    }
  };

  const guard: Writable<Guard> = {
    isIdle: true,
    hasUserRules: false,
    set: (plugin, rules) =>
      update(plugin, { compiled: compileRules(rules, countryOf), hits: rules.map(() => 0) }),
    setHooks: (plugin, hooks) => update(plugin, { hooks }),
    remove: (plugin) => update(plugin, { compiled: compileRules([], countryOf), hits: [], hooks: [] }),
    stats: (plugin) => {
      const guarding = plugins.get(plugin);
      return (guarding?.compiled.rules ?? []).map(({ rule }, index) => ({
        rule: index,
        hits: guarding?.hits[index] ?? 0,
        ...(rule.kind === "country" && countryOf === null ? { inert: true } : {}),
      }));
    },
    checkRules,
    check: (request) => ask("first", request),
    checkUser: (request) => ask("user", request),
  };
  return guard;
};

const isByUser = (rule: GuardRule): boolean => rule.kind === "rate" && rule.key === "user";

const isAllowing = (rule: GuardRule): boolean => rule.kind !== "rate" && rule.action === "allow";

const longestPathInKey = 64;

const rateKey = ({ key }: GuardRule & { kind: "rate" }, { ip, path, actor }: GuardedRequest): string => {
  const network = networkOf(ip);
  // Without a user, the IP address counts: no cookie selects another counter.
  if (key === "user")
    return actor.kind === "user" || actor.kind === "token" ? `user\n${idOfActor(actor)}` : network;
  if (key === "ip") return network;
  return `${network}\n${path.length <= longestPathInKey ? path : Bun.hash(path).toString(36)}`;
};

/** A native plugin's hook for each request; what it returns is the response. */
type BeforeHook = (
  request: Request,
  facts: { ip: string },
) => Response | undefined | Promise<Response | undefined>;

// A page is waiting for it.
const patienceMs = 1_000;

/**
 * Calls a hook; `undefined` lets the request pass. If it throws, takes longer than a second or returns something else,
 * the request passes, too, and the failure is reported. The hook gets a copy, so that the body can still be read
 * afterwards.
 */
const runHook = async (
  hook: BeforeHook,
  { request, ip }: { request: Request; ip: string },
  failed: (reason: string) => void,
): Promise<Response | undefined> => {
  const { promise: deadline, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), patienceMs);
  try {
    const said = await Promise.race([hook(copyOf(request), { ip }), deadline]);
    if (said === undefined || said instanceof Response) return said;
    failed(said === "late" ? "request.before took longer than a second" : "request.before gave no Response");
    return undefined;
  } catch (error) {
    failed(`request.before threw: ${describeError(error).message}`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
};

const copyOf = (request: Request): Request =>
  request.body === null
    ? new Request(request.url, { method: request.method, headers: request.headers })
    : request.clone();

/** The stored rules of plugins, so that every server applies the same ones. */
type GuardRules = GuardAccess & {
  /** Applies the stored rules of those plugins, and removes others. */
  refresh(names: readonly string[]): Promise<void>;
};

type GuardRulesOptions = Pick<Services, "db" | "clock" | "events" | "log"> & { guard: Guard };

/** Creates it without rules. */
export const createGuardRules = ({ db, clock, events, log, guard }: GuardRulesOptions): GuardRules => {
  const inForce = new Map<string, number>();

  const apply = (name: string, value: unknown, generation: number): void => {
    if (inForce.get(name) === generation) return;
    const read = guard.checkRules(asJson(value));
    if ("problem" in read) {
      log.warn("stored rules of a plugin cannot be used", { plugin: name, problem: read.problem });
      return;
    }
    put(name, read.rules, generation);
  };
  const put = (name: string, rules: GuardRule[], generation: number): void => {
    guard.set(name, rules);
    inForce.set(name, generation);
  };

  return {
    check: (value) => guard.checkRules(value),
    stats: (plugin) => guard.stats(plugin),
    save: async (plugin, rules) => {
      const generation = await storeRules(db, { plugin, rules, now: clock.now() });
      // They already apply: setting the same rules again is not announced to other servers.
      if (generation === null) return;
      if (inForce.get(plugin) !== generation) put(plugin, rules, generation);
      events.publish({ type: "plugins-changed", generation });
    },
    refresh: async (names) => {
      for (const name of inForce.keys()) {
        if (names.includes(name)) continue;
        inForce.delete(name);
        guard.remove(name);
      }
      if (names.length === 0) return;
      const rows = await db
        .select()
        .from(pluginRules)
        .where(inArray(pluginRules.plugin, [...names]));
      for (const { plugin, rules, generation } of rows) apply(plugin, rules, generation);
    },
  };
};

/** Stores rules, replacing the former ones, and resolves to their number; to `null` if they are the same. */
const storeRules = async (
  db: Database,
  { plugin, rules, now }: { plugin: string; rules: GuardRule[]; now: Date },
): Promise<number | null> => {
  const [row] = await db
    .insert(pluginRules)
    .values({ plugin, rules, generation: 1, updatedAt: now })
    .onConflictDoUpdate({
      target: pluginRules.plugin,
      set: { rules, generation: sql`${pluginRules.generation} + 1`, updatedAt: now },
      setWhere: sql`${pluginRules.rules} <> excluded.rules`,
    })
    .returning({ generation: pluginRules.generation });
  return row?.generation ?? null;
};

/** A `jsonb` column contains nothing else. */
const asJson = (value: unknown): Json => value as Json;
