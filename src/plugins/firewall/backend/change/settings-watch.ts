import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { revisionIn, switchesIn } from "../switches.ts";
import { texts } from "../texts.ts";
import type { Switches } from "../wire.ts";
import type { AdminsSeen } from "./admins-seen.ts";
import { type Announced, type AnnouncedStore, areSame } from "./announced-store.ts";
import { isRisky, type State } from "./exposure.ts";
import { whyNewlyShutOut } from "./own-address.ts";
import type { PendingStore } from "./pending-store.ts";
import { alsoNamed, extended } from "./trial.ts";

/** Looks at what stands in the settings, of which anything may have been saved in their form, past the change service. */
export type SettingsWatch = {
  /** The host, or the change service itself, says what stands there. */
  hear(settings: Readonly<Record<string, Json>>): void;
  /** Puts in force what the change service set, and what was saved in the form as far as that shuts nobody out. Throws what stores throw. */
  look(): Promise<void>;
  /** The same at a start, when settings cannot be saved yet: never throws, and leaves the rest to the next look. */
  start(isEnabled: boolean): Promise<void>;
  /** Whether a look is due. */
  readonly isDue: boolean;
};

export type SettingsWatchParts = {
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

/** Nothing was heard yet. */
export const createSettingsWatch = (
  parts: SettingsWatchParts,
  initial: Readonly<Record<string, Json>>,
): SettingsWatch => {
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
    hear: (settings) => {
      latest = settings;
    },
    look,
    start: async (isEnabled) => {
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
    get isDue() {
      return isDue;
    },
  };
};
