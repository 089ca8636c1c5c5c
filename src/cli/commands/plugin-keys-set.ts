import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { findKey } from "#cli/find-key.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { confirmTier, endOf, readEnd, readNames, tierOption } from "#cli/key-terms.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import type { TrustedKey } from "#contract/plugins.ts";

type SetOptions = { label?: string; tier?: TrustedKey["tier"]; names?: string[]; until?: string };

/** `plugin keys set`: on what terms a key is trusted. */
export const addPluginKeysSetCommand = (keys: Command, cli: Cli): void => {
  keys
    .command("set")
    .argument("<key-id>", "id of the key, or its beginning as plugin keys list shows it")
    .option("--label <text>", "whose key it is")
    .addOption(tierOption())
    .option("--names <names>", "the plugins it may sign, with commas; * stands for any text", readNames)
    .option("--until <date>", "the last moment at which it counts, as 2027-01-31, or never", readEnd)
    .summary("change on what terms a key is trusted")
    .description(
      "Changes what was said of a key that is trusted; what is not given stays. To make a key native asks first. Keys that " +
        "the operator pinned are changed in PLUGIN_TRUSTED_KEYS, and revoked ones stay so.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["For other plugins", "atrium plugin keys set 5f2c9a0b11d34e7c --names 'northwind-*, weather'"],
        ["Until the end of a day", "atrium plugin keys set 5f2c9a0b11d34e7c --until 2027-01-31"],
      ),
    )
    .action(
      handler<SetOptions>(cli, async (invocation, { label, tier, names, until }) => {
        const [typed = ""] = invocation.args;
        const body = given({ label, tier, names, notAfter: endOf(until) });
        if (Object.keys(body).length === 0)
          throw new CliFailure("USAGE", "give what to change: --label, --tier, --names or --until");
        const key = await withClient(invocation, async (client) => {
          const found = await findKey(client, typed);
          if (found?.tier !== "native") await confirmTier(invocation, tier);
          const params = { id: found?.keyId ?? typed };
          return client.call("PATCH /api/admin/plugin-keys/:id", { params, body });
        });
        invocation.output.result(key, (changed) => printable(`Changed ${changed.label} (${changed.keyId})`));
      }),
    );
};
