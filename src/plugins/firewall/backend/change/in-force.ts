import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Engine } from "../engine/engine-types.ts";
import { type Compiled, compile, engineKey, engineOptionsOf, type MakeEngine } from "../inspect/compiled.ts";
import { noRules, type Rules } from "../rules/rules.ts";
import { defaultSwitches } from "../switches.ts";
import type { Switches } from "../wire.ts";

/** What requests are judged by at this moment. */
export type InForce = {
  readonly rules: Rules;
  readonly switches: Switches;
  /** Prepared for requests. */
  compiled(): Compiled;
  /** Prepares all of it anew when an entry has expired: takes long with thousands, so that no request does it. */
  renew(): void;
  /** Puts others in force. What cannot be prepared leaves what was in force before. */
  put(rules: Rules, switches: Switches): void;
  /** Whether the patterns could not be prepared as they are wanted. */
  readonly hasEngineFailed: boolean;
};

export type InForceOptions = {
  host: Pick<NativeHost, "addressTest">;
  makeEngine: MakeEngine;
  now(): number;
  /** Something could not be prepared. */
  failed(error: unknown): void;
};

/** No rules, and all switches as they are by default: the master switch is off. */
export const createInForce = ({ host, makeEngine, now, failed }: InForceOptions): InForce => {
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
    compiled: () => current.compiled,
    renew: () => {
      if (now() >= current.compiled.expiresAt) put(current.rules, current.switches);
    },
    put,
    get hasEngineFailed() {
      return hasEngineFailed;
    },
  };
};
