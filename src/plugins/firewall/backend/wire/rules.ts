import type { AdminPanel } from "#plugins/sdk/types.ts";
import { categories, type Paranoia } from "../engine/engine-types.ts";
import { switchesInput, switchShapes } from "../switches.ts";
import {
  between,
  entered,
  flag,
  input,
  list,
  moment,
  type Of,
  object,
  orNull,
  pagination,
  revision,
  type Shape,
  shape,
  text,
  upTo,
  whole,
  word,
} from "./shape.ts";

/** How much of each there may be, and how long texts of admins are. */
export const mostRules = {
  addresses: 5_000,
  countries: 300,
  rates: 100,
  switchedOff: 2_000,
  exemptions: 200,
  fields: 50,
  noteLength: 200,
  titleLength: 80,
  pathLength: 200,
} as const;

export const pending = object({
  revision,
  deadline: moment,
  /** Milliseconds, by the server's clock. */
  leftMs: shape<number>({
    type: "integer",
    examples: [61_000],
    description: "Time left until it is reverted automatically",
  }),
  /** Who made it: the name of an admin. */
  by: text("Ada Lovelace"),
  /** Whether whoever asks is that admin. */
  isOwn: flag,
  /** What was changed, in a sentence. */
  what: text("Denied 198.51.100.0/24"),
});
/** A change that goes back by itself at `deadline` unless an admin confirms it with `POST /confirm {revision}`. */
export type PendingChange = Of<typeof pending>;

export const trouble = object({
  /** `unreadable`: the stored rules are damaged; `unreachable`: the database could not be asked; `engine`: they could not be put in force. */
  kind: word("unreadable", "unreachable", "engine"),
  message: text("The stored rules are damaged."),
  /** What is in force meanwhile. */
  inForce: word("last-good", "copy", "defaults"),
});
/** What is wrong with the stored rules: then those that were good last stay in force, and nothing can be saved. */
export type RulesTrouble = Of<typeof trouble>;

const panelTexts = shape<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string" },
});

/** `GET /config`, and what a change of the switches answers. */
export const configData = object({
  ...switchShapes,
  /** Grows with each change of switches or rules; a `PUT` or `POST` that names an older one is refused with 409. */
  revision,
  pending: orNull(pending),
  trouble: orNull(trouble),
  knowsCountries: flag,
  /** The core's limit, which the firewall counts by while `rateLimitingEnabled`. */
  coreLimit: object({
    windowMs: whole(900_000),
    maxRequests: whole(500),
    message: text("Too many requests, please try again later"),
  }),
  /** The address that whoever asks comes from; `null` for the terminal. */
  ownAddress: orNull(text("203.0.113.7")),
  ownCountry: orNull(text("DE")),
  adminPanel: shape<AdminPanel>(object({ enabled: flag, menuItem: panelTexts, card: panelTexts })),
});
export type ConfigData = Of<typeof configData>;

const sentRevision = between(0, 1_000_000_000);
/** `POST /confirm` and `POST /revert`. */
export const revisionInput = input({ revision: sentRevision }, ["revision"]);

const change = object({
  /** Increases with each change. */
  id: whole(41),
  at: moment,
  /** Who made it: a name, `operator`, `API token CI` for a token without an owner, or `the firewall` where it reverted an unconfirmed change. */
  by: text("Ada"),
  /** In a sentence. */
  what: text("Changed the firewall: Paranoia level 3"),
  /** The change that it reverted; `null` if it is no revert. */
  reverts: orNull(whole(40)),
  /** What was changed: `Paranoia level: 1 → 3`; 20 lines and how many more at most. */
  lines: list(text("Paranoia level: 1 → 3")),
  /** `false` where something of it was changed again later, or it is not whole. */
  canRevert: flag,
  /** `false` for a very large change of which no longer all is kept. */
  isWhole: flag,
});
/** A change of switches or rules that was made. */
export type HistoryChange = Of<typeof change>;

/** `GET /history?limit=1..100`, newest first; `POST /history/:id/revert` is a change like any other. */
export const historyData = object({ changes: list(change), revision });
export type HistoryData = Of<typeof historyData>;

/** What is stored of an entry. */
export const addressFields = {
  id: text("5f0c3f0e-6d0b-4d7e-9d0f-2f3a4b5c6d7e"),
  kind: word("allow", "deny"),
  /** In canonical writing: `198.51.100.7`, `2001:db8::/32`. */
  range: text("198.51.100.0/24"),
  note: text("Scanners"),
  /** Who made it: a name, or `operator`. */
  author: text("Ada Lovelace"),
  createdAt: moment,
  /** `null`: for good. */
  expiresAt: orNull(moment),
};
const address = object({
  ...addressFields,
  /** How many requests it decided, on all replicas; a few seconds old. */
  hits: whole(12),
});
/** A range of addresses that is let in, or kept out. */
export type AddressEntry = Of<typeof address>;
export const addressList = list(address);

/** `GET /addresses?kind=&search=&sort=&limit=1..500&offset=`; `sort` is `created`, `range` or `hits`. */
export const addressesData = object({ entries: addressList, pagination, revision });
export type AddressesData = Of<typeof addressesData>;
export const addressData = object({ entry: address, revision });
export const deletedData = object({ deleted: whole(1), revision });
export const revisionData = object({ revision });

const kind = word("allow", "deny");
const sentAddress: Shape<string> = { ...entered(60), minLength: 1 };
const note = entered(mostRules.noteLength);
const expiresAt = shape<string | null>({ type: ["string", "null"], maxLength: 40 });

/** `POST /addresses`. `for` is `30m`, `12h` or `7d`; `expiresAt` an ISO time; neither: for good. */
export const addressInput = input(
  { kind, address: sentAddress, note, for: entered(20), expiresAt, revision: sentRevision },
  ["kind", "address"],
);
export type AddressInput = Of<typeof addressInput>;

/** `PUT /addresses/:id`: what is left out stays. */
export const addressChange = input({ kind, note, expiresAt, revision: sentRevision });
export type AddressChange = Of<typeof addressChange>;

export const addressRemoval = input({ address: sentAddress, revision: sentRevision }, ["address"]);
export const deletion = input({ ids: upTo(mostRules.addresses, entered(60)), revision: sentRevision }, [
  "ids",
]);

/** `POST /addresses/import`; at most 5,000 lines. With `isTrial` nothing is saved. */
export const importInput = input({ format: word("csv", "json"), text: entered(900_000), isTrial: flag }, [
  "format",
  "text",
]);
export type ImportInput = Of<typeof importInput>;

const importLine = object({
  line: whole(1),
  outcome: word("added", "known", "refused"),
  range: text("198.51.100.7"),
  message: text("Added"),
});
/** What became of one line: 1 is the first one of the text, or the first entry of the list. */
export type ImportLine = Of<typeof importLine>;

/** `POST /addresses/import`; `lines` has all that were refused first, and 1,000 at most. */
export const importData = object({
  obstacle: shape<string | null>({
    type: ["string", "null"],
    description: "For a trial: why nothing would be imported",
  }),
  added: whole(2),
  known: whole(1),
  refused: whole(0),
  lines: list(importLine),
  revision,
});
export type ImportData = Of<typeof importData>;

const mode = word("off", "allow", "deny");
const sentCountries = { mode, codes: upTo(mostRules.countries, entered(10)) };
/** `PUT /countries`: what is left out stays. */
export const countriesInput = input({ ...sentCountries, revision: sentRevision });

export const countryFields = {
  /** `allow`: only those of the list get in; `deny`: those of the list do not. Addresses of no known country always get in. */
  mode,
  /** Two capital letters each (ISO 3166-1). */
  codes: list(text("FR")),
};
export type CountryRules = { mode: Of<typeof mode>; codes: string[] };

/** `GET /countries`. */
export const countriesData = object({
  ...countryFields,
  /** `false`: the rules do nothing, because the server has no `GEOIP_DB`. */
  knowsCountries: flag,
  notice: shape<string>({
    type: "string",
    description: "A warning if the server has no country database; otherwise empty",
  }),
  ownCountry: orNull(text("DE")),
  hits: whole(0),
  revision,
});
export type CountriesData = Of<typeof countriesData>;

/** All that a rate rule can be about. */
export const roles = ["visitor", "user", "admin"] as const;
/** Who a rate rule is about. */
export type Role = (typeof roles)[number];

const rateKey = word("ip", "user", "ip+path");
const rateAction = word("block", "log", "ban");
/** What is stored of a rate rule. */
export const rateFields = {
  id: text("8d4f2c1a-3b7e-4f5a-8c9d-0e1f2a3b4c5d"),
  title: text("Contact"),
  isOn: flag,
  /** `*` for any. */
  method: text("POST"),
  /** `/api/contact`; a `*` at its end stands for whatever follows; `/api/users/:id` for one segment. */
  path: text("/api/contact"),
  /** Signed-in admins are never counted for the firewall's pages and calls, and nobody for sign-in unless `path` names it. */
  roles: list(word(...roles)),
  key: rateKey,
  windowMs: whole(60_000),
  max: whole(10),
  /** `log` only writes down; `ban` refuses and bans the address. */
  action: rateAction,
};
const rate = object({ ...rateFields, hits: whole(0) });
/** How often something may be asked for. */
export type RateRule = Of<typeof rate>;

const sentRate = {
  title: entered(mostRules.titleLength),
  isOn: flag,
  method: entered(20),
  path: entered(mostRules.pathLength),
  roles: upTo(3, word(...roles)),
  key: rateKey,
  /** For sign-in 3,600,000 at most. */
  windowMs: between(1_000, 86_400_000),
  max: between(1, 100_000),
  action: rateAction,
};
/** `POST /rates`. */
export const rateInput = input({ ...sentRate, revision: sentRevision }, ["path"]);
/** `PUT /rates/:id`: what is left out stays. */
export const rateChange = input({ ...sentRate, revision: sentRevision });
export type RateInput = Of<typeof rateChange>;

/** `GET /rates`. */
export const ratesData = object({ rules: list(rate), isCounting: flag, most: whole(100), revision });
export type RatesData = Of<typeof ratesData>;

const pattern = object({
  id: whole(101),
  title: text("A query that always holds"),
  category: word(...categories),
  paranoia: shape<Paranoia>({ type: "integer", minimum: 1, maximum: 4 }),
  score: whole(5),
  /** Not switched off. */
  isOn: flag,
  /** Looked for: on, and not above the paranoia level. */
  isInForce: flag,
  hits: whole(0),
});
/** One attack pattern. */
export type PatternRow = Of<typeof pattern>;

/** `GET /patterns`, and what a change of them answers. */
export const patternsData = object({ patterns: list(pattern), revision });
export type PatternsData = Of<typeof patternsData>;
const switchedOff = upTo(mostRules.switchedOff, between(0, 1_000_000));
export const patternsInput = input({ switchedOff, revision: sentRevision }, ["switchedOff"]);
export const patternInput = input({ isOn: flag, revision: sentRevision }, ["isOn"]);

/** What is stored of an exemption. */
export const exemptionFields = {
  id: text("built-in-passwords"),
  method: text("POST"),
  path: text("/api/contact"),
  fields: list(text("message")),
  categories: list(word(...categories)),
  note: text("Free text"),
};
const exemption = object({ ...exemptionFields, isBuiltIn: flag });
/** Where free text is welcome. Those that are built in have `isBuiltIn` and cannot be changed. */
export type ExemptionRow = Of<typeof exemption>;

/** `GET /exemptions`. */
export const exemptionsData = object({ exemptions: list(exemption), most: whole(100), revision });
export type ExemptionsData = Of<typeof exemptionsData>;

/** Without fields all of the route, without categories every pattern. */
const sentExemption = {
  method: entered(20),
  path: entered(mostRules.pathLength),
  fields: upTo(mostRules.fields, { ...entered(100), minLength: 1 }),
  categories: upTo(categories.length, word(...categories)),
  note,
};
/** `POST /exemptions`. */
export const exemptionInput = input({ ...sentExemption, revision: sentRevision }, ["path"]);
/** `PUT /exemptions/:id`: what is left out stays. */
export const exemptionChange = input({ ...sentExemption, revision: sentRevision });
export type ExemptionInput = Of<typeof exemptionChange>;

const proposal = object({
  /** The same for the same fields and categories of the same route. */
  id: text("0198c1a27b1e70008000000000000000"),
  method: text("POST"),
  path: text("/api/contact"),
  fields: list(text("message")),
  categories: list(word(...categories)),
  /** What matched, in words. */
  patterns: list(text("A query that always holds (sql-injection)")),
  /** How many requests it would let pass, and of how many users. */
  requests: whole(14),
  users: whole(3),
  /** IDs of some of them. */
  examples: list(text("0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10")),
});
/** An exemption that requests of signed-in users suggest. */
export type Proposal = Of<typeof proposal>;

/** Proposed exemptions, as the journal and replays have them. */
export const proposals = list(proposal);

/** `GET /proposals`: from the journal, those of most users first; `POST /proposals/:id/accept` adds the exemption. */
export const proposalsData = object({ proposals, revision });
export type ProposalsData = Of<typeof proposalsData>;

export const banInput = input({ address: sentAddress, minutes: between(1, 525_600), note }, [
  "address",
  "minutes",
]);
export const liftInput = input({ address: sentAddress }, ["address"]);

/** `POST /replay`: what is left out is as it is now; lists replace those in force, `add…` add to them. */
export const replayInput = input({
  switches: switchesInput,
  addAddresses: upTo(mostRules.addresses, input({ kind, address: sentAddress }, ["kind", "address"])),
  countries: input(sentCountries, ["mode", "codes"]),
  addRates: upTo(mostRules.rates, shape<RateInput>(input(sentRate, ["path"]))),
  switchedOff,
  addExemptions: upTo(mostRules.exemptions, shape<ExemptionInput>(input(sentExemption, ["path"]))),
});
export type ReplayDraft = Of<typeof replayInput>;
