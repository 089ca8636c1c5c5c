import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { formatFacts } from "#cli/table.ts";

/** `plugin settings get` and `plugin settings set`: what the form of a plugin's page holds. */
export const addPluginSettingsCommands = (group: Command, cli: Cli): void => {
  const settings = group
    .command("settings")
    .summary("a plugin's settings")
    .description("The settings of a plugin, as its manifest describes them");
  addGet(settings, cli);
  addSet(settings, cli);
};

const addGet = (group: Command, cli: Cli): void => {
  group
    .command("get")
    .argument("<name>", "name of the plugin")
    .argument("[field]", "one field; all of them unless given")
    .summary("show settings")
    .description("Shows a plugin's settings. Secrets are never shown, only whether one is stored.")
    .addHelpText(
      "after",
      examples(
        ["All of them", "atrium plugin settings get visitor-notes"],
        ["One, bare", "atrium plugin settings get visitor-notes color"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", field] = invocation.args;
        const { values, secrets } = await withClient(invocation, (client) =>
          client.call("GET /api/plugins/:name/settings", { params: { name } }),
        );
        if (field === undefined) {
          invocation.output.result({ values, secrets }, (shown, style) =>
            formatFacts(
              [
                ...Object.entries(shown.values)
                  .filter(([key]) => !Object.hasOwn(shown.secrets, key))
                  .map(([key, value]) => [key, valueText(value)] as const),
                ...Object.entries(shown.secrets).map(
                  ([key, has]) => [key, has ? "(stored)" : "(not set)"] as const,
                ),
              ],
              style,
            ),
          );
          return;
        }
        if (!Object.hasOwn(values, field)) throw unknownField(name, field, Object.keys(values));
        invocation.output.result(values[field], (value) => printable(valueText(value), "\n"));
      }),
    );
};

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const unknownField = (name: string, field: string, known: string[]): CliFailure =>
  new CliFailure("USAGE", `${name} has no setting "${field}"; it has: ${known.join(", ") || "none"}`);

const addSet = (group: Command, cli: Cli): void => {
  group
    .command("set")
    .argument("<name>", "name of the plugin")
    .argument("<field>", "the field to change")
    .argument("[value]", "the new value: JSON, or else a text")
    .option("--stdin", "read the value from standard input, as secrets have to be")
    .summary("change one setting")
    .description(
      "Changes one field of a plugin's settings. The plugin hears of it at once, and is not restarted.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["A number", "atrium plugin settings set visitor-notes limit 20"],
        ["A secret", "atrium plugin settings set visitor-notes apiKey --stdin < key.txt"],
      ),
    )
    .action(
      handler<{ stdin?: true }>(cli, async (invocation, { stdin }) => {
        const [name = "", field = "", typed] = invocation.args;
        if ((typed === undefined) === (stdin === undefined))
          throw new CliFailure("USAGE", "give the value, or --stdin to read it from standard input");
        const piped = stdin ? new TextDecoder().decode(await invocation.terminal.readInput()) : null;
        const saved = await withClient(invocation, async (client) => {
          const params = { name };
          const { secrets } = await client.call("GET /api/plugins/:name/settings", { params });
          const isSecret = Object.hasOwn(secrets, field);
          if (isSecret && piped === null)
            throw new CliFailure("USAGE", `${field} is a secret: give it on standard input with --stdin`);
          const text = piped === null ? (typed ?? "") : piped.replace(/\r?\n$/, "");
          return client.call("PUT /api/plugins/:name/settings", {
            params,
            body: { values: { [field]: isSecret ? text : asJson(text) } },
          });
        });
        invocation.output.result(saved, () => `Saved ${field} of ${name}`);
      }),
    );
};

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Words need no quotes.
    return text;
  }
};
