import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { mostAction, tellActivity } from "../journal/activity-notes.ts";
import type { RulesStore } from "../rules/rules-store.ts";
import { againOnConflict } from "../stored.ts";
import { texts } from "../texts.ts";
import type { PendingChange, Switches } from "../wire.ts";
import { changedParts, type History } from "./history.ts";
import type { InForce } from "./in-force.ts";
import { type AdminsSeen, type State, whyNewlyShutOut } from "./lock-out.ts";
import {
  type Change,
  type Editor,
  keepWayBack,
  type PendingStore,
  type StoredPending,
  whatOf,
} from "./pending.ts";
import { Refused } from "./refused.ts";
import { type AnnouncedStore, areSame, createSettingsWatch } from "./settings-watch.ts";

export type ChangeServiceParts = {
  ctx: Pick<NativeCtx, "settings" | "host" | "log"> & { activity: NativeCtx["activity"] };
  store: RulesStore;
  pendingStore: PendingStore;
  announced: AnnouncedStore;
  history: History;
  seen: AdminsSeen;
  inForce: InForce;
  now(): number;
};

const lookMs = 5_000;

/**
 * Changes switches and rules, on all replicas, so that nobody shuts themselves out. Changes come one after the other on
 * each replica; between replicas the store tells who was faster.
 */
export const createChangeService = (parts: ChangeServiceParts) => {
  const { ctx, store, pendingStore, announced, history, inForce, now } = parts;
  const { host } = ctx;
  let queue: Promise<unknown> = Promise.resolve();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work, work);
    queue = turn.catch(() => {});
    return turn;
  };

  const state = (): State => ({ rules: store.state.rules, switches: inForce.switches });

  const put = (switches: Switches): void => {
    const { rules } = store.state;
    const isKnown = rules === inForce.rules && areSame(switches, inForce.switches);
    if (!isKnown || inForce.hasEngineFailed) inForce.put(rules, switches);
  };

  const announce = async (patch: Partial<Switches>): Promise<void> => {
    const before = inForce.switches;
    const { turn, switches } = await announced.put(patch, before);
    const next = { ...switches, revision: turn };
    await ctx.settings.set(next).catch(async (error) => {
      // What was not set must not count as checked.
      await announced.put(before, before).catch(() => {});
      throw error;
    });
    watch.hear(next);
    put(switches);
  };

  /** Off is off, whatever else can be stored. */
  const announceOff = async (): Promise<void> => {
    const off = { masterSwitchEnabled: false };
    await announce(off).catch(async () => {
      await ctx.settings.set(off);
      put({ ...inForce.switches, ...off });
    });
  };

  const tell = (editor: Editor, what: string): Promise<void> =>
    tellActivity(ctx, {
      ...{ type: "configuration_changed", action: what, status: "success", severity: "medium" },
      // If the action is too long, the description has the whole text.
      description: `By ${editor.name}${editor.ip === null ? "" : ` from ${editor.ip}`}${
        what.length > mostAction ? `: ${what}` : ""
      }`,
    });

  /** Adds what is another than `before` to the history, which keeps no change from being made. */
  const keep = async (editor: Editor, what: string, before: State, reverts: number | null): Promise<void> => {
    const changed = changedParts(before, state());
    if (changed.length === 0) return;
    const at = new Date(now()).toISOString();
    await history
      .add({ at, by: editor.name, what, reverts, parts: changed })
      .catch((error) => ctx.log("warn", `A change could not be added to the history: ${error}`));
  };

  /** Does something of which `work` tells at its end what it was; `null` for nothing. */
  const recorded = async (editor: Editor, work: () => Promise<string | null>): Promise<void> => {
    // What another server changed meanwhile is not part of it.
    await refreshNow().catch(() => {});
    const before = state();
    const what = await work();
    if (what === null) return;
    await tell(editor, what);
    await keep(editor, what, before, null);
  };

  const refreshNow = async (): Promise<void> => {
    if (!(await store.isOutdated())) return;
    await store.load();
    inForce.put(store.state.rules, inForce.switches);
  };

  const checkPending = async ({ id }: Editor): Promise<StoredPending | null> => {
    const waiting = await pendingStore.load();
    if (waiting !== null && id !== null && waiting.byId !== id)
      throw new Refused(409, "CONFLICT", texts.pendingOfOther(waiting.by));
    return waiting;
  };

  const checkOwnAddress = (after: State, { ip }: Editor): void => {
    const why = ip === null ? null : whyNewlyShutOut({ host, now }, state(), after, ip);
    if (ip !== null && why !== null) throw new Refused(409, "OWN_ADDRESS", texts.ownAddress(ip, why));
  };

  const operator: Editor = { id: null, name: "the firewall", ip: null };
  const watch = createSettingsWatch(
    {
      ...{ host, announced, pendingStore, seen: parts.seen, state, put, announce, now },
      revision: () => store.state.revision,
      tell: (what) => tell(operator, what),
      keep: (what, before) => keep({ ...operator, name: "an admin" }, what, before, null),
    },
    ctx.settings.all(),
  );

  /** Resolves to what was in force before. */
  const attempt = async (change: Change): Promise<State> => {
    await refreshNow();
    await watch.look();
    const { trouble, revision } = store.state;
    if (trouble?.kind === "unreadable") throw new Refused(503, "RULES_CLOSED", texts.rulesClosed);
    if (change.revision !== undefined && change.revision !== revision)
      throw new Refused(409, "CONFLICT", texts.stale);
    const waiting = await checkPending(change.editor);
    const before = state();
    const rules = change.edit?.(before.rules, "in force") ?? before.rules;
    const after = { rules, switches: { ...before.switches, ...change.switches } };
    checkOwnAddress(after, change.editor);
    const undo = await keepWayBack(pendingStore, change, {
      before,
      after,
      waiting,
      revision,
      nowMs: now(),
      knowsCountries: host.knowsCountries,
    });
    try {
      await store.save(rules);
    } catch (error) {
      // Nothing was changed, so that nothing has to go back.
      await undo().catch(() => {});
      throw error;
    }
    await announce(change.switches ?? {});
    return before;
  };

  /** Ends a trial of which nothing is left. */
  const endUndone = async (): Promise<void> => {
    const waiting = await pendingStore.load();
    if (waiting === null) return;
    const back = { rules: await pendingStore.rulesBefore(), switches: waiting.switches };
    if (changedParts(back, state()).length === 0) await pendingStore.take(waiting.revision, false);
  };

  const takeBack = async (waiting: StoredPending, extra: Partial<Switches> = {}): Promise<boolean> => {
    if (!(await pendingStore.take(waiting.revision, true))) return false;
    const rules = await pendingStore.rulesBefore();
    await againOnConflict(async () => {
      await store.load();
      await store.save(rules);
    });
    await announce({ ...waiting.switches, ...extra });
    await pendingStore.clear();
    return true;
  };

  /** Ends what waits before the firewall is switched off: whoever made it is evidently still in. `true`: all is done. */
  const settle = async (
    waiting: StoredPending | null,
    editor: Editor,
    off: Partial<Switches>,
  ): Promise<boolean> => {
    if (waiting === null) return false;
    if (editor.id === null || waiting.byId !== editor.id) return takeBack(waiting, off);
    await pendingStore.take(waiting.revision, false);
    return false;
  };

  return {
    /** Reads what is stored and puts it in force; never throws. `isEnabled`: somebody enabled the plugin, it was not only started again. */
    start: (isEnabled: boolean) =>
      inTurn(async () => {
        await refreshNow().catch(() => store.load());
        watch.hear(ctx.settings.all());
        await watch.start(isEnabled);
        await pendingStore.load().catch(() => null);
      }),
    /** Throws {@link Refused}, and what the store throws; nothing is changed then. */
    change: (change: Change) =>
      inTurn(async () => {
        const { editor, what, reverts = null } = change;
        const before = await againOnConflict(() => attempt(change));
        // A trial that stays runs out, and changes nothing then.
        if (reverts !== null) await endUndone().catch(() => {});
        await tell(editor, what);
        await keep(editor, what, before, reverts);
      }),
    /** Switches the firewall off, whatever state its rules are in, and takes back what was not confirmed. */
    switchOff: (editor: Editor) =>
      inTurn(() =>
        recorded(editor, async () => {
          const off = { masterSwitchEnabled: false };
          const waiting = await pendingStore.load().catch(() => null);
          if (!(await settle(waiting, editor, off).catch(() => false))) await announceOff();
          return "Turned the firewall off";
        }),
      ),
    confirm: (editor: Editor, revision: number) =>
      inTurn(async () => {
        if (!(await pendingStore.take(revision, false))) throw new Refused(409, "CONFLICT", texts.notPending);
        await announce({});
        await tell(editor, "Confirmed a change to the firewall");
      }),
    revert: (editor: Editor, revision: number) =>
      inTurn(() =>
        recorded(editor, async () => {
          const waiting = await pendingStore.load();
          if (waiting?.revision !== revision || !(await takeBack(waiting)))
            throw new Refused(409, "CONFLICT", texts.notPending);
          return `Reverted: ${whatOf(waiting)}`;
        }),
      ),
    /** Stores what is in force over damaged rules; `false` when none were damaged. */
    restore: (editor: Editor) =>
      inTurn(async () => {
        await store.load();
        if (store.state.trouble?.kind !== "unreadable") return false;
        await store.restore();
        await announce({});
        await tell(editor, "Restored the last valid firewall rules");
        return true;
      }),
    /** The host says that settings changed, here or on another replica. */
    settingsChanged: (next: Readonly<Record<string, Json>>) => {
      watch.hear(next);
      return inTurn(async () => {
        await refreshNow();
        await watch.look();
        await pendingStore.load();
      });
    },
    /** Reads the stored rules when they are others than those in force. */
    refresh: () => inTurn(refreshNow),
    /** Takes back what was not confirmed in time, and looks at settings that were not looked at yet. */
    tick: async () => {
      if (watch.isDue) await inTurn(watch.look);
      const waiting = pendingStore.current;
      const isDue = waiting !== null && now() >= waiting.deadline;
      // Another replica's, and what could not be taken back at once, is looked for from time to time.
      if (!isDue && now() - lookedAt < lookMs) return;
      await inTurn(async () => {
        lookedAt = now();
        const still = await pendingStore.load();
        if (still === null || now() < still.deadline) return;
        await recorded(operator, async () =>
          (await takeBack(still)) ? `Reverted an unconfirmed change: ${whatOf(still)}` : null,
        );
      });
    },
    pending: (editorId: string | null): PendingChange | null => {
      const waiting = pendingStore.current;
      if (waiting === null) return null;
      const { revision, deadline, by } = waiting;
      const what = whatOf(waiting);
      const leftMs = Math.max(0, deadline - now());
      const isOwn = editorId !== null && waiting.byId === editorId;
      return { revision, deadline: new Date(deadline).toISOString(), leftMs, by, isOwn, what };
    },
  };
};
