import { InvalidArgumentError } from "commander";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { given } from "#cli/operations/typed-values.ts";
import { listText, type View } from "#cli/operations/view.ts";
import type { Style } from "#cli/terminal/output.ts";
import { type Column, whole } from "#cli/terminal/table.ts";
import { readFilterDate } from "#contract/activity.ts";
import type { TrustedKey } from "#contract/plugins.ts";

/** Names with commas between them. */
const readNames = (text: string): string[] => text.split(",").map((name) => name.trim());

/** Reads the last moment at which a key counts: of a day in UTC its end, or `never`. Throws for what is no date. */
const readEnd = (text: string): string => {
  const typed = text.trim();
  if (typed === "never") return typed;
  if (readFilterDate(typed) === null)
    throw new InvalidArgumentError("It must be a date (2027-01-31), a time in ISO 8601, or never.");
  return typed.includes("T") ? typed : `${typed}T23:59:59.999Z`;
};

/** That moment as the API takes it: `null` for never. */
export const endOf = (until: string | undefined): string | null | undefined =>
  until === "never" ? null : until;

/** The key whose id begins so; `null` unless it is the only one. */
export const findKey = async (client: Client, typed: string): Promise<TrustedKey | null> => {
  const { keys } = (await operationsOf(client).pluginKeys.list()).data;
  const [found, another] = keys.filter(({ keyId }) => keyId.startsWith(typed.toLowerCase()));
  return another === undefined ? (found ?? null) : null;
};

type Tier = TrustedKey["tier"];
type Terms = { label?: string; tier?: Tier; names?: string[]; until?: string };

const termReaders = { names: readNames, until: readEnd };
const native = "Plugins signed with this key can run inside the server with all its permissions. Trust it?";

const termsOf = ({ label, tier, names, until }: Terms) =>
  given({ label, tier, names, notAfter: endOf(until) });

/** How the commands about publishers' keys show what is answered, and what they ask. */
export const pluginKeyViews = {
  "plugin keys list": {
    text: (keys, style) => listText(keys, { columns: columns(style), none: "No keys are trusted.", style }),
  } satisfies View<TrustedKey[]>,
  "plugin keys add": {
    read: termReaders,
    input: (_, options) => termsOf(options),
    question: (_, { tier }) => (tier === "native" ? native : null),
  } satisfies View<never, never, Terms>,
  "plugin keys set": {
    read: termReaders,
    input: (_, options) => {
      const terms = termsOf(options);
      if (Object.keys(terms).length === 0)
        throw new CliFailure("USAGE", "give at least one of --label, --tier, --names and --until");
      return terms;
    },
    // Of one that may do so already nothing is asked.
    question: (key, { tier }) => (tier === "native" && key.tier !== "native" ? native : null),
  } satisfies View<never, { tier?: Tier }, Terms>,
};

const columns = (style: Style): Column<TrustedKey>[] => [
  { heading: "ID", cell: ({ keyId }) => keyId.slice(0, 16), least: whole },
  { heading: "LABEL", cell: ({ label }) => label },
  { heading: "TIER", cell: ({ tier }) => tier, least: whole },
  { heading: "NAMES", cell: ({ names }) => names.join(", "), isSpare: true },
  {
    heading: "STATE",
    cell: ({ revokedAt, source }) => (revokedAt === null ? `trusted (${source})` : "revoked"),
    paint: (text, { revokedAt }) => (revokedAt === null ? style.green(text) : style.red(text)),
  },
];
