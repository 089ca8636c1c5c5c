import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Json, Kv } from "#plugins/sdk/types.ts";
import { againOnConflict } from "../stored.ts";
import { revisionIn, switchesIn } from "../switches.ts";
import { texts } from "../texts.ts";
import type { Switches } from "../wire.ts";
import { type AdminsSeen, isRisky, type State, whyNewlyShutOut } from "./lock-out.ts";
import { alsoNamed, extended, type PendingStore } from "./pending.ts";

type SettingsWatchParts = {
  host: Pick<NativeHost, "addressTest" | "countryOf" | "knowsCountries">;
  announced: AnnouncedStore;
  pendingStore: PendingStore;
  seen: AdminsSeen;
  state(): State;
  revision(): number;
  put(switches: Switches): void;
  announce(patch: Partial<Switches>): Promise<void>;
  tell(what: string): Promise<void>;
  /** Adds to the history what is another than `before`. */
  keep(what: string, before: State): Promise<void>;
  now(): number;
};

// An announcement of another replica stands in its row a moment before it is heard of.
const staleMs = 3_000;

/**
 * Looks at what stands in the settings, of which anything may have been saved in their form, past the change service.
 * Nothing was heard yet.
 */
export const createSettingsWatch = (parts: SettingsWatchParts, initial: Readonly<Record<string, Json>>) => {
  const { host, announced, pendingStore, seen, now } = parts;
  let latest = initial;
  let isDue = false;
  let staleSince: number | null = null;

  const waits = (what: string, back: Switches) => ({
    ...{ revision: parts.revision(), ...extended(null, now()) },
    ...{ by: "an admin", byId: null, whats: [what], more: 0, switches: back },
  });

  const whyRefused = async (before: State, after: State): Promise<string | null> => {
    if ((await pendingStore.load()) !== null) return texts.formWhilePending;
    if (after.switches.developmentModeEnabled) return null;
    for (const ip of await seen.addresses()) {
      const why = whyNewlyShutOut({ host, now }, before, after, ip);
      if (why !== null) return texts.formShutsOut(ip, why);
    }
    return null;
  };

  const takeFromForm = async (old: Switches, said: Switches): Promise<void> => {
    const { rules } = parts.state();
    const [before, after] = [
      { rules, switches: old },
      { rules, switches: said },
    ];
    if (isRisky(before, after, host.knowsCountries)) {
      const refusal = await whyRefused(before, after);
      if (refusal !== null) {
        await parts.announce(old);
        await parts.tell(refusal);
        return;
      }
      // Kept before it is in force: what shuts everybody out has its way back by then.
      await pendingStore.keep(waits(texts.byForm, old), rules);
    }
    await parts.announce(said);
    await parts.keep(texts.byForm, before);
  };

  /** Older than what the change service set: heard of too late, or saved in a form with a number that somebody made up. */
  const takeOld = async (row: Announced): Promise<void> => {
    parts.put(row.switches);
    staleSince ??= now();
    isDue = true;
    if (now() - staleSince < staleMs) return;
    await parts.announce({});
    [isDue, staleSince] = [false, null];
    await parts.tell(texts.formTooOld);
  };

  const look = async (): Promise<void> => {
    isDue = true;
    const row = await announced.load();
    const said = switchesIn(latest);
    const old = row?.switches ?? parts.state().switches;
    if (!areSame(said, old) && row !== null && revisionIn(latest) < row.turn) return takeOld(row);
    staleSince = null;
    if (areSame(said, old)) parts.put(said);
    else await takeFromForm(old, said);
    isDue = false;
  };

  /** Enabled again by whoever it may keep out: unless somebody confirms it, it is switched off. */
  const waitAfterEnabling = async (said: Switches): Promise<void> => {
    const { rules } = parts.state();
    const off = { ...said, masterSwitchEnabled: false };
    const waiting = await pendingStore.load();
    if (waiting !== null) {
      const switches = { ...waiting.switches, masterSwitchEnabled: false };
      const named = alsoNamed(waiting, texts.byEnabling);
      await pendingStore.keep({ ...waiting, ...named, ...extended(null, now()), switches }, null);
    } else if (isRisky({ rules, switches: off }, { rules, switches: said }, host.knowsCountries))
      await pendingStore.keep(waits(texts.byEnabling, off), rules);
    await announced.put(said, said);
  };

  return {
    /** The host, or the change service itself, says what stands there. */
    hear: (settings: Readonly<Record<string, Json>>) => {
      latest = settings;
    },
    /** Puts in force what the change service set, and what was saved in the form as far as that shuts nobody out. Throws what stores throw. */
    look,
    /** The same at a start, when settings cannot be saved yet: never throws, and leaves the rest to the next look. */
    start: async (isEnabled: boolean) => {
      const said = switchesIn(latest);
      try {
        if (isEnabled) await waitAfterEnabling(said);
        const row = await announced.load();
        parts.put(row?.switches ?? said);
        isDue = row !== null && !areSame(row.switches, said);
      } catch {
        parts.put(said);
        isDue = true;
      }
    },
    /** Whether a look is due. */
    get isDue() {
      return isDue;
    },
  };
};

/** Switches as the change service set them last; `turn` grows each time. */
type Announced = { turn: number; switches: Switches };

/**
 * What the change service itself set the switches to. Anybody with the form of the plugin's settings can write the settings, so that
 * only what stands here as well is known to have been checked.
 */
export type AnnouncedStore = ReturnType<typeof createAnnouncedStore>;

const key = "announced";

/** Kept in one row. */
export const createAnnouncedStore = (kv: Pick<Kv, "entry" | "set">) => {
  const read = async (): Promise<{ row: Announced | null; version: number }> => {
    const entry = await kv.entry(key);
    return entry === undefined
      ? { row: null, version: 0 }
      : { row: rowIn(entry.value), version: entry.version };
  };

  return {
    /** `null` where the change service has set nothing yet. Throws what the store throws. */
    load: async (): Promise<Announced | null> => (await read()).row,
    /** Sets some of them over what stands here, or else over `base`. Throws what the store throws. */
    put: (patch: Partial<Switches>, base: Switches): Promise<Announced> =>
      againOnConflict(async () => {
        const { row, version } = await read();
        const next = { turn: (row?.turn ?? 0) + 1, switches: { ...(row?.switches ?? base), ...patch } };
        await kv.set(key, next, { ifVersion: version });
        return next;
      }),
  };
};

const rowIn = (value: Json): Announced | null => {
  const { turn, switches } = Object(value);
  if (typeof turn !== "number" || typeof switches !== "object" || switches === null) return null;
  return { turn, switches: switchesIn(switches) };
};

/** Whether two say the same of each switch. */
export const areSame = (one: Switches, other: Switches): boolean =>
  JSON.stringify(switchesIn(one)) === JSON.stringify(switchesIn(other));
