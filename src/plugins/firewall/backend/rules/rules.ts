import { addressFields, countryFields, exemptionFields, rateFields } from "../wire/rules.ts";
import { anyNumber, fits, list, type Of, object, shape } from "../wire/shape.ts";
import { readRange } from "./range.ts";

const positive = shape<number>({ type: "number", minimum: 1 });

const storedAddress = object(addressFields);
const storedRate = object({ ...rateFields, windowMs: positive, max: positive });
const storedExemption = object(exemptionFields);
const storedRules = object({
  addresses: list(storedAddress),
  countries: object(countryFields),
  rates: list(storedRate),
  /** Ids of attack patterns. */
  switchedOff: list(anyNumber),
  exemptions: list(storedExemption),
});

/** What admins list: kept as one document, changed as a whole. Hits are counted elsewhere: they change with each request. */
export type Rules = Of<typeof storedRules>;
export type StoredAddress = Of<typeof storedAddress>;
export type StoredRate = Of<typeof storedRate>;
export type StoredExemption = Of<typeof storedExemption>;

/** The same for exemptions that let the same pass; notes don't count. */
export const exemptionKey = ({ method, path, fields, categories }: StoredExemption): string =>
  JSON.stringify([method, path, fields.toSorted(), categories.toSorted()]);

/** Nothing is listed. */
export const noRules: Rules = {
  addresses: [],
  countries: { mode: "off", codes: [] },
  rates: [],
  switchedOff: [],
  exemptions: [],
};

/** The stored rules are not what was stored. */
export class RulesDamaged extends Error {
  override name = "RulesDamaged";
}

/**
 * Reads stored rules, of which nothing is believed: a document that is damaged anywhere is damaged as a whole, so that no
 * half of a list is taken for the list. Throws {@link RulesDamaged}.
 */
export const readRules = (value: unknown): Rules => {
  if (!fits(storedRules, value)) throw new RulesDamaged("the rules are not what was stored");
  const odd = value.addresses.find(({ range }) => readRange(range)?.text !== range);
  if (odd !== undefined) throw new RulesDamaged(`${odd.range} is not a range`);
  return value;
};

const storedDocument = object({ revision: anyNumber, rules: shape<unknown>({}) });

/** Rules with the revision that they are stored under. Throws {@link RulesDamaged}. */
export const readRulesDocument = (value: unknown): { rules: Rules; revision: number } => {
  if (!fits(storedDocument, value)) throw new RulesDamaged("the document is not what was stored");
  return { rules: readRules(value.rules), revision: value.revision };
};
