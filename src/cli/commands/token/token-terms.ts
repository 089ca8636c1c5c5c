import { InvalidArgumentError } from "commander";
import { wholeNumber } from "#cli/operations/typed-values.ts";
import { readFilterDate } from "#contract/activity.ts";
import {
  networkComplaint,
  type TokenScope,
  tokenLimits,
  tokenScopes,
  tokenTexts,
} from "#contract/api-tokens.ts";

/** What a token may do, of an option that is given once or several times, with commas between the scopes. */
export const readScopes = (text: string, before: TokenScope[] = []): TokenScope[] => {
  const words = text.split(",").map((word) => word.trim());
  const wrong = words.filter((word) => !isScope(word));
  if (wrong.length > 0)
    throw new InvalidArgumentError(
      `Unknown scope: ${wrong.join(", ")}. Allowed are ${tokenScopes.join(", ")}.`,
    );
  return [...new Set([...before, ...words.filter(isScope)])];
};

const isScope = (word: string): word is TokenScope => tokenScopes.some((scope) => scope === word);

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 } as const;
const isUnit = (unit: string): unit is keyof typeof unitMs => Object.hasOwn(unitMs, unit);

/**
 * Reads when a token ends, as the API takes it: a span from `now` (`90d`), a moment, the end of a day in UTC, or `never`
 * (see {@link endOf}). A moment without an offset is in UTC. Throws for anything else; whether it is to come, the API says.
 */
export const readExpiry = (text: string, now: Date): string => {
  const typed = text.trim();
  if (typed === "never") return typed;
  const [, count = "", unit = ""] = /^(\d{1,5})([mhdwy])$/.exec(typed) ?? [];
  if (isUnit(unit)) return new Date(now.getTime() + Number(count) * unitMs[unit]).toISOString();
  const written = typed.toUpperCase().replace(" ", "T");
  const moment = /T[\d:.]+$/.test(written) ? `${written}Z` : written;
  if (readFilterDate(moment) === null)
    throw new InvalidArgumentError(
      "It must be a period from now (90d, 12h, 2w, 1y), a date (2030-01-31), a time (2030-01-31T00:00:00Z), or never.",
    );
  return new Date(moment.includes("T") ? moment : `${moment}T23:59:59.999Z`).toISOString();
};

/** From where a token may be used, of an option that may be repeated; `any` alone is from anywhere. */
export const readNetworks = (text: string, before?: string[]): string[] => {
  const words = text.split(",").map((word) => word.trim());
  const isAny = words.includes("any");
  if (isAny && (words.length > 1 || before !== undefined))
    throw new InvalidArgumentError("any can't be combined with other values.");
  if (isAny) return [];
  if (before?.length === 0) throw new InvalidArgumentError("any can't be combined with other values.");
  if (words.some((word) => networkComplaint(word) !== null))
    throw new InvalidArgumentError(`${tokenTexts.badNetwork}.`);
  return [...new Set([...(before ?? []), ...words])];
};

/** How often a token may call; see {@link limitOf}. */
export const readCalls = (text: string): CallLimit => {
  if (text === "none") return text;
  const calls = wholeNumber(text);
  if (calls < 1 || calls > tokenLimits.callsPerMinute)
    throw new InvalidArgumentError(`It must be 1 to ${tokenLimits.callsPerMinute}, or none.`);
  return calls;
};

/** A limit as it was typed: commander keeps no `null`. */
export type CallLimit = number | "none";

/** That limit as the API takes it: `null` for none. */
export const limitOf = (typed: CallLimit | undefined): number | null | undefined =>
  typed === "none" ? null : typed;
