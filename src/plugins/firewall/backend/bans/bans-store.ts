import type { Json, Kv } from "#plugins/sdk/types.ts";
import { createPartedDocument, readUndamaged } from "../store/parted-document.ts";
import type { Bans, KeptBan } from "./bans.ts";

/** Shares bans between replicas, and keeps them over a restart. */
export type BansStore = {
  /**
   * Takes in what others wrote, and writes what changed here; resolves to whether anything did. One at a time. Throws what
   * the store throws; it is tried again then.
   */
  sync(): Promise<boolean>;
};

const tries = 5;

/** The stored bans, with `bans` being what this replica knows. */
export const createBansStore = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">, bans: Bans): BansStore => {
  const document = createPartedDocument(kv, "bans");
  let version = 0;
  let isBehind = false;
  let turn: Promise<unknown> = Promise.resolve();

  const takeIn = async (): Promise<void> => {
    // A damaged list keeps nobody in or out that the memory does not: it is written anew.
    const found = await readUndamaged(document);
    bans.merge(readBans(found?.value));
    version = found?.version ?? (await document.version().catch(() => 0));
  };

  const write = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        version = await document.write(bans.kept() satisfies Json, version);
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === tries) throw error;
        await takeIn();
      }
    }
  };

  const sync = async (): Promise<boolean> => {
    const hasChanged = bans.takeChanged() || isBehind;
    isBehind = hasChanged;
    if (version === 0 || (await document.version()) !== version) await takeIn();
    if (!hasChanged) return false;
    await write();
    isBehind = false;
    return true;
  };

  return {
    sync: () => {
      const done = turn.then(sync, sync);
      turn = done.catch(() => {});
      return done;
    },
  };
};

const isConflict = (error: unknown): boolean => error instanceof Error && error.name === "CONFLICT";

const readBans = (value: unknown): KeptBan[] => (Array.isArray(value) ? value.filter(isBan) : []);

/** Written by this plugin alone: what is no ban was damaged. */
const isBan = (value: unknown): value is KeptBan => {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(Object(value)));
  return (
    ["address", "reason", "author"].every((name) => typeof fields[name] === "string") &&
    ["since", "until", "times", "hits", "changedAt"].every((name) => Number.isFinite(fields[name]))
  );
};
