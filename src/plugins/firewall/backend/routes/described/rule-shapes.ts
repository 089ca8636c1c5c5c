import type { Json } from "#plugins/sdk/types.ts";
import manifest from "../../../plugin.json";
import { categories, roles } from "../../rules/rules.ts";
import { defaultSwitches } from "../../switches.ts";
import { flag, list, moment, object, orNull, pagination, revision, text, whole, word } from "./shapes.ts";

const known: Record<string, Json> = manifest.settings.schema.properties;
const switches = Object.fromEntries(Object.keys(defaultSwitches).map((name) => [name, known[name] ?? {}]));

const pending: Json = object({
  revision,
  deadline: moment,
  leftMs: {
    type: "integer",
    examples: [61_000],
    description: "Time left until it is reverted automatically",
  },
  by: text("Ada Lovelace"),
  isOwn: flag,
  what: text("Denied 198.51.100.0/24"),
});

const trouble: Json = object({
  kind: word("unreadable", "unreachable", "engine"),
  message: text("The stored rules are damaged."),
  inForce: word("last-good", "copy", "defaults"),
});

const counts = {
  ...{ passed: whole(912), blocked: whole(7), wouldBlock: whole(0), limited: whole(1), spared: whole(0) },
};

const panelTexts: Json = { type: "object", additionalProperties: { type: "string" } };

/** The switches, and what waits or is wrong. */
export const configData: Json = object({
  ...switches,
  revision,
  pending: orNull(pending),
  trouble: orNull(trouble),
  knowsCountries: flag,
  coreLimit: object({
    windowMs: whole(900_000),
    maxRequests: whole(500),
    message: text("Too many requests, please try again later"),
  }),
  ownAddress: orNull(text("203.0.113.7")),
  ownCountry: orNull(text("DE")),
  adminPanel: object({ enabled: flag, menuItem: panelTexts, card: panelTexts }),
});

/** What the firewall does at this moment. */
export const statusData: Json = object({
  ...{ masterSwitchEnabled: flag, developmentModeEnabled: flag },
  ...{ rateLimitingEnabled: flag, patternsEnabled: flag },
  paranoiaLevel: switches.paranoiaLevel ?? {},
  threshold: switches.threshold ?? {},
  revision,
  state: text("The firewall is on."),
  trouble: orNull(trouble),
  pending: orNull(pending),
  knowsCountries: flag,
  ...{ allowed: whole(2), denied: whole(5), countryMode: word("off", "allow", "deny"), countries: whole(0) },
  ...{ rates: whole(1), patterns: whole(214), patternsOff: whole(0), exemptions: whole(8), bans: whole(0) },
  counting: text("Requests are counted for all servers, in Redis."),
  replica: text("atrium-1"),
  lastHour: object(counts),
  last24Hours: object(counts),
});

/** How many requests there were in each minute. */
export const minutesData: Json = object({
  minutes: list(object({ ...counts, at: moment })),
  replica: text("atrium-1"),
});

const address: Json = object({
  id: text("5f0c3f0e-6d0b-4d7e-9d0f-2f3a4b5c6d7e"),
  kind: word("allow", "deny"),
  range: text("198.51.100.0/24"),
  note: text("Scanners"),
  author: text("Ada Lovelace"),
  createdAt: moment,
  expiresAt: orNull(moment),
  hits: whole(12),
});

export const addressesData: Json = object({ entries: list(address), pagination, revision });
export const addressData: Json = object({ entry: address, revision });
export const deletedData: Json = object({ deleted: whole(1), revision });
export const revisionData: Json = object({ revision });

export const importData: Json = object({
  obstacle: { type: ["string", "null"], description: "For a trial: why nothing would be imported" },
  ...{ added: whole(2), known: whole(1), refused: whole(0) },
  lines: list(
    object({
      line: whole(1),
      outcome: word("added", "known", "refused"),
      range: text("198.51.100.7"),
      message: text("Added"),
    }),
  ),
  revision,
});

export const countriesData: Json = object({
  mode: word("off", "allow", "deny"),
  codes: list(text("FR")),
  knowsCountries: flag,
  notice: { type: "string", description: "A warning if the server has no country database; otherwise empty" },
  ownCountry: orNull(text("DE")),
  hits: whole(0),
  revision,
});

export const ratesData: Json = object({
  rules: list(
    object({
      id: text("8d4f2c1a-3b7e-4f5a-8c9d-0e1f2a3b4c5d"),
      title: text("Contact"),
      isOn: flag,
      method: text("POST"),
      path: text("/api/contact"),
      roles: list({ type: "string", enum: [...roles] }),
      key: word("ip", "user", "ip+path"),
      windowMs: whole(60_000),
      max: whole(10),
      action: word("block", "log", "ban"),
      hits: whole(0),
    }),
  ),
  isCounting: flag,
  most: whole(100),
  revision,
});

export const exemptionsData: Json = object({
  exemptions: list(
    object({
      id: text("built-in-passwords"),
      method: text("POST"),
      path: text("/api/contact"),
      fields: list(text("message")),
      categories: list({ type: "string", enum: [...categories] }),
      note: text("Free text"),
      isBuiltIn: flag,
    }),
  ),
  most: whole(100),
  revision,
});

const proposal: Json = object({
  id: text("0198c1a27b1e70008000000000000000"),
  method: text("POST"),
  path: text("/api/contact"),
  fields: list(text("message")),
  categories: list({ type: "string", enum: [...categories] }),
  patterns: list(text("A query that always holds (sql-injection)")),
  ...{ requests: whole(14), users: whole(3) },
  examples: list(text("0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10")),
});

/** Proposed exemptions, as the journal and replays have them. */
export const proposals: Json = list(proposal);

export const proposalsData: Json = object({ proposals, revision });

export const historyData: Json = object({
  changes: list(
    object({
      ...{ id: whole(41), at: moment, by: text("Ada"), what: text("Changed the firewall: paranoiaLevel 3") },
      reverts: orNull(whole(40)),
      lines: list(text("Paranoia level: 1 → 3")),
      canRevert: flag,
    }),
  ),
  revision,
});

export const patternsData: Json = object({
  patterns: list(
    object({
      id: whole(101),
      title: text("A query that always holds"),
      category: { type: "string", enum: [...categories] },
      paranoia: { type: "integer", minimum: 1, maximum: 4 },
      score: whole(5),
      isOn: flag,
      isInForce: flag,
      hits: whole(0),
    }),
  ),
  revision,
});
