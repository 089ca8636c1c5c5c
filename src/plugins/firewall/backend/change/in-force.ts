import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Engine, EngineOptions } from "../engine/engine-types.ts";
import { builtInExemptions } from "../rules/built-in.ts";
import { createPathTest, type PathTest } from "../rules/path-pattern.ts";
import { isInRange, readRange } from "../rules/range.ts";
import { noRules, type Rules, type StoredAddress, type StoredRate } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import type { Role, Switches } from "../wire.ts";

/** What requests are judged by at this moment. */
export type InForce = ReturnType<typeof createInForce>;

type InForceOptions = {
  host: Pick<NativeHost, "addressTest">;
  makeEngine: MakeEngine;
  now(): number;
  /** Something could not be prepared. */
  failed(error: unknown): void;
};

/** No rules, and all switches as they are by default: the master switch is off. */
export const createInForce = ({ host, makeEngine, now, failed }: InForceOptions) => {
  let engine: { key: string; made: Engine } | null = null;
  let hasEngineFailed = false;

  const engineFor = (rules: Rules, switches: Switches): Engine | null => {
    if (!switches.patternsEnabled || !switches.masterSwitchEnabled) return null;
    const key = engineKey(rules, switches);
    if (engine?.key === key) return engine.made;
    try {
      engine = { key, made: makeEngine(engineOptionsOf(rules, switches)) };
      hasEngineFailed = false;
    } catch (error) {
      hasEngineFailed = true;
      failed(error);
    }
    return engine?.made ?? null;
  };

  const prepare = (rules: Rules, switches: Switches): Compiled =>
    compile({ rules, switches, host, engine: engineFor(rules, switches), now });

  let current = { rules: noRules, switches: defaultSwitches, compiled: prepare(noRules, defaultSwitches) };

  const put = (rules: Rules, switches: Switches): void => {
    try {
      current = { rules, switches, compiled: prepare(rules, switches) };
    } catch (error) {
      failed(error);
      // Addresses that cannot be prepared are no reason to keep the switches from working.
      current = { ...current, switches, compiled: { ...current.compiled, switches } };
    }
  };

  return {
    get rules() {
      return current.rules;
    },
    get switches() {
      return current.switches;
    },
    /** Prepared for requests. */
    compiled: (): Compiled => current.compiled,
    /** Prepares all of it anew when an entry has expired: takes long with thousands, so that no request does it. */
    renew: () => {
      if (now() >= current.compiled.expiresAt) put(current.rules, current.switches);
    },
    /** Puts others in force. What cannot be prepared leaves what was in force before. */
    put,
    /** Whether the patterns could not be prepared as they are wanted. */
    get hasEngineFailed() {
      return hasEngineFailed;
    },
  };
};

/** A rate rule with what is asked at each request prepared. */
export type CompiledRate = StoredRate & { test: PathTest; roleSet: ReadonlySet<Role> };

/** Rules and switches, prepared for requests. */
export type Compiled = {
  switches: Switches;
  /** The narrowest entry that an address lies in, `null` where it lies in none. */
  entryAt(address: string): StoredAddress | null;
  /** When the next entry expires and all this is to be made anew, in milliseconds since 1970; `Infinity` for never. */
  expiresAt: number;
  countryMode: Rules["countries"]["mode"];
  countries: ReadonlySet<string>;
  rates: readonly CompiledRate[];
  /** `null` while patterns are off. */
  engine: Engine | null;
  /** Whether nothing of such a request is looked through for patterns. */
  isExempt(method: string, path: string): boolean;
};

/** Makes an engine; throws when it cannot. */
export type MakeEngine = (options: EngineOptions) => Engine;

type CompileOptions = {
  rules: Rules;
  switches: Switches;
  host: Pick<NativeHost, "addressTest">;
  engine: Engine | null;
  now(): number;
};

/** Prepares rules and switches; takes milliseconds with thousands of entries, so never while a request waits. */
export const compile = ({ rules, switches, host, engine, now }: CompileOptions): Compiled => {
  const { entryAt, expiresAt } = compileAddresses(rules.addresses, host, now);
  // Those that are built in are about a part of a request each.
  const wholes = rules.exemptions
    .filter(({ fields, categories }) => fields.length === 0 && categories.length === 0)
    .map(({ method, path }) => ({ method, test: createPathTest(path) }));
  return {
    switches,
    entryAt,
    expiresAt,
    countryMode: rules.countries.mode,
    countries: new Set(rules.countries.codes),
    rates: rules.rates
      .filter(({ isOn }) => isOn)
      .map((rule) => ({ ...rule, test: createPathTest(rule.path), roleSet: new Set(rule.roles) })),
    engine,
    isExempt: (method, path) =>
      wholes.some((whole) => (whole.method === "*" || whole.method === method) && whole.test(path)),
  };
};

/** Narrowest first, so that an exception from a wider range is found before it. */
const compileAddresses = (
  entries: readonly StoredAddress[],
  host: Pick<NativeHost, "addressTest">,
  now: () => number,
): Pick<Compiled, "entryAt" | "expiresAt"> => {
  const nowMs = now();
  const alive = entries
    .map((entry) => ({ entry, endsAt: endOf(entry) }))
    .filter(({ endsAt }) => endsAt > nowMs);
  const expiresAt = alive.reduce((soonest, { endsAt }) => Math.min(soonest, endsAt), Infinity);
  if (alive.length === 0) return { entryAt: () => null, expiresAt };
  const sorted = alive
    .map(({ entry }) => ({ entry, prefix: prefixOf(entry.range) }))
    .sort((one, other) => other.prefix - one.prefix)
    .map(({ entry }) => entry);
  const test = host.addressTest(sorted.map(({ range }) => range));
  // For the moment until all is prepared anew: what has expired decides nothing, the next wider entry does.
  const behind = (address: string, at: number): StoredAddress | null =>
    sorted.slice(at + 1).find((entry) => endOf(entry) > now() && isInside(address, entry.range)) ?? null;
  return {
    expiresAt,
    entryAt: (address) => {
      const at = test(address);
      const entry = sorted[at];
      if (entry === undefined) return null;
      return entry.expiresAt === null || endOf(entry) > now() ? entry : behind(address, at);
    },
  };
};

const endOf = ({ expiresAt }: StoredAddress): number =>
  expiresAt === null ? Infinity : Date.parse(expiresAt);

/** Stored ranges are in canonical writing: a single address has no prefix, and nothing is narrower. */
const prefixOf = (range: string): number => {
  const at = range.indexOf("/");
  return at < 0 ? 128 : Number(range.slice(at + 1));
};

const isInside = (address: string, text: string): boolean => {
  const range = readRange(text);
  return range !== null && isInRange(address, range);
};

/** What of rules and switches an engine is made of. */
export const engineOptionsOf = (rules: Rules, switches: Switches): EngineOptions => ({
  paranoia: switches.paranoiaLevel,
  threshold: switches.threshold,
  switchedOff: new Set(rules.switchedOff),
  exemptions: [...builtInExemptions, ...rules.exemptions],
});

/** Tells options apart: the same text, the same engine. */
const engineKey = (rules: Rules, switches: Switches): string =>
  JSON.stringify([switches.paranoiaLevel, switches.threshold, rules.switchedOff, rules.exemptions]);
