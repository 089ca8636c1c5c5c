import type { Json, Kv } from "#plugins/sdk/types.ts";
import { switchesIn } from "../switches.ts";
import type { Switches } from "../wire.ts";

/** Switches as the change service set them last; `turn` grows each time. */
export type Announced = { turn: number; switches: Switches };

/**
 * What the change service itself set the switches to. Anybody with the form of the plugin's settings can write the settings, so that
 * only what stands here as well is known to have been checked.
 */
export type AnnouncedStore = {
  /** `null` where the change service has set nothing yet. Throws what the store throws. */
  load(): Promise<Announced | null>;
  /** Sets some of them over what stands here, or else over `base`. Throws what the store throws. */
  put(patch: Partial<Switches>, base: Switches): Promise<Announced>;
};

const key = "announced";
const tries = 5;

/** Kept in one row. */
export const createAnnouncedStore = (kv: Pick<Kv, "entry" | "set">): AnnouncedStore => {
  const read = async (): Promise<{ row: Announced | null; version: number }> => {
    const entry = await kv.entry(key);
    return entry === undefined
      ? { row: null, version: 0 }
      : { row: rowIn(entry.value), version: entry.version };
  };

  const put = async (patch: Partial<Switches>, base: Switches, turn = 1): Promise<Announced> => {
    const { row, version } = await read();
    const next = { turn: (row?.turn ?? 0) + 1, switches: { ...(row?.switches ?? base), ...patch } };
    try {
      await kv.set(key, next, { ifVersion: version });
      return next;
    } catch (error) {
      const isLate = error instanceof Error && error.name === "CONFLICT";
      if (!isLate || turn === tries) throw error;
      return put(patch, base, turn + 1);
    }
  };

  return { load: async () => (await read()).row, put: (patch, base) => put(patch, base) };
};

const rowIn = (value: Json): Announced | null => {
  const { turn, switches } = Object(value);
  if (typeof turn !== "number" || typeof switches !== "object" || switches === null) return null;
  return { turn, switches: switchesIn(switches) };
};

/** Whether two say the same of each switch. */
export const areSame = (one: Switches, other: Switches): boolean =>
  JSON.stringify(switchesIn(one)) === JSON.stringify(switchesIn(other));
