import type { Command } from "commander";
import type { Client as Operations } from "#api/operations.ts";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { missingArgument } from "#cli/missing-argument.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { printable } from "#cli/output.ts";
import { Planned, planOption, stepsOf } from "#cli/plan/planned.ts";
import { settingPaths, settingsHelp } from "#cli/setting-paths.ts";
import { hasPassword, readSettings, type SettingInput } from "#cli/settings-input.ts";
import { nested, valueAt } from "#contract/define-settings.ts";

type SetOptions = { stdin?: true; clear?: true };
type Settings = Operations["settings"];

/** `settings set`: one setting or several at once. */
export const addSettingsSetCommand = (group: Command, cli: Cli): void => {
  group
    .command("set")
    .argument("<words...>", "path and value, as often as wanted; a secret's path alone")
    .exitOverride(
      missingArgument(
        "Expected are a path and its value, such as core.rateLimiting.maxRequests 500; see: atrium settings set --help",
      ),
    )
    .summary("change settings")
    .description(
      "Changes one setting or several at once. Secrets have no value in the command line: they are asked for without " +
        "showing them, or read from standard input, a line each. What is not named stays as it is.",
    )
    .option("--stdin", "read the values that are missing from standard input, one a line")
    .option("--clear", "remove what is stored at the paths: secrets, endpoints and the bucket's name")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Allow more requests", "atrium settings set core.rateLimiting.maxRequests 500"],
        [
          "Use Redis, with the password from a file",
          "atrium settings set credentials.redis.endpoint rediss://cache.example credentials.redis.password --stdin < password.txt",
        ],
        ["Ask for a secret", "atrium settings set credentials.cloudflareR2.secretAccessKey"],
        ["Use Redis no longer", "atrium settings set credentials.redis.endpoint --clear"],
      ) + settingsHelp(),
    )
    .action(
      handler<SetOptions>(cli, async (invocation, { stdin, clear }) => {
        const ways = { isFromInput: stdin === true, isCleared: clear === true };
        const inputs = await readSettings(invocation.terminal, invocation.args, ways);
        const { before, answer } = await withClient(invocation, async (client) =>
          invocation.isPlan
            ? planned(client, inputs)
            : { before: await readBefore(client, inputs), answer: await save(client, inputs) },
        );
        invocation.output.result(answer, (saved) =>
          [...new Set(inputs.flatMap((input) => saidOf(input, { before, saved })))].join("\n"),
        );
      }),
    );
};

/** All parts are planned before the command ends with what they would do. */
const planned = async (client: Client, inputs: readonly SettingInput[]): Promise<never> => {
  const steps = [];
  for (const part of ["core", "accounts", "credentials"])
    steps.push(
      ...(await stepsOf(() =>
        save(
          client,
          inputs.filter(({ path }) => path.startsWith(`${part}.`)),
        ),
      )),
    );
  throw new Planned(...steps);
};

/** What holds before, for the words of the result alone: who may not read it, or cannot, is told of a change. */
const readBefore = async (client: Client, inputs: readonly SettingInput[]): Promise<object> => {
  const { settings } = operationsOf(client);
  const isNamed = (part: string) => inputs.some(({ path }) => path.startsWith(`${part}.`));
  try {
    return {
      ...(isNamed("core") ? { core: (await settings.core()).data } : {}),
      ...(isNamed("accounts") ? { accounts: (await settings.accounts()).data } : {}),
      ...(isNamed("credentials") ? { credentials: (await settings.credentials()).data } : {}),
    };
  } catch {
    return {};
  }
};

const save = async (client: Client, inputs: readonly SettingInput[]) => {
  const { settings } = operationsOf(client);
  const core = changeOf<Parameters<Settings["setCore"]>[0]>(inputs, "core");
  const accounts = changeOf<Parameters<Settings["setAccounts"]>[0]>(inputs, "accounts");
  const credentials = changeOf<Parameters<Settings["setCredentials"]>[0]>(inputs, "credentials");
  return {
    ...(core === null ? {} : { core: (await settings.setCore(core)).data }),
    ...(accounts === null ? {} : { accounts: (await settings.setAccounts(accounts)).data }),
    ...(credentials === null ? {} : { credentials: (await settings.setCredentials(credentials)).data }),
  };
};

/** The values below one part as the API takes them; `null` when there are none. */
const changeOf = <Change>(inputs: readonly SettingInput[], part: string): Change | null => {
  const own = inputs.filter(({ path }) => path.startsWith(`${part}.`));
  const values = own.map(({ path, value }) => [path.slice(part.length + 1), value] as const);
  return values.length === 0 ? null : changeFrom<Change>(nested(values));
};

/** The paths come from the list of settings, whose sections and fields are those of the API; it checks each value. */
const changeFrom = <Change>(sections: object): Change => sections as Change;

/** What became of an input, in the server's words: what was entered may hold a password, which it keeps apart. */
const saidOf = (
  { path, value }: SettingInput,
  { before, saved }: { before: object; saved: object },
): string[] => {
  if (value === null || value === "") return [`${path} was removed`];
  if (settingPaths[path].kind === "secret") return [`${path} was saved`];
  const [held, kept] = [before, saved].map((settings) => valueAt(settings, path));
  const shown = printable(String(kept));
  if (hasPassword(String(value)))
    return [`${path} is now ${shown}`, `${path.replace(/\w+$/, "password")} was saved`];
  return [held === kept ? `${path} is ${shown} already` : `${path} is now ${shown}`];
};
