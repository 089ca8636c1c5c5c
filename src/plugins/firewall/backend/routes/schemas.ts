import type { Json } from "#plugins/sdk/types.ts";
import { categories, mostRules, roles } from "../rules/rules.ts";
import { switchesSchema } from "../switches.ts";

const text = (maxLength: number) => ({ type: "string", maxLength }) as const;
const whole = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum }) as const;
const list = (items: Json, maxItems: number): Json => ({ type: "array", items, maxItems });
const object = (properties: Record<string, Json>, required: string[] = []): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const revision = whole(0, 1_000_000_000);
const kind = { type: "string", enum: ["allow", "deny"] };
const address = { ...text(60), minLength: 1 };
const note = text(mostRules.noteLength);
const expiresAt = { type: ["string", "null"], maxLength: 40 };

const rate = {
  title: text(mostRules.titleLength),
  isOn: { type: "boolean" },
  method: text(20),
  path: text(mostRules.pathLength),
  roles: list({ type: "string", enum: [...roles] }, 3),
  key: { type: "string", enum: ["ip", "user", "ip+path"] },
  windowMs: whole(1_000, 86_400_000),
  max: whole(1, 100_000),
  action: { type: "string", enum: ["block", "log", "ban"] },
};
const countries = {
  mode: { type: "string", enum: ["off", "allow", "deny"] },
  codes: list(text(10), mostRules.countries),
};
const exemption = {
  method: text(20),
  path: text(mostRules.pathLength),
  fields: list({ ...text(100), minLength: 1 }, mostRules.fields),
  categories: list({ type: "string", enum: [...categories] }, categories.length),
  note,
};
const switchedOff = list(whole(0, 1_000_000), mostRules.switchedOff);

/** JSON Schemas of what calls send; the host refuses what does not fit. */
export const bodySchemas = {
  config: switchesSchema,
  revision: object({ revision }, ["revision"]),
  address: object({ kind, address, note, for: text(20), expiresAt, revision }, ["kind", "address"]),
  addressChange: object({ kind, note, expiresAt, revision }),
  addressRemoval: object({ address, revision }, ["address"]),
  deletion: object({ ids: list(text(60), mostRules.addresses), revision }, ["ids"]),
  import: object(
    { format: { type: "string", enum: ["csv", "json"] }, text: text(900_000), isTrial: { type: "boolean" } },
    ["format", "text"],
  ),
  countries: object({ ...countries, revision }),
  rate: object({ ...rate, revision }, ["path"]),
  rateChange: object({ ...rate, revision }),
  patterns: object({ switchedOff, revision }, ["switchedOff"]),
  pattern: object({ isOn: { type: "boolean" }, revision }, ["isOn"]),
  exemption: object({ ...exemption, revision }, ["path"]),
  exemptionChange: object({ ...exemption, revision }),
  ban: object({ address, minutes: whole(1, 525_600), note }, ["address", "minutes"]),
  lift: object({ address }, ["address"]),
  replay: object({
    switches: switchesSchema,
    addAddresses: list(object({ kind, address }, ["kind", "address"]), mostRules.addresses),
    countries: object(countries, ["mode", "codes"]),
    addRates: list(object(rate, ["path"]), mostRules.rates),
    switchedOff,
    addExemptions: list(object(exemption, ["path"]), mostRules.exemptions),
  }),
};
