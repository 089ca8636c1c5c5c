import type { NativeCtx, RateDecision } from "#plugins/sdk/native-types.ts";
import { type BanRules, type Bans, createBans, createBansStore } from "./bans/bans.ts";
import { type ChangeService, createChangeService } from "./change/change-service.ts";
import { createHistory, type History } from "./change/history.ts";
import { type Compiled, createInForce, type InForce, type MakeEngine } from "./change/in-force.ts";
import { type AdminsSeen, createAdminsSeen } from "./change/lock-out.ts";
import { createPendingStore } from "./change/pending.ts";
import { createAnnouncedStore } from "./change/settings-watch.ts";
import type { Finished } from "./inspect/inspector.ts";
import { createActivityNotes } from "./journal/activity-notes.ts";
import {
  createJournal,
  createJournalStore,
  type Journal,
  type JournalStore,
  shownOf,
  toEntry,
} from "./journal/journal.ts";
import { createFacts, createFactsStore, type Facts, type FactsStore, toFact } from "./replay/facts.ts";
import { createReplays, type Replays } from "./replay/replays.ts";
import { networkOf } from "./rules/range.ts";
import { createRulesStore, type RulesStore } from "./rules/rules-store.ts";
import { createHitCounts, createMinutes, type HitCounts, type Minutes } from "./traffic/counts.ts";
import { createTrafficLog, type TrafficLog, toRow } from "./traffic/traffic-log.ts";
import type { Switches } from "./wire.ts";

/** Everything that the firewall consists of, on this replica. */
export type Firewall = {
  readonly inForce: InForce;
  readonly store: RulesStore;
  readonly changes: ChangeService;
  readonly history: History;
  readonly seen: AdminsSeen;
  readonly bans: Bans;
  readonly journal: Journal;
  readonly journalStore: JournalStore;
  readonly minutes: Minutes;
  readonly traffic: TrafficLog;
  readonly hits: HitCounts;
  readonly facts: Facts;
  readonly factsStore: FactsStore;
  readonly replays: Replays;
  now(): number;
  /** What requests are judged by. */
  compiled(): Compiled;
  /** Bans an address because of a rule. */
  banByRate(ip: string, why: string): void;
  /** Counts a block, on all servers; one too many is a ban. */
  offended(ip: string, why: string): void;
  /** Writes bans that changed here and tells the other servers, now or within a second; never throws. */
  shareBans(): Promise<void>;
  /** Another server says that there is something to read; `null`: it may have said so. Never throws. */
  heard(topic: string | null): Promise<void>;
  /** Takes down what became of a request. */
  finished(finished: Finished): void;
  /** Something is wrong that people have to know: told once a minute. */
  alarm(what: string, error: unknown): void;
  /** Reads everything that is stored. Never throws: what cannot be read is as by default, and read again later. */
  load(): Promise<void>;
  /** Does what is due, by how many seconds have passed; never throws. */
  tick(seconds: number): Promise<void>;
  /** Stores what is not stored yet. */
  flush(): Promise<void>;
  /** Remembers that the plugin was disabled: whoever enables it puts the stored rules in force. */
  noteEnd(): Promise<void>;
};

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
export const createFirewall = ({ ctx, makeEngine, now, pause }: FirewallOptions): Firewall => {
  const { kv, host } = ctx;
  const { replica } = ctx.plugin;
  const alarms = new Map<string, number>();

  const alarm = (what: string, error: unknown): void => {
    if (now() - (alarms.get(what) ?? Number.NEGATIVE_INFINITY) < alarmPauseMs) return;
    alarms.set(what, now());
    ctx.log("error", `${what}: ${error}`);
    ctx.activity
      .log({
        type: "suspicious_activity",
        action: what.slice(0, 180),
        description: String(error).slice(0, 500),
        status: "failure",
        severity: "critical",
      })
      .catch((cause) => ctx.log("warn", `An alarm could not be recorded: ${cause}`));
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
  const shareBans = async (): Promise<void> => {
    // In a flood of offenders, what is left is written with the next beat.
    if (now() - sharedAt < sharePauseMs) return;
    sharedAt = now();
    await attempt(ctx, [syncBans]);
  };

  const ban = (address: string, why: string): void => {
    bans.ban(address, why, banRules(inForce.switches));
    void shareBans();
  };
  const offended: Firewall["offended"] = (ip, why) => {
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

  const load = async (): Promise<void> => {
    const isEnabled = await kv.get(endedKey).then(
      (value) => value !== undefined,
      () => false,
    );
    await changes.start(isEnabled);
    if (isEnabled) await kv.delete(endedKey).catch(() => false);
    tellTrouble();
    await attempt(ctx, [syncBans, () => hits.sync(() => true), readJournal, minutes.sync]);
  };

  const readJournal = async (): Promise<void> => journal.merge(await journalStore.sync());

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
    ...{
      inForce,
      store,
      changes,
      history,
      seen,
      bans,
      journal,
      journalStore,
      minutes,
      traffic,
      hits,
      facts,
      factsStore,
      replays,
    },
    ...{ now, alarm, load, flush, offended, shareBans },
    heard: async (topic) => {
      if (topic === null || topic === bansTopic) await attempt(ctx, [syncBans]);
      if (topic?.startsWith(watchTopic) === true && topic !== watchTopic + replica) traffic.watched();
      if (topic?.startsWith(cancelTopic) === true) replays.cancelHere(topic.slice(cancelTopic.length));
    },
    noteEnd: async () => void (await kv.set(endedKey, now())),
    compiled: inForce.compiled,
    banByRate: (ip, why) => ban(networkOf(ip), why),
    finished: (finished) => {
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
    tick: async (seconds) => {
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
