import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Engine, EngineOptions } from "../engine/engine-types.ts";
import { builtInExemptions } from "../rules/built-in.ts";
import { createPathTest, type PathTest } from "../rules/path-pattern.ts";
import { readRange } from "../rules/range.ts";
import type { Rules, StoredAddress, StoredRate } from "../rules/rules.ts";
import type { Role, Switches } from "../wire.ts";

/** A rate rule with what is asked at each request prepared. */
export type CompiledRate = StoredRate & { test: PathTest; roleSet: ReadonlySet<Role> };

/** Rules and switches, prepared for requests. */
export type Compiled = {
  switches: Switches;
  /** The narrowest entry that an address lies in, `null` where it lies in none. */
  entryAt(address: string): StoredAddress | null;
  /** When the next entry expires and all this has to be made anew, in milliseconds since 1970; `Infinity` for never. */
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

export type CompileOptions = {
  rules: Rules;
  switches: Switches;
  host: Pick<NativeHost, "addressTest">;
  engine: Engine | null;
  nowMs: number;
};

/** Prepares rules and switches; takes milliseconds with thousands of entries, so never while a request waits. */
export const compile = ({ rules, switches, host, engine, nowMs }: CompileOptions): Compiled => {
  const { entryAt, expiresAt } = compileAddresses(rules.addresses, host, nowMs);
  const wholes = [...builtInExemptions, ...rules.exemptions]
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
  nowMs: number,
): Pick<Compiled, "entryAt" | "expiresAt"> => {
  const alive = entries
    .map((entry) => ({ entry, endsAt: entry.expiresAt === null ? Infinity : Date.parse(entry.expiresAt) }))
    .filter(({ endsAt }) => endsAt > nowMs);
  const expiresAt = alive.reduce((soonest, { endsAt }) => Math.min(soonest, endsAt), Infinity);
  if (alive.length === 0) return { entryAt: () => null, expiresAt };
  const sorted = alive
    .map(({ entry }) => ({ entry, prefix: readRange(entry.range)?.prefix ?? 0 }))
    .sort((one, other) => other.prefix - one.prefix)
    .map(({ entry }) => entry);
  const test = host.addressTest(sorted.map(({ range }) => range));
  return { entryAt: (address) => sorted[test(address)] ?? null, expiresAt };
};

/** What of rules and switches an engine is made of. */
export const engineOptionsOf = (rules: Rules, switches: Switches): EngineOptions => ({
  paranoia: switches.paranoiaLevel,
  threshold: switches.threshold,
  switchedOff: new Set(rules.switchedOff),
  exemptions: [...builtInExemptions, ...rules.exemptions],
});

/** Tells options apart: the same text, the same engine. */
export const engineKey = (rules: Rules, switches: Switches): string =>
  JSON.stringify([switches.paranoiaLevel, switches.threshold, rules.switchedOff, rules.exemptions]);
