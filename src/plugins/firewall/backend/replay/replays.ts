import type { Json, Kv } from "#plugins/sdk/types.ts";
import { Refused } from "../change/refused.ts";
import { proposalsOf, type Stopped } from "../journal/proposals.ts";
import type { StoredExemption } from "../rules/rules.ts";
import { createPartedDocument, expiring, readUndamaged } from "../stored.ts";
import { texts } from "../texts.ts";
import { fits } from "../wire/shape.ts";
import { type ReplayData, type ReplayRow, replayData } from "../wire/watch.ts";
import type { Fact } from "./facts.ts";
import type { JudgeFact } from "./judge-fact.ts";

/** What a replay compares, and on what. */
type ReplayInput = {
  facts: readonly Fact[];
  seen: number;
  now: JudgeFact;
  draft: JudgeFact;
  editorId: string | null;
  /** Of the draft, which is also judged by this threshold. */
  exemptions: readonly StoredExemption[];
  threshold: number;
};

export type ReplayOptions = {
  kv: Pick<Kv, "get" | "entry" | "set" | "delete">;
  now(): number;
  /** Asks the other servers to cancel it. */
  ask(id: string): void;
  /** Lets everything else have its turn. */
  pause(): Promise<void>;
  log(message: string): void;
};

const keptMs = 10 * 60_000;
const mostRows = 200;
const mostStopped = 5_000;
const sliceMs = 5;
const shareEveryMs = 1_000;
// One whose server was killed is soon gone, too.
const runningMs = 15_000;

type Job = { data: ReplayData; endedAt: number; isCancelled: boolean; shared: Promise<unknown> };

/** Replays of all servers that are running or finished. None has run. */
export const createReplays = ({ kv, now, pause, ask, log }: ReplayOptions) => {
  const jobs = new Map<string, Job>();

  /** Shows it to the other servers; without that it goes on here. */
  const share = (job: Job): Promise<unknown> => {
    const { data } = job;
    const write = () =>
      createPartedDocument(expiring(kv, data.state === "running" ? runningMs : keptMs), keyOf(data.id))
        .write(data satisfies Json)
        .catch((error) => log(`A replay could not be shared: ${error}`));
    // One after the other, so that the last one stays.
    job.shared = job.shared.then(write);
    return job.shared;
  };

  const findShared = async (id: string): Promise<ReplayData | null> => {
    if (!isId.test(id)) return null;
    const found = await readUndamaged(createPartedDocument(kv, keyOf(id)));
    return fits(replayData, found?.value) ? found.value : null;
  };

  const cancelHere = (id: string): void => {
    const job = jobs.get(id);
    if (job?.data.state !== "running") return;
    job.isCancelled = true;
    job.data.state = "cancelled";
  };

  const forget = (): void => {
    for (const [id, job] of jobs)
      if (job.data.state !== "running" && now() - job.endedAt > keptMs) jobs.delete(id);
  };

  const run = async (job: Job, input: ReplayInput): Promise<void> => {
    const { data } = job;
    const stopped: Stopped[] = [];
    let sliceBegan = performance.now();
    let sharedAt = now();
    void share(job);
    for (const fact of input.facts) {
      const found = compare(data, fact, input);
      if (found !== null && stopped.length < mostStopped) stopped.push(found);
      data.looked += 1;
      if (performance.now() - sliceBegan < sliceMs) continue;
      await pause();
      if (job.isCancelled) break;
      if (now() - sharedAt >= shareEveryMs) {
        await share(job);
        sharedAt = now();
      }
      sliceBegan = performance.now();
    }
    data.proposals = proposalsOf(stopped, input.exemptions);
    data.state = job.isCancelled ? "cancelled" : "done";
  };

  return {
    /** Starts one on this server; throws {@link Refused} while another one runs here. */
    start: (input: ReplayInput): ReplayData => {
      forget();
      if ([...jobs.values()].some(({ data }) => data.state === "running"))
        throw new Refused(409, "CONFLICT", texts.busyReplay);
      const job: Job = { data: begin(input), endedAt: 0, isCancelled: false, shared: Promise.resolve() };
      jobs.set(job.data.id, job);
      run(job, input)
        .catch((error) => {
          job.data.state = "failed";
          log(`A replay failed: ${error}`);
        })
        .finally(() => {
          job.endedAt = now();
          return share(job);
        });
      return job.data;
    },
    /** `null` where there is none. Another server's is a second old. Throws what the store throws. */
    find: async (id: string): Promise<ReplayData | null> => jobs.get(id)?.data ?? findShared(id),
    /** The same; the server that runs it is asked to stop. */
    cancel: async (id: string): Promise<ReplayData | null> => {
      cancelHere(id);
      const own = jobs.get(id)?.data;
      if (own !== undefined) return own;
      const other = await findShared(id);
      if (other?.state !== "running") return other;
      ask(id);
      return { ...other, state: "cancelled" };
    },
    /** Cancels one that runs here. */
    cancelHere,
    /** Ends what runs. */
    stop: () => {
      for (const job of jobs.values()) job.isCancelled = true;
    },
  };
};

const isId = /^[0-9a-f-]{36}$/;
const keyOf = (id: string): string => `replay:${id}`;

const begin = ({ facts, seen }: ReplayInput): ReplayData => ({
  id: crypto.randomUUID(),
  state: "running",
  ...{ looked: 0, kept: facts.length, seen },
  since: facts[0] === undefined ? null : new Date(facts[0].at).toISOString(),
  ...{ blockedNow: 0, blockedByDraft: 0, newlyBlocked: 0, newlyPassed: 0, byAdmins: 0 },
  rows: [],
  proposals: [],
  notes: [
    texts.replayBodies,
    texts.replayBans,
    ...(facts.length < seen ? [texts.replaySampled(facts.length, seen)] : []),
  ],
});

/** Judges a request by both, and returns it if patterns of the draft alone stop what a signed-in user sent. */
const compare = (
  data: ReplayData,
  fact: Fact,
  { now, draft, editorId, threshold }: ReplayInput,
): Stopped | null => {
  const before = now(fact);
  const after = draft(fact);
  if (before.isStopped) data.blockedNow += 1;
  if (after.isStopped) data.blockedByDraft += 1;
  if (before.isStopped && !after.isStopped) data.newlyPassed += 1;
  if (before.isStopped || !after.isStopped) return null;
  data.newlyBlocked += 1;
  const isAdmin = fact.role === "admin";
  if (isAdmin) data.byAdmins += 1;
  const { id, method, path, query, address, country, role, userId, user } = fact;
  const sender = userId === null ? null : { id: userId, name: user ?? "", role };
  const stopped = after.found === undefined ? null : { ...fact, user: sender, threshold, ...after.found };
  if (data.rows.length >= mostRows && !isAdmin) return stopped;
  const row: ReplayRow = {
    ...{ id, method, path, query, address, country, role, user },
    at: new Date(fact.at).toISOString(),
    isOwn: editorId !== null && userId === editorId,
    reasons: after.reasons.slice(0, 3),
  };
  const others = data.rows.findIndex(({ role }) => role !== "admin");
  if (isAdmin && others >= 0) data.rows.splice(others, 0, row);
  else data.rows.push(row);
  if (data.rows.length > mostRows) data.rows.length = mostRows;
  return stopped;
};
