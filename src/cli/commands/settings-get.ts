import type { Command } from "commander";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { isSettingPath, settingPath, settingPaths } from "#cli/setting-paths.ts";
import { formatFacts } from "#cli/table.ts";

/** `settings get`: all settings, a section, or one value. */
export const addSettingsGetCommand = (group: Command, cli: Cli): void => {
  group
    .command("get")
    .argument("[path]", "such as core.rateLimiting.maxRequests, or a section such as core.security")
    .summary("show settings")
    .description(
      "Shows all settings, those of a section, or one. Secrets are never shown; fields that begin with has tell " +
        "whether one is stored.",
    )
    .addHelpText(
      "after",
      examples(
        ["Everything", "atrium settings get"],
        ["One value, bare", "atrium settings get core.rateLimiting.maxRequests"],
        ["A section as JSON", "atrium settings get credentials.redis --json"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [path = ""] = invocation.args;
        refuseSecret(path);
        const all = await withClient(invocation, readAll);
        const value = path === "" ? all : valueAt(all, path);
        invocation.output.result(value, (shown, style) => {
          if (isSection(shown)) return formatFacts(factsIn(shown, path), style);
          // Programs get the value itself.
          return style.isTerminal ? printable(String(shown)) : String(shown);
        });
      }),
    );
};

const readAll = async (client: Client) => ({
  core: await client.call("GET /api/auth/settings/core"),
  accounts: await client.call("GET /api/auth/settings/accounts"),
  credentials: await client.call("GET /api/auth/settings/credentials"),
});

const refuseSecret = (path: string): void => {
  if (!isSettingPath(path) || settingPaths[path].kind !== "secret") return;
  const [section = "", field = ""] = path.split(/\.(?=\w+$)/);
  const flag = `${section}.has${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  throw new CliFailure(
    "USAGE",
    `secrets are never shown; whether one is stored: atrium settings get ${flag}`,
  );
};

/** What stands at a dotted path. Throws `USAGE` when nothing does. */
const valueAt = (all: object, path: string): unknown => {
  let value: unknown = all;
  for (const name of path.split(".")) {
    if (!isSection(value) || !Object.hasOwn(value, name)) settingPath(path);
    value = Reflect.get(Object(value), name);
  }
  return value;
};

const isSection = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The values below a section, each under its whole path; secrets, which read empty, are left out. */
const factsIn = (section: object, path: string): [name: string, value: string][] =>
  Object.entries(section).flatMap(([name, value]) => {
    const own = path === "" ? name : `${path}.${name}`;
    // Lists come along for the form; they are no settings.
    if (Array.isArray(value)) return [];
    if (isSection(value)) return factsIn(value, own);
    const isSecret = isSettingPath(own) && settingPaths[own].kind === "secret";
    return isSecret ? [] : [[own, String(value)] satisfies [string, string]];
  });
