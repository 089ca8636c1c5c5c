import { InvalidArgumentError, Option } from "commander";
import { readFilterDate } from "#contract/activity-rules.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import type { Invocation } from "./invocation.ts";

/** The tier of a publisher's key as an option. */
export const tierOption = (): Option =>
  new Option("--tier <tier>", "native lets its plugins run inside the server").choices([
    "verified",
    "native",
  ]);

/** Names with commas between them. */
export const readNames = (text: string): string[] => text.split(",").map((name) => name.trim());

/** Reads the last moment at which a key counts: of a day in UTC its end, or `never`. Throws for what is no date. */
export const readEnd = (text: string): string => {
  const typed = text.trim();
  if (typed === "never") return typed;
  if (readFilterDate(typed) === null)
    throw new InvalidArgumentError("It must be a date (2027-01-31), a moment in ISO 8601, or never.");
  return typed.includes("T") ? typed : `${typed}T23:59:59.999Z`;
};

/** That moment as the API takes it: `null` for never. */
export const endOf = (until: string | undefined): string | null | undefined =>
  until === "never" ? null : until;

/** Asks before a key may sign what runs inside the server. */
export const confirmTier = async (
  { confirm }: Invocation,
  tier: TrustedKey["tier"] | undefined,
): Promise<void> => {
  if (tier !== "native") return;
  await confirm(
    async () => "Plugins signed with this key may run inside the server with all its rights. Trust it?",
  );
};
