import { switchShapes } from "../switches.ts";
import { pending, proposals, roles, trouble } from "./rules.ts";
import {
  flag,
  list,
  moment,
  type Of,
  object,
  orNull,
  pagination,
  revision,
  shape,
  text,
  whole,
  word,
} from "./shape.ts";

const replica = text("atrium-1");
const requestId = text("0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10");

const counts = {
  passed: whole(912),
  blocked: whole(7),
  wouldBlock: whole(0),
  limited: whole(1),
  spared: whole(0),
};
/** How many requests there were in one minute or hour. */
export type Counts = { [name in keyof typeof counts]: number };

/** `GET /status`: what the overview and `atrium firewall status` show. */
export const statusData = object({
  masterSwitchEnabled: flag,
  developmentModeEnabled: flag,
  rateLimitingEnabled: flag,
  patternsEnabled: flag,
  paranoiaLevel: switchShapes.paranoiaLevel,
  threshold: switchShapes.threshold,
  revision,
  /** In a sentence: what the firewall does at this moment. */
  state: text("The firewall is on."),
  trouble: orNull(trouble),
  pending: orNull(pending),
  knowsCountries: flag,
  allowed: whole(2),
  denied: whole(5),
  countryMode: word("off", "allow", "deny"),
  countries: whole(0),
  rates: whole(1),
  patterns: whole(214),
  patternsOff: whole(0),
  exemptions: whole(8),
  bans: whole(0),
  /** Where requests are counted at the moment, in a sentence. */
  counting: text("Requests are counted for all servers, in Redis."),
  replica,
  /** On all servers; those of others are a minute old at most. */
  lastHour: object(counts),
  last24Hours: object(counts),
});
export type StatusData = Of<typeof statusData>;

/** `GET /traffic/minutes?hours=1..24`: each minute, oldest first. Other servers' are a minute old at most. */
export const minutesData = object({ minutes: list(object({ ...counts, at: moment })), replica });
export type MinutesData = Of<typeof minutesData>;

const ban = object({
  /** An address, or the /64 network of an IPv6 address. */
  address: text("198.51.100.7"),
  reason: text("20 requests blocked within 10 minutes"),
  author: shape<string>({ type: "string", description: "Empty for automatic bans" }),
  since: moment,
  until: moment,
  /** How many times it was banned within the last days. */
  times: whole(1),
  hits: whole(4),
});
/** An address that is kept out for a time. */
export type Ban = Of<typeof ban>;

/** `GET /bans?search=&limit=&offset=`, newest first, and what a change of them answers. */
export const bansData = object({ bans: list(ban), pagination });
export type BansData = Of<typeof bansData>;

/** What the firewall made of a request. `noticed`: it went on, because an admin made it or a rule only writes down. */
export type Verdict = "passed" | "blocked" | "would-block" | "limited" | "noticed";

const reason = object({
  by: word("address", "ban", "country", "rate", "pattern", "obstacle", "engine"),
  /** Of the entry, rule or pattern; `""` where it has none. */
  rule: text("101"),
  /** For a person. */
  text: text("A query that always holds"),
  /** What it added to the anomaly score. */
  score: whole(5),
  /** Where it was found; `""` where that is no question. */
  place: word("query", "path", "header", "cookie", "body", ""),
  name: text("q"),
  excerpt: shape<string>({ type: "string", description: "Never from cookies, credentials or passwords" }),
});
/** Why: one thing that spoke against a request. */
export type Reason = Of<typeof reason>;

export const journalEntry = object(
  {
    /** Of the request: that of `x-atrium-block`, and of the logs. */
    id: requestId,
    at: moment,
    verdict: word("blocked", "would-block", "limited", "noticed"),
    address: text("198.51.100.7"),
    country: orNull(text("FR")),
    method: text("GET"),
    path: text("/api/search"),
    query: shape<string>({ type: "string", description: "Without values that may be secret" }),
    userAgent: text("curl/8.9"),
    user: orNull(object({ id: text("0198c2f4"), name: text("Ada Lovelace"), role: text("admin") })),
    score: whole(5),
    threshold: whole(5),
    reasons: list(reason),
    status: whole(403),
    replica,
  },
  {
    /** Present where the site's own pages or a client sent it, to a route that exists. */
    teaches: shape<true>({ ...flag, description: "Whether an exemption may be proposed from it" }),
  },
);
/** A request that something spoke against. */
export type JournalEntry = Of<typeof journalEntry>;

/** `GET /journal?verdict=&by=&address=&search=&before=&limit=1..200`, newest first. */
export const journalData = object({
  entries: list(journalEntry),
  next: shape<string | null>({
    type: ["string", "null"],
    description: "The value of `before` for the next page",
  }),
});
export type JournalData = Of<typeof journalData>;

/** `GET /explain/:id`: 404 `NOT_FOUND` for what is not written down (any more). */
export const explainData = object({
  entry: journalEntry,
  /** What happened and why. */
  sentences: list(text("This request was blocked.")),
  /** What an admin could do if it was a mistake. */
  remedies: list(text("Disable pattern 101.")),
});
export type ExplainData = Of<typeof explainData>;

const row = {
  id: requestId,
  at: moment,
  verdict: word<Verdict>("passed", "blocked", "would-block", "limited", "noticed"),
  address: text("203.0.113.7"),
  country: orNull(text("DE")),
  method: text("GET"),
  path: text("/"),
  user: orNull(text("Ada Lovelace")),
  role: word(...roles),
  status: whole(200),
  durationMs: shape<number>({ type: "number", examples: [1.2] }),
  /** In short, the first three. */
  reasons: list(text("A query that always holds")),
};
export const trafficRow = object(row);
/** One request of the live traffic. */
export type TrafficRow = Of<typeof trafficRow>;

/** `GET /traffic?after=<cursor>&limit=1..500`: rows of all servers oldest first; without `after` the newest ones. */
export const trafficData = object({
  /** `number` grows by one with each request on its server. */
  rows: list(object({ number: whole(812), ...row })),
  /** How far each server's rows were given. */
  cursor: shape<string>({
    type: "string",
    examples: ["a1b2:812"],
    description: "The value of `after` for the following requests",
  }),
  last: shape<number>({
    type: "integer",
    examples: [812],
    description:
      "The newest number of the server that answers; as `after` it asks for the requests of that server alone",
  }),
  replica,
  /** Rows that came after `after` and are no longer kept. */
  missed: whole(0),
  /** `false`: the master switch is off, so that nothing is seen. */
  isWatching: flag,
});
export type TrafficData = Of<typeof trafficData>;

const replayRow = object({
  id: requestId,
  at: moment,
  method: text("GET"),
  path: text("/api/search"),
  query: shape<string>({ type: "string" }),
  address: text("198.51.100.7"),
  country: orNull(text("FR")),
  role: word(...roles),
  user: orNull(text("Ada Lovelace")),
  /** Whether the admin who asked made it. */
  isOwn: flag,
  reasons: list(text("The IP address is denied")),
});
/** A request that the draft would stop and what is in force does not. */
export type ReplayRow = Of<typeof replayRow>;

/** `POST /replay`, `GET /replay/:id`; `DELETE /replay/:id` cancels. Any server answers, for ten minutes. */
export const replayData = object({
  id: text("5f0c3f0e-6d0b-4d7e-9d0f-2f3a4b5c6d7e"),
  state: word("running", "done", "cancelled", "failed"),
  /**
   * Requests looked at, how many there are to look at, how many there were in those 24 hours: more when only some could be
   * kept; and the time of the oldest one, `null` without any.
   */
  looked: whole(120),
  kept: whole(5_000),
  seen: whole(5_000),
  since: orNull(moment),
  /** Of the latter two: stopped by the draft and not now, stopped now and not by the draft. */
  blockedNow: whole(3),
  blockedByDraft: whole(4),
  newlyBlocked: whole(1),
  newlyPassed: whole(0),
  /** Of `newlyBlocked`: made by signed-in admins. */
  byAdmins: whole(0),
  /** The first 200 of `newlyBlocked`, those of admins first. */
  rows: list(replayRow),
  /** Exemptions with which requests of signed-in users in `newlyBlocked` would pass. */
  proposals,
  /** What cannot be told from what is kept: bodies, sampled counts. */
  notes: list(text("Bans are not simulated.")),
});
export type ReplayData = Of<typeof replayData>;
