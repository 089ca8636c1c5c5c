import type { AdminPanel } from "#plugins/sdk/types.ts";
import type { Category, Exemption, Hit, Paranoia } from "./engine/engine-types.ts";

/** Each answer of the plugin's routes below `/api/firewall` that went well; all of them are for admins. */
export type Answer<T> = { success: true; message: string; data: T };

/** A call that did not: `errors` where fields are at fault; `data.line…` as the call says. */
export type Refusal = {
  success: false;
  code: string;
  message: string;
  requestId: string;
  errors?: { path: string; message: string }[];
};

/** What admins switch and set; kept in the plugin's settings. Times are minutes where the name says so. */
export type Switches = {
  /** Off: requests pass as if there were no firewall. */
  masterSwitchEnabled: boolean;
  /** What addresses, countries and patterns would block passes, and is written down; rates and bans still refuse. */
  developmentModeEnabled: boolean;
  /** The firewall counts calls, and the core does not. */
  rateLimitingEnabled: boolean;
  /** Whether attack patterns are looked for. */
  patternsEnabled: boolean;
  paranoiaLevel: Paranoia;
  /** Anomaly score from which a request counts as an attack: 1 to 100. */
  threshold: number;
  /** Whether who is blocked again and again is banned. */
  bansEnabled: boolean;
  /** So many blocks... */
  banAfterBlocks: number;
  /** ...within so many minutes... */
  banWindowMinutes: number;
  /** ...are a ban of so many minutes, twice as many each further time... */
  banMinutes: number;
  /** ...up to so many. */
  banMostMinutes: number;
};

/** A change that goes back by itself at `deadline` unless an admin confirms it with `POST /confirm {revision}`. */
export type PendingChange = {
  revision: number;
  /** ISO 8601. */
  deadline: string;
  /** Milliseconds that are left, by the server's clock. */
  leftMs: number;
  /** Who made it: the name of an admin. */
  by: string;
  /** Whether whoever asks is that admin. */
  isOwn: boolean;
  /** What was changed, in a sentence. */
  what: string;
};

/** What is wrong with the stored rules: then those that were good last stay in force, and nothing can be saved. */
export type RulesTrouble = {
  /** `unreadable`: the stored rules are damaged; `unreachable`: the database could not be asked; `engine`: they could not be put in force. */
  kind: "unreadable" | "unreachable" | "engine";
  message: string;
  /** What is in force meanwhile. */
  inForce: "last-good" | "copy" | "defaults";
};

/** `GET /config` and `PUT /config` (a part of {@link Switches}, with `revision` or without). */
export type ConfigData = Switches & {
  /** Grows with each change of switches or rules; a `PUT` or `POST` that names an older one is refused with 409. */
  revision: number;
  pending: PendingChange | null;
  trouble: RulesTrouble | null;
  knowsCountries: boolean;
  /** The core's limit, which the firewall counts by while `rateLimitingEnabled`. */
  coreLimit: { windowMs: number; maxRequests: number; message: string };
  /** The address that whoever asks comes from; `null` for the terminal. */
  ownAddress: string | null;
  ownCountry: string | null;
  adminPanel: AdminPanel;
};

/** A change of switches or rules that was made. */
export type HistoryChange = {
  /** Increases with each change. */
  id: number;
  at: string;
  /** Who made it: a name, `operator`, or `the firewall` where it reverted an unconfirmed change. */
  by: string;
  /** In a sentence. */
  what: string;
  /** The change that it reverted; `null` if it is no revert. */
  reverts: number | null;
  /** What was changed: `Paranoia level: 1 → 3`; 20 lines and how many more at most. */
  lines: string[];
  /** `false` where something of it was changed again later. */
  canRevert: boolean;
};

/** `GET /history?limit=1..100`, newest first; `POST /history/:id/revert` is a change like any other. */
export type HistoryData = { changes: HistoryChange[]; revision: number };

/** Most requests of a kind in one minute or hour. */
export type Counts = { passed: number; blocked: number; wouldBlock: number; limited: number; spared: number };

/** `GET /status`: what the overview and `atrium firewall status` show. */
export type StatusData = {
  masterSwitchEnabled: boolean;
  developmentModeEnabled: boolean;
  rateLimitingEnabled: boolean;
  patternsEnabled: boolean;
  paranoiaLevel: Paranoia;
  threshold: number;
  revision: number;
  /** In a sentence: what the firewall does at this moment. */
  state: string;
  trouble: RulesTrouble | null;
  pending: PendingChange | null;
  knowsCountries: boolean;
  allowed: number;
  denied: number;
  countryMode: CountryRules["mode"];
  countries: number;
  rates: number;
  patterns: number;
  patternsOff: number;
  exemptions: number;
  bans: number;
  /** Where requests are counted at the moment, in a sentence. */
  counting: string;
  replica: string;
  /** On all servers; those of others are a minute old at most. */
  lastHour: Counts;
  last24Hours: Counts;
};

/** A range of addresses that is let in, or kept out. */
export type AddressEntry = {
  id: string;
  kind: "allow" | "deny";
  /** In canonical writing: `198.51.100.7`, `2001:db8::/32`. */
  range: string;
  note: string;
  /** Who made it: a name, or `operator`. */
  author: string;
  createdAt: string;
  /** `null`: for good. */
  expiresAt: string | null;
  /** How many requests it decided, on all replicas; a few seconds old. */
  hits: number;
};

/** `GET /addresses?kind=&search=&sort=&limit=1..500&offset=`; `sort` is `created`, `range` or `hits`. */
export type AddressesData = {
  entries: AddressEntry[];
  pagination: { total: number; limit: number; offset: number };
  revision: number;
};

/** `POST /addresses`. `for` is `30m`, `12h` or `7d`; `expiresAt` an ISO time; neither: for good. */
export type AddressInput = {
  kind: "allow" | "deny";
  address: string;
  note?: string;
  for?: string;
  expiresAt?: string | null;
  revision?: number;
};

/** `PUT /addresses/:id`: what is left out stays. */
export type AddressChange = {
  kind?: "allow" | "deny";
  note?: string;
  expiresAt?: string | null;
  revision?: number;
};

/** `POST /addresses/import`; at most 5,000 lines. With `isTrial` nothing is saved. */
export type ImportInput = { format: "csv" | "json"; text: string; isTrial?: boolean };

/** What became of one line: 1 is the first one of the text, or the first entry of the list. */
export type ImportLine = {
  line: number;
  outcome: "added" | "known" | "refused";
  range: string;
  message: string;
};

/** `POST /addresses/import`; `lines` has all that were refused first, and 1,000 at most. */
export type ImportData = {
  /** Of a trial: why nothing of it would be imported, in a sentence; `null` when nothing stands in the way. */
  obstacle: string | null;
  added: number;
  known: number;
  refused: number;
  lines: ImportLine[];
  revision: number;
};

/** `GET /countries` and `PUT /countries {mode?, codes?, revision?}`. */
export type CountryRules = {
  /** `allow`: only those of the list get in; `deny`: those of the list do not. Addresses of no known country always get in. */
  mode: "off" | "allow" | "deny";
  /** Two capital letters each (ISO 3166-1). */
  codes: string[];
};
export type CountriesData = CountryRules & {
  /** `false`: the rules do nothing, because the server has no `GEOIP_DB`. */
  knowsCountries: boolean;
  /** Says so, or `""`. */
  notice: string;
  ownCountry: string | null;
  hits: number;
  revision: number;
};

/** Who a rate rule is about. */
export type Role = "visitor" | "user" | "admin";

/** How often something may be asked for. */
export type RateRule = {
  id: string;
  title: string;
  isOn: boolean;
  /** `*` for any. */
  method: string;
  /** `/api/contact`; a `*` at its end stands for whatever follows; `/api/users/:id` for one segment. */
  path: string;
  /** Signed-in admins are never counted for the firewall's pages and calls, and nobody for sign-in unless `path` names it. */
  roles: Role[];
  key: "ip" | "user" | "ip+path";
  windowMs: number;
  max: number;
  /** `log` only writes down; `ban` refuses and bans the address. */
  action: "block" | "log" | "ban";
  hits: number;
};

/** `POST /rates`, and, with what is left out staying, `PUT /rates/:id`. `windowMs` 1,000 to 86,400,000, for sign-in 3,600,000; `max` 1 to 100,000. */
export type RateInput = Partial<Omit<RateRule, "id" | "hits">> & { revision?: number };

/** `GET /rates`. */
export type RatesData = { rules: RateRule[]; isCounting: boolean; most: number; revision: number };

/** One attack pattern. */
export type PatternRow = {
  id: number;
  title: string;
  category: Category;
  paranoia: Paranoia;
  score: number;
  /** Not switched off. */
  isOn: boolean;
  /** Looked for: on, and not above the paranoia level. */
  isInForce: boolean;
  hits: number;
};

/** `GET /patterns`, and `PUT /patterns {switchedOff: number[], revision?}`, and `PUT /patterns/:id {isOn}`. */
export type PatternsData = { patterns: PatternRow[]; revision: number };

/** Where free text is welcome. Those that are built in have `isBuiltIn` and cannot be changed. */
export type ExemptionRow = Omit<Exemption, "fields" | "categories" | "places"> & {
  id: string;
  fields: string[];
  categories: Category[];
  note: string;
  isBuiltIn: boolean;
};

/** `POST /exemptions`, and `PUT /exemptions/:id`. Without fields all of the route, without categories every pattern. */
export type ExemptionInput = {
  method?: string;
  path?: string;
  fields?: string[];
  categories?: Category[];
  note?: string;
  revision?: number;
};

/** `GET /exemptions`. */
export type ExemptionsData = { exemptions: ExemptionRow[]; most: number; revision: number };

/** An exemption that requests of signed-in users suggest. */
export type Proposal = {
  /** The same for the same fields and categories of the same route. */
  id: string;
  method: string;
  path: string;
  fields: string[];
  categories: Category[];
  /** What matched, in words. */
  patterns: string[];
  /** How many requests it would let pass, and of how many users. */
  requests: number;
  users: number;
  /** IDs of some of them. */
  examples: string[];
};

/** `GET /proposals`: from the journal, those of most users first; `POST /proposals/:id/accept` adds the exemption. */
export type ProposalsData = { proposals: Proposal[]; revision: number };

/** An address that is kept out for a time. */
export type Ban = {
  /** An address, or the /64 network of an IPv6 address. */
  address: string;
  reason: string;
  /** `""` when the firewall did it by itself. */
  author: string;
  since: string;
  until: string;
  /** How many times it was banned within the last days. */
  times: number;
  hits: number;
};

/** `GET /bans?search=&limit=&offset=`, newest first. `POST /bans {address, minutes, note?}`, `POST /bans/lift {address}`, `DELETE /bans`. */
export type BansData = { bans: Ban[]; pagination: { total: number; limit: number; offset: number } };

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
  /** Present where exemptions may be proposed from it: the site's own pages or a client sent it, to a route that exists. */
  teaches?: true;
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

/** `GET /traffic?after=<cursor>&limit=1..500`: rows of all servers oldest first; without `after` the newest ones. */
export type TrafficData = {
  /** `number` grows by one with each request on its server. */
  rows: (TrafficRow & { number: number })[];
  /** The next `after`: how far each server's rows were given. */
  cursor: string;
  /** The newest number of the server that answers; as `after` it asks for that server's rows alone. */
  last: number;
  replica: string;
  /** Rows that came after `after` and are no longer kept. */
  missed: number;
  /** `false`: the master switch is off, so that nothing is seen. */
  isWatching: boolean;
};

/** `GET /traffic/minutes?hours=1..24`: each minute, oldest first. Other servers' are a minute old at most. */
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

/** `POST /replay`, `GET /replay/:id`; `DELETE /replay/:id` cancels. Any server answers, for ten minutes. */
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
  /** Exemptions with which requests of signed-in users in `newlyBlocked` would pass. */
  proposals: Proposal[];
  /** What cannot be told from what is kept: bodies, sampled counts. */
  notes: string[];
};
