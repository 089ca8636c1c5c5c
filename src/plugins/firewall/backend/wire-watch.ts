import type { Hit } from "./engine/engine-types.ts";
import type { CountryRules, Counts, ExemptionInput, RateInput, Role, Switches } from "./wire.ts";

/** What the firewall made of a request. `noticed`: it went on, because an admin made it or a rule only writes down. */
export type Verdict = "passed" | "blocked" | "would-block" | "limited" | "noticed";

/** Why: one thing that spoke against a request. */
export type Reason = {
  by: "address" | "ban" | "country" | "rate" | "pattern" | "obstacle" | "engine";
  /** Of the entry, rule or pattern; `""` where it has none. */
  rule: string;
  /** For a person. */
  text: string;
  /** What it added to the anomaly score. */
  score: number;
  /** Where it was found; `""` where that is no question. */
  place: Hit["place"] | "";
  name: string;
  /** Never of cookies, credentials and passwords. */
  excerpt: string;
};

/** A request that something spoke against. */
export type JournalEntry = {
  /** Id of the request: that of `x-atrium-block`, and of the logs. */
  id: string;
  at: string;
  verdict: Exclude<Verdict, "passed">;
  address: string;
  country: string | null;
  method: string;
  path: string;
  /** Without values that may be secret. */
  query: string;
  userAgent: string;
  user: { id: string; name: string; role: string } | null;
  score: number;
  threshold: number;
  reasons: Reason[];
  status: number;
  replica: string;
};

/** `GET /journal?verdict=&by=&address=&search=&before=&limit=1..200`, newest first; `next` is the `before` of the following page. */
export type JournalData = { entries: JournalEntry[]; next: string | null };

/** `GET /explain/:id`: 404 `NOT_FOUND` for what is not written down (any more). */
export type ExplainData = {
  entry: JournalEntry;
  /** What happened and why, in sentences. */
  sentences: string[];
  /** What an admin could do if it was a mistake. */
  remedies: string[];
};

/** One request of the live traffic. */
export type TrafficRow = {
  /** Grows by one with each request on this replica. */
  number: number;
  id: string;
  at: string;
  verdict: Verdict;
  address: string;
  country: string | null;
  method: string;
  path: string;
  user: string | null;
  role: Role;
  status: number;
  durationMs: number;
  /** In short, the first three. */
  reasons: string[];
};

/** `GET /traffic?after=<number>&limit=1..500`: rows oldest first; without `after` the newest ones. Of this replica. */
export type TrafficData = {
  rows: TrafficRow[];
  /** The next `after`. */
  last: number;
  /** Rows that came after `after` and are no longer kept. */
  missed: number;
  replica: string;
  /** `false`: the master switch is off, so that nothing is seen. */
  isWatching: boolean;
};

/** `GET /traffic/minutes?hours=1..24`: each minute, oldest first. Of this replica. */
export type MinutesData = { minutes: (Counts & { at: string })[]; replica: string };

/** `POST /replay`: what is left out is as it is now; lists replace those in force, `add…` add to them. */
export type ReplayDraft = {
  switches?: Partial<Switches>;
  addAddresses?: { kind: "allow" | "deny"; address: string }[];
  countries?: CountryRules;
  addRates?: RateInput[];
  switchedOff?: number[];
  addExemptions?: ExemptionInput[];
};

/** A request that the draft would stop and what is in force does not. */
export type ReplayRow = {
  id: string;
  at: string;
  method: string;
  path: string;
  query: string;
  address: string;
  country: string | null;
  role: Role;
  user: string | null;
  /** Whether the admin who asked made it. */
  isOwn: boolean;
  reasons: string[];
};

/** `POST /replay`, `GET /replay/:id`; `DELETE /replay/:id` cancels. Kept for ten minutes on the replica that runs it. */
export type ReplayData = {
  id: string;
  state: "running" | "done" | "cancelled" | "failed";
  /** Requests looked at, and how many there are to look at. */
  looked: number;
  kept: number;
  /** How many requests there were in those 24 hours: more than `kept` when only some could be kept. */
  seen: number;
  /** Time of the oldest one; `null` without any. */
  since: string | null;
  blockedNow: number;
  blockedByDraft: number;
  /** Stopped by the draft and not now. */
  newlyBlocked: number;
  /** Stopped now and not by the draft. */
  newlyPassed: number;
  /** Of `newlyBlocked`: made by signed-in admins. */
  byAdmins: number;
  /** The first 200 of `newlyBlocked`, those of admins first. */
  rows: ReplayRow[];
  /** What cannot be told from what is kept: bodies, sampled counts. */
  notes: string[];
};
