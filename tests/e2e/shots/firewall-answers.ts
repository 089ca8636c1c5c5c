import type {
  AddressEntry,
  Ban,
  ConfigData,
  ExemptionRow,
  HistoryChange,
  JournalEntry,
  PatternRow,
  Proposal,
  RateRule,
  ReplayData,
  StatusData,
  TrafficRow,
} from "../../../src/plugins/firewall/backend/wire.ts";

const minuteMs = 60_000;
const now = Date.now();
const ago = (minutes: number): string => new Date(now - minutes * minuteMs).toISOString();
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const pick = <T>(values: readonly [T, ...T[]], index: number): T =>
  values[index % values.length] ?? values[0];

/** A firewall that is on and has work. */
export const config = (change: Partial<ConfigData> = {}): ConfigData => ({
  ...{ masterSwitchEnabled: true, developmentModeEnabled: false, rateLimitingEnabled: true },
  ...{ patternsEnabled: true, paranoiaLevel: 1, threshold: 5, bansEnabled: true },
  ...{ banAfterBlocks: 20, banWindowMinutes: 10, banMinutes: 15, banMostMinutes: 1_440 },
  ...{ revision: 12, pending: null, trouble: null, knowsCountries: true },
  coreLimit: { windowMs: 900_000, maxRequests: 1_000, message: "Too many requests" },
  ...{ ownAddress: "198.51.100.7", ownCountry: "NZ" },
  adminPanel: { enabled: true },
  ...change,
});

/** A change that somebody has to confirm. */
export const pending = {
  ...{ revision: 13, deadline: new Date(now + 74_000).toISOString(), leftMs: 74_000, by: "Ada Lovelace" },
  ...{ isOwn: true, what: "Denied 203.0.113.0/24" },
};

const counts = { passed: 48_213, blocked: 231, wouldBlock: 0, limited: 87, spared: 3 };

export const status = (change: Partial<StatusData> = {}): StatusData => ({
  ...{ masterSwitchEnabled: true, developmentModeEnabled: false, rateLimitingEnabled: true },
  ...{ patternsEnabled: true, paranoiaLevel: 1, threshold: 5, revision: 12, trouble: null, pending: null },
  state: "The firewall is on.",
  ...{ knowsCountries: true, allowed: 3, denied: 128, countryMode: "deny", countries: 2, rates: 4 },
  ...{ patterns: 214, patternsOff: 2, exemptions: 9, bans: 5, replica: "a1b2" },
  counting: "Requests are counted for all servers, in Redis.",
  lastHour: { passed: 2_004, blocked: 12, wouldBlock: 0, limited: 4, spared: 0 },
  last24Hours: counts,
  ...change,
});

/** Every minute of the last hours: a day's wave, with an attack in it. */
export const minutes = (hours: number) => ({
  minutes: many(hours * 60, (index) => {
    const wave = 30 + Math.round(25 * Math.sin(index / 180));
    const isAttack = index % 300 > 280;
    return {
      ...{ at: ago(hours * 60 - index), passed: wave, blocked: isAttack ? 14 : 0, wouldBlock: 0 },
      ...{ limited: index % 97 === 0 ? 6 : 0, spared: 0 },
    };
  }),
});

/** A request that was blocked for what stood in two of its fields. */
export const blocked: JournalEntry = {
  ...{ id: "01JD2K7Q9W3X5Y7Z", at: ago(3), verdict: "blocked", address: "203.0.113.66", country: "FR" },
  ...{ method: "POST", path: "/api/contact", query: "ref=newsletter&page=%2Fabout", status: 403, score: 10 },
  ...{
    threshold: 5,
    replica: "a1b2",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    user: null,
  },
  reasons: [
    {
      ...{ by: "pattern", rule: "941200", text: "A condition that is always true", score: 5 },
      ...{ place: "body", name: "message", excerpt: "…it's fine' OR 1=1 --" },
    },
    {
      ...{ by: "pattern", rule: "941110", text: "A script element", score: 5 },
      ...{ place: "query", name: "ref", excerpt: "<script>alert(document.cookie)</script>" },
    },
  ],
};

export const explanation = {
  entry: blocked,
  sentences: [
    "A visitor from 203.0.113.66 (France) sent POST /api/contact, and was refused.",
    "Two patterns were found, which makes 10 points; from 5 on a request counts as an attack.",
  ],
  remedies: [
    "If the text is legitimate, exempt the field message of POST /api/contact",
    "Allow this IP address: atrium firewall allow 203.0.113.66",
  ],
};

/** What was written down, in every kind. */
export const journal = many(30, (index): JournalEntry => {
  const verdict = pick(["blocked", "limited", "would-block", "noticed"] as const, index);
  const by = pick(["pattern", "rate", "country", "address"] as const, index);
  const text = pick(
    ["A condition that is always true", "More than 60 requests in a minute", "FR is denied"],
    index,
  );
  return {
    ...blocked,
    ...{ id: `01JD2K7Q9W3X5Y${index}`, at: ago(index * 7 + 3), verdict },
    path: pick(
      ["/api/contact", "/wp-login.php", "/api/auth/login", `/${"very-long-path/".repeat(12)}`],
      index,
    ),
    reasons: [{ by, rule: "942100", text, score: 5, place: "body", name: "message", excerpt: "' OR 1=1" }],
  };
});

export const traffic = many(60, (index): TrafficRow => {
  const verdict =
    index % 6 === 2 ? pick(["noticed", "blocked", "limited"] as const, Math.floor(index / 6)) : "passed";
  return {
    ...{ id: `request-${index}`, at: ago((60 - index) / 20), verdict },
    ...{ address: pick(["203.0.113.66", "2001:db8:42::7:1234:abcd", "198.51.100.7"], index), country: "FR" },
    method: pick(["GET", "GET", "POST"], index),
    path: pick(["/", "/about", "/api/contact", "/assets/index-4f9a2c.js", "/api/admin/users"], index),
    ...{ user: index % 3 === 0 ? "Ada Lovelace" : null, role: index % 3 === 0 ? "admin" : "visitor" },
    ...{ status: verdict === "passed" ? 200 : 403, durationMs: 1.4 + index },
    reasons: verdict === "passed" ? [] : ["A condition that is always true", "A script element"],
  };
});

export const addresses = many(
  12,
  (index): AddressEntry => ({
    ...{ id: `entry-${index}`, kind: index % 4 === 0 ? "allow" : "deny", author: "Ada Lovelace" },
    range: pick(["203.0.113.0/24", "198.51.100.7", "2001:db8:1234:5678::/64", "192.0.2.128/25"], index),
    note: pick(
      ["Office", "Scrapes the whole site each night, reported to their abuse team twice", ""],
      index,
    ),
    createdAt: ago(index * 1_440),
    expiresAt: index % 3 === 0 ? new Date(now + index * 60 * minuteMs + minuteMs).toISOString() : null,
    hits: index * 1_207,
  }),
);

export const rates: RateRule[] = [
  {
    ...{ id: "r1", title: "Contact form", isOn: true, method: "POST", path: "/api/contact", hits: 12 },
    ...{ roles: ["visitor", "user"], key: "ip", windowMs: 3_600_000, max: 5, action: "block" },
  },
  {
    ...{ id: "r2", title: "Everything below the API, for all clients", isOn: false },
    ...{ method: "*", path: "/api/*", hits: 3_402, roles: ["visitor", "user", "admin"], key: "ip+path" },
    ...{ windowMs: 60_000, max: 120, action: "ban" },
  },
];

const categories = [
  "sql-injection",
  "cross-site-scripting",
  "command-injection",
  "file-access",
  "remote-inclusion",
  "code-injection",
  "protocol",
  "scanner",
] as const;

export const patterns = many(64, (index): PatternRow => {
  const isOn = index % 13 !== 5;
  const paranoia = pick([1, 1, 1, 2, 3] as const, index);
  return {
    ...{ id: 941_100 + index * 10, category: pick(categories, index), paranoia, score: 5, isOn },
    title: pick(
      ["A condition that is always true", "A script element", "A list of commands one after the other"],
      index,
    ),
    ...{ isInForce: isOn && paranoia === 1, hits: index % 5 === 0 ? index * 3 : 0 },
  };
});

export const exemptions: ExemptionRow[] = [
  {
    ...{ id: "b1", method: "POST", path: "/api/auth/login", fields: ["password"], categories: [] },
    ...{ note: "Passwords may be anything", isBuiltIn: true },
  },
  {
    ...{ id: "e1", method: "POST", path: "/api/contact", fields: ["message"], isBuiltIn: false },
    ...{ categories: ["sql-injection", "command-injection"], note: "Customers ask us about their databases" },
  },
];

export const bans = many(
  4,
  (index): Ban => ({
    address: pick(["203.0.113.66", "2001:db8:42:7::/64", "198.51.100.200", "203.0.113.67"], index),
    ...{
      reason: index === 1 ? "Asked by our customer" : "20 blocks within 10 minutes",
      since: ago(index * 9),
    },
    ...{
      author: index === 1 ? "Ada Lovelace" : "",
      until: new Date(now + index * 30 * minuteMs + 1).toISOString(),
    },
    ...{ times: index + 1, hits: index * 211 },
  }),
);

/** The last changes: a revert, and what it reverted. */
export const history: HistoryChange[] = [
  {
    ...{ id: 42, at: ago(2), by: "Grace Hopper", reverts: 40, canRevert: true, isWhole: true },
    what: 'Reverted change 40: Removed the rate rule "Contact form"',
    lines: [
      'Rate rule "Contact form": none → 10 in 60 s of POST /api/contact, for visitor and user by IP address, then block, on',
    ],
  },
  {
    ...{ id: 41, at: ago(30), by: "Ada Lovelace", reverts: null, canRevert: true, isWhole: true },
    what: "Changed the firewall: Paranoia level 2, Bans on",
    lines: ["Paranoia level: 1 → 2", "Bans: off → on"],
  },
  {
    ...{ id: 40, at: ago(75), by: "Ada Lovelace", reverts: null, canRevert: false, isWhole: true },
    what: 'Removed the rate rule "Contact form"',
    lines: [
      'Rate rule "Contact form": 10 in 60 s of POST /api/contact, for visitor and user by IP address, then block, on → none',
    ],
  },
  {
    ...{ id: 39, at: ago(400), by: "operator", reverts: null, canRevert: true, isWhole: true },
    what: "Denied 203.0.113.0/24",
    lines: ["IP address 203.0.113.0/24: none → deny, Scanner, until 2030-02-01T00:00:00.000Z"],
  },
];

/** An exemption that a replay proposes. */
const proposal: Proposal = {
  ...{ id: "9f2c41d07ab8e3365c1d90f4b27e68aa", method: "POST", path: "/api/contact", fields: ["message"] },
  ...{ categories: ["sql-injection"], patterns: ["A query in a parameter"], requests: 14, users: 3 },
  examples: ["row-3"],
};

/** A run of a draft, ended unless said otherwise. */
export const replay = (change: Partial<ReplayData> = {}): ReplayData => ({
  ...{ id: "replay-1", state: "done", looked: 20_000, kept: 20_000, seen: 48_534, since: ago(1_440) },
  ...{ blockedNow: 231, blockedByDraft: 296, newlyBlocked: 65, newlyPassed: 0, byAdmins: 2 },
  rows: many(14, (index) => ({
    ...{ id: `row-${index}`, at: ago(index * 40), method: "GET", path: "/api/admin/activity", country: "NZ" },
    ...{
      query: "search=select+name+from+users",
      address: "198.51.100.7",
      role: index < 2 ? "admin" : "visitor",
    },
    ...{ user: index < 2 ? "Ada Lovelace" : null, isOwn: index === 0, reasons: ["A query in a parameter"] },
  })),
  proposals: [proposal],
  notes: ["Bodies, cookies and secrets are not stored, so attacks in them are not found."],
  ...change,
});
