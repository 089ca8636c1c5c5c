import { CliFailure } from "#cli/failure.ts";
import { given } from "#cli/given.ts";
import { endOf, readEnd, readNames } from "#cli/key-terms.ts";
import type { Style } from "#cli/output.ts";
import { type Column, whole } from "#cli/table.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { listText, type View } from "./view.ts";

type Tier = TrustedKey["tier"];
type Terms = { label?: string; tier?: Tier; names?: string[]; until?: string };

const termReaders = { names: readNames, until: readEnd };
const native = "Plugins signed with this key may run inside the server with all its rights. Trust it?";

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
        throw new CliFailure("USAGE", "give what to change: --label, --tier, --names or --until");
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
