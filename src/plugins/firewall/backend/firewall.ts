import type { NativeCtx, RateDecision } from "#plugins/sdk/native-types.ts";
import { type BanRules, createBans, createBansStore } from "./bans/bans.ts";
import { createChangeService } from "./change/change-service.ts";
import { createHistory } from "./change/history.ts";
import { createInForce, type MakeEngine } from "./change/in-force.ts";
import { createAdminsSeen } from "./change/lock-out.ts";
import { createPendingStore } from "./change/pending.ts";
import { createAnnouncedStore } from "./change/settings-watch.ts";
import type { Finished } from "./inspect/inspector.ts";
import { createActivityNotes, tellActivity } from "./journal/activity-notes.ts";
import { createJournal, createJournalStore, shownOf, toEntry } from "./journal/journal.ts";
import { createFacts, createFactsStore, toFact } from "./replay/facts.ts";
import { createReplays } from "./replay/replays.ts";
import { networkOf } from "./rules/range.ts";
import { createRulesStore } from "./rules/rules-store.ts";
import { createHitCounts, createMinutes } from "./traffic/counts.ts";
import { createTrafficLog, toRow } from "./traffic/traffic-log.ts";
import type { Switches } from "./wire.ts";

/** Everything that the firewall consists of, on this replica. */
export type Firewall = ReturnType<typeof createFirewall>;

export type FirewallOptions = {
  ctx: Pick<NativeCtx, "kv" | "settings" | "activity" | "host" | "log" | "plugin">;
  makeEngine: MakeEngine;
  now(): number;
  pause(): Promise<void>;
};

const ownRoutes = "/api/firewall";
const alarmPauseMs = 60_000;
const minuteMs = 60_000;
const endedKey = "ended";
const bansTopic = "bans";
const watchTopic = "watch ";
const cancelTopic = "cancel ";
const sharePauseMs = 250;

/** Builds the parts and connects them. */
export const createFirewall = ({ ctx, makeEngine, now, pause }: FirewallOptions) => {
  const { kv, host } = ctx;
  const { replica } = ctx.plugin;
  const alarms = new Map<string, number>();

  /** Something is wrong that people have to know: told once a minute. */
  const alarm = (what: string, error: unknown): void => {
    if (now() - (alarms.get(what) ?? Number.NEGATIVE_INFINITY) < alarmPauseMs) return;
    alarms.set(what, now());
    ctx.log("error", `${what}: ${error}`);
    void tellActivity(ctx, {
      ...{ type: "suspicious_activity", action: what, status: "failure", severity: "critical" },
      description: String(error).slice(0, 500),
    });
  };

  const inForce = createInForce({
    host,
    makeEngine,
    now,
    failed: (error) =>
      alarm("The firewall's rules could not be activated; the last valid ones stay active", error),
  });
  const store = createRulesStore(kv);
  const pendingStore = createPendingStore(kv, now);
  const seen = createAdminsSeen(kv, now);
  const announced = createAnnouncedStore(kv);
  const history = createHistory(kv);
  const changes = createChangeService({ ctx, store, pendingStore, announced, history, seen, inForce, now });
  const bans = createBans(now);
  const bansStore = createBansStore(kv, bans);
  const journal = createJournal(now);
  const journalStore = createJournalStore({ kv, replica, now });
  const notes = createActivityNotes((entry) => ctx.activity.log(entry), now);
  const minutes = createMinutes({ kv, replica, now });
  const traffic = createTrafficLog({ kv, replica, now, ask: () => host.signal(watchTopic + replica) });
  const hits = createHitCounts(kv);
  const facts = createFacts(now);
  const factsStore = createFactsStore(kv, { facts, replica, now });
  const replays = createReplays({
    ...{ kv, now, pause, ask: (id) => host.signal(cancelTopic + id) },
    log: (message) => ctx.log("error", message),
  });

  const isKnownHit = (key: string): boolean => {
    const [kind = "", id = ""] = key.split(" ", 2);
    const { addresses, rates } = inForce.rules;
    if (kind === "address") return addresses.some((entry) => entry.id === id);
    return kind !== "rate" || id === "core" || rates.some((rule) => rule.id === id);
  };

  const tellTrouble = (): void => {
    const { trouble } = store.state;
    if (trouble?.kind === "unreadable") alarm("The firewall's stored rules are damaged", trouble.message);
  };

  let sharedAt = Number.NEGATIVE_INFINITY;
  const syncBans = async (): Promise<void> => {
    if (await bansStore.sync()) host.signal(bansTopic);
  };
  /** Writes bans that changed here and tells the other servers; never throws. */
  const shareBans = async (): Promise<void> => {
    sharedAt = now();
    await attempt(ctx, [syncBans]);
  };

  const ban = (address: string, why: string): void => {
    bans.ban(address, why, banRules(inForce.switches));
    // In a flood of offenders, what is left is written with the next beat.
    if (now() - sharedAt >= sharePauseMs) void shareBans();
  };
  /** Counts a block, on all servers; one too many is a ban. */
  const offended = (ip: string, why: string): void => {
    const { isOn, afterBlocks, windowMs } = banRules(inForce.switches);
    if (!isOn) return;
    const address = networkOf(ip);
    const judge = ({ isAllowed }: RateDecision): void => {
      // Of several requests at the same time, one is the one too many.
      if (!isAllowed && bans.of(address) === null)
        ban(address, `Blocked ${afterBlocks} times, most recently: ${why}`.slice(0, 160));
    };
    const key = `offence\n${address}\n${bans.changedAt(address)}`;
    const counted = host.takeRate(key, { max: afterBlocks - 1, windowMs });
    if (counted instanceof Promise)
      counted.then(judge).catch((error) => ctx.log("warn", `A block could not be counted: ${error}`));
    else judge(counted);
  };

  /** Reads everything that is stored. Never throws: what cannot be read is as by default, and read again later. */
  const load = async (): Promise<void> => {
    const isEnabled = await kv.get(endedKey).then(
      (value) => value !== undefined,
      () => false,
    );
    await changes.start(isEnabled);
    if (isEnabled) await kv.delete(endedKey).catch(() => false);
    tellTrouble();
    await attempt(ctx, [syncBans, () => hits.sync(() => true), takeInJournal, minutes.sync]);
  };

  const takeInJournal = async (): Promise<void> => journal.merge(await journalStore.sync());

  /** Stores what is not stored yet. */
  const flush = (): Promise<void> =>
    attempt(ctx, [
      journalStore.flush,
      syncBans,
      () => hits.sync(isKnownHit),
      factsStore.save,
      notes.flush,
      seen.save,
      minutes.sync,
    ]);

  return {
    ...{ inForce, store, changes, history, seen, bans, journal, minutes, traffic, hits },
    ...{ facts, factsStore, replays },
    /** Takes in what other servers wrote down: read when somebody looks. Never throws. */
    readJournal: () => takeInJournal().catch(() => {}),
    ...{ now, alarm, load, flush, offended, shareBans },
    /** Another server says that there is something to read; `null`: it may have said so. Never throws. */
    heard: async (topic: string | null) => {
      if (topic === null || topic === bansTopic) await attempt(ctx, [syncBans]);
      if (topic?.startsWith(watchTopic) === true && topic !== watchTopic + replica) traffic.watched();
      if (topic?.startsWith(cancelTopic) === true) replays.cancelHere(topic.slice(cancelTopic.length));
    },
    /** Remembers that the plugin was disabled: whoever enables it puts the stored rules in force. */
    noteEnd: async () => void (await kv.set(endedKey, now())),
    /** What requests are judged by. */
    compiled: inForce.compiled,
    /** Bans an address because of a rule. */
    banByRate: (ip: string, why: string) => ban(networkOf(ip), why),
    /** Takes down what became of a request. */
    finished: (finished: Finished) => {
      const { note, request, outcome } = finished;
      if (outcome.user?.role === "admin") seen.note(request.ip);
      const shown = shownOf(finished);
      minutes.add(note.verdict, note.isSpared);
      traffic.add(toRow(finished, shown));
      facts.add(() => toFact(finished, shown));
      // Whoever edits rules writes attacks down.
      if (note.isSpared && request.path.startsWith(ownRoutes)) return;
      const { threshold } = inForce.switches;
      const entry = toEntry(finished, { shown, threshold, replica });
      if (entry === null) return;
      journal.add(entry);
      journalStore.add(entry);
      notes.add(entry);
    },
    /** Does what is due, by how many seconds have passed; never throws. */
    tick: async (seconds: number) => {
      const isOn = inForce.switches.masterSwitchEnabled;
      const every = (period: number) => seconds % period === 0;
      const hasTrouble = store.state.trouble !== null;
      const due = [
        changes.tick,
        journalStore.flush,
        notes.flush,
        traffic.publish,
        ...(bans.hasChanged || (every(3) && isOn) ? [syncBans] : []),
        ...(every(30) && isOn ? [() => hits.sync(isKnownHit)] : []),
        ...(every(300) && isOn ? [factsStore.save] : []),
        ...(every(60) ? [seen.save, minutes.sync] : []),
        ...(every(60) || (hasTrouble && every(5)) ? [changes.refresh, async () => tellTrouble()] : []),
      ];
      await attempt(ctx, due);
    },
  };
};

const banRules = (switches: Switches): BanRules => ({
  isOn: switches.bansEnabled,
  afterBlocks: switches.banAfterBlocks,
  windowMs: switches.banWindowMinutes * minuteMs,
  firstMs: switches.banMinutes * minuteMs,
  mostMs: switches.banMostMinutes * minuteMs,
});

/** Does one after the other; what fails is done again when it is due the next time. */
const attempt = async (
  ctx: Pick<NativeCtx, "log">,
  work: readonly (() => Promise<unknown>)[],
): Promise<void> => {
  for (const each of work)
    await each().catch((error) => ctx.log("warn", `The firewall could not read or write its data: ${error}`));
};
