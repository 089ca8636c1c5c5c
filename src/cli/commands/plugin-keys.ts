import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { findKey } from "#cli/find-key.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { confirmTier, endOf, readEnd, readNames, tierOption } from "#cli/key-terms.ts";
import { printable, type Style } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { addPluginKeysSetCommand } from "./plugin-keys-set.ts";

type AddOptions = { label: string; tier: TrustedKey["tier"]; names?: string[]; until?: string };

/** `plugin keys list`, `add`, `set` and `revoke`: whose signatures count. */
export const addPluginKeysCommands = (group: Command, cli: Cli): void => {
  const keys = group
    .command("keys")
    .summary("publishers' keys that are trusted")
    .description(
      "The public keys whose signatures on packages count, besides those that the operator pinned",
    );
  addList(keys, cli);
  addAdd(keys, cli);
  addPluginKeysSetCommand(keys, cli);
  addRevoke(keys, cli);
};

const addList = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the keys")
    .description(
      "Lists the trusted keys, revoked ones too. Elsewhere than on a terminal one a line with tabs.",
    )
    .addHelpText("after", examples(["All of them", "atrium plugin keys list"]))
    .action(
      handler(cli, async (invocation) => {
        const { keys } = await withClient(invocation, (client) => client.call("GET /api/admin/plugin-keys"));
        invocation.output.result(keys, (rows, style) =>
          rows.length === 0 && style.isTerminal
            ? "No keys are trusted."
            : formatTable(columns(style), rows, style),
        );
      }),
    );
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

const addAdd = (group: Command, cli: Cli): void => {
  group
    .command("add")
    .argument("<public-key>", "the raw ed25519 key in base64, as plugin keygen prints it")
    .requiredOption("--label <text>", "whose key it is")
    .addOption(tierOption().default("verified"))
    .option(
      "--names <names>",
      "the plugins it may sign, with commas between them; * stands for any text (default: *)",
      readNames,
    )
    .option("--until <date>", "the last moment at which it counts, as 2027-01-31 or in ISO 8601", readEnd)
    .summary("trust a key")
    .description(
      "Trusts a publisher's key: packages that it signed count as verified. A native key asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["A publisher", "atrium plugin keys add lK2…= --label Northwind --names 'northwind-*'"],
        [
          "Your own, inside the server",
          "atrium plugin keys add lK2…= --label 'Our build' --tier native --yes",
        ],
      ),
    )
    .action(
      handler<AddOptions>(cli, async (invocation, { label, tier, names, until }) => {
        const [publicKey = ""] = invocation.args;
        await confirmTier(invocation, tier);
        const body = { publicKey, label, tier, ...given({ names, notAfter: endOf(until) }) };
        const key = await withClient(invocation, (client) =>
          client.call("POST /api/admin/plugin-keys", { body }),
        );
        invocation.output.result(key, ({ keyId }) => printable(`Trusted ${label} (${keyId})`));
      }),
    );
};

const addRevoke = (group: Command, cli: Cli): void => {
  group
    .command("revoke")
    .argument("<key-id>", "id of the key, or its beginning as plugin keys list shows it")
    .summary("trust a key no more")
    .description("Revokes a key for good: plugins that it signed are stopped on every server. Asks first.")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(["By the beginning of its id", "atrium plugin keys revoke 5f2c9a0b11d34e7c"]),
    )
    .action(
      handler(cli, async (invocation) => {
        const [typed = ""] = invocation.args;
        const key = await withClient(invocation, async (client) => {
          const found = await findKey(client, typed);
          await invocation.confirm(async () => `Revoke the key of ${found?.label ?? typed} for good?`);
          return client.call("POST /api/admin/plugin-keys/:id/revoke", {
            params: { id: found?.keyId ?? typed },
          });
        });
        invocation.output.result(key, ({ label }) => printable(`Revoked ${label}`));
      }),
    );
};
