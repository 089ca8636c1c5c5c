import { Refused } from "../change/refused.ts";
import { texts } from "../texts.ts";
import type { ReplayData, ReplayRow } from "../wire.ts";
import type { Fact } from "./facts.ts";
import type { JudgeFact } from "./judge-fact.ts";

/** What a replay compares, and on what. */
type ReplayInput = {
  facts: readonly Fact[];
  seen: number;
  now: JudgeFact;
  draft: JudgeFact;
  editorId: string | null;
};

/** Replays under way and done, on this replica. */
export type Replays = {
  /** Begins one; throws {@link Refused} while another one runs. */
  start(input: ReplayInput): ReplayData;
  find(id: string): ReplayData | null;
  /** `null` where there is none. */
  cancel(id: string): ReplayData | null;
  /** Ends what runs. */
  stop(): void;
};

export type ReplayOptions = {
  now(): number;
  /** Lets everything else have its turn. */
  pause(): Promise<void>;
  log(message: string): void;
};

const keptMs = 10 * 60_000;
const mostRows = 200;
const sliceMs = 5;

type Job = { data: ReplayData; endedAt: number; isCancelled: boolean };

/** None has run. */
export const createReplays = ({ now, pause, log }: ReplayOptions): Replays => {
  const jobs = new Map<string, Job>();

  const forget = (): void => {
    for (const [id, job] of jobs)
      if (job.data.state !== "running" && now() - job.endedAt > keptMs) jobs.delete(id);
  };

  const run = async (job: Job, input: ReplayInput): Promise<void> => {
    const { data } = job;
    let sliceBegan = performance.now();
    for (const fact of input.facts) {
      compare(data, fact, input);
      data.looked += 1;
      if (performance.now() - sliceBegan < sliceMs) continue;
      await pause();
      if (job.isCancelled) break;
      sliceBegan = performance.now();
    }
    data.state = job.isCancelled ? "cancelled" : "done";
  };

  return {
    start: (input) => {
      forget();
      if ([...jobs.values()].some(({ data }) => data.state === "running"))
        throw new Refused(409, "CONFLICT", texts.busyReplay);
      const job: Job = { data: begin(input), endedAt: 0, isCancelled: false };
      jobs.set(job.data.id, job);
      run(job, input)
        .catch((error) => {
          job.data.state = "failed";
          log(`A replay failed: ${error}`);
        })
        .finally(() => {
          job.endedAt = now();
        });
      return job.data;
    },
    find: (id) => jobs.get(id)?.data ?? null,
    cancel: (id) => {
      const job = jobs.get(id);
      if (job === undefined) return null;
      if (job.data.state === "running") {
        job.isCancelled = true;
        job.data.state = "cancelled";
      }
      return job.data;
    },
    stop: () => {
      for (const job of jobs.values()) job.isCancelled = true;
    },
  };
};

const begin = ({ facts, seen }: ReplayInput): ReplayData => ({
  id: crypto.randomUUID(),
  state: "running",
  ...{ looked: 0, kept: facts.length, seen },
  since: facts[0] === undefined ? null : new Date(facts[0].at).toISOString(),
  ...{ blockedNow: 0, blockedByDraft: 0, newlyBlocked: 0, newlyPassed: 0, byAdmins: 0 },
  rows: [],
  notes: [
    texts.replayBodies,
    texts.replayBans,
    ...(facts.length < seen ? [texts.replaySampled(facts.length, seen)] : []),
  ],
});

const compare = (data: ReplayData, fact: Fact, { now, draft, editorId }: ReplayInput): void => {
  const before = now(fact);
  const after = draft(fact);
  if (before.isStopped) data.blockedNow += 1;
  if (after.isStopped) data.blockedByDraft += 1;
  if (before.isStopped && !after.isStopped) data.newlyPassed += 1;
  if (before.isStopped || !after.isStopped) return;
  data.newlyBlocked += 1;
  const isAdmin = fact.role === "admin";
  if (isAdmin) data.byAdmins += 1;
  if (data.rows.length >= mostRows && !isAdmin) return;
  const row: ReplayRow = {
    id: fact.id,
    at: new Date(fact.at).toISOString(),
    method: fact.method,
    path: fact.path,
    query: fact.query,
    address: fact.address,
    country: fact.country,
    role: fact.role,
    user: fact.user,
    isOwn: editorId !== null && fact.userId === editorId,
    reasons: after.reasons.slice(0, 3),
  };
  const others = data.rows.findIndex(({ role }) => role !== "admin");
  if (isAdmin && others >= 0) data.rows.splice(others, 0, row);
  else data.rows.push(row);
  if (data.rows.length > mostRows) data.rows.length = mostRows;
};
