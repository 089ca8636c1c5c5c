import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import {
  isHeavy,
  originText,
  permissionTexts,
  reasonText,
  seriousText,
  weightiestFirst,
} from "#contract/permission-texts.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Permission, Plugin, PluginSignature } from "#contract/plugins.ts";

/** Does what may take a while, and shows progress on a terminal. */
const inStep = <T>({ terminal }: Invocation, step: string, work: () => Promise<T>): Promise<T> =>
  duringStep(createProgress(terminal), printable(step), work);

/** `plugin enable`: enables a plugin after consent to its permissions. */
export const enablePlugin = async (invocation: Invocation): Promise<void> => {
  const [name = ""] = invocation.args;
  const { plugin, status } = await withClient(invocation, async (client) => {
    const { data } = await withConsent(invocation, name, (consent) =>
      inStep(invocation, `enabling ${name}`, () =>
        operationsOf(client).plugins.toggle({ name, enabled: true, ...consent }),
      ),
    );
    return { plugin: data, status: await expectedStatus(data, client) };
  });
  invocation.output.result(plugin, ({ title, version }) => printable(`${title} ${version}: ${status}`));
};

/** `plugin disable`: disables a plugin and those that need it, after a confirmation. */
export const disablePlugin = async (invocation: Invocation): Promise<void> => {
  const [name = ""] = invocation.args;
  const { plugin, others } = await withClient(invocation, async (client) => {
    const before = await enabledPlugins(client);
    await askAboutOthers(invocation, before, name);
    const { data } = await inStep(invocation, `disabling ${name}`, () =>
      operationsOf(client).plugins.toggle({ name, enabled: false }),
    );
    const left = (await enabledPlugins(client)).map((one) => one.name);
    const off = before.map((one) => one.name).filter((one) => !left.includes(one));
    return { plugin: data, others: off.filter((one) => one !== data.name) };
  });
  if (others.length > 0) invocation.output.note(printable(`Also disabled: ${others.join(", ")}`));
  invocation.output.result(plugin, ({ title, state }) => printable(`${title}: ${state}`));
};

const enabledPlugins = async (client: Client): Promise<ListedPlugin[]> =>
  (await operationsOf(client).plugins.list()).data.filter(({ enabled }) => enabled);

/** Asks when other plugins go off with one, and names them. */
const askAboutOthers = async (
  { confirm }: Invocation,
  enabled: readonly ListedPlugin[],
  name: string,
): Promise<void> => {
  const mine = enabled.find((one) => one.name === name);
  const others = mine === undefined ? [] : enabledDependents(enabled, name);
  if (mine === undefined || others.length === 0) return;
  const called = others.map(calledPlugin).join(", ");
  await confirm(async () => `Disable ${calledPlugin(mine)} and the plugins that need it: ${called}?`);
};

const calledPlugin = ({ title, name }: ListedPlugin): string => title ?? name;

/** `plugin update`: puts the version in force that waits. */
export const updatePlugin = (invocation: Invocation): Promise<void> =>
  activate(invocation, async (client, name, wanted) => {
    const { pendingVersion } = (await operationsOf(client).plugins.get({ name })).data;
    if (pendingVersion !== null && (wanted === undefined || wanted === pendingVersion)) return pendingVersion;
    throw new CliFailure(
      "NOT_FOUND",
      `${name} has no waiting version${wanted === undefined ? "" : ` ${wanted}`}; see: atrium plugin info ${name}`,
    );
  });

/** `plugin rollback`: goes to another kept version, the one that was in force before unless told. */
export const rollBackPlugin = (invocation: Invocation): Promise<void> =>
  activate(invocation, async (client, name, wanted) => {
    if (wanted !== undefined) return wanted;
    const { versions } = (await operationsOf(client).plugins.get({ name })).data;
    const before = versions[versions.findIndex(({ isCurrent }) => isCurrent) + 1];
    if (before !== undefined) return before.version;
    throw new CliFailure(
      "NOT_FOUND",
      `no earlier version of ${name} is kept; see: atrium plugin info ${name}`,
    );
  });

const activate = async (
  invocation: Invocation,
  choose: (client: Client, name: string, wanted: string | undefined) => Promise<string>,
): Promise<void> => {
  const [name = "", wanted] = invocation.args;
  const plugin = await withClient(invocation, async (client) =>
    activateVersion(invocation, { client, name, version: await choose(client, name, wanted) }),
  );
  invocation.output.result(plugin, ({ title, version }) => printable(`${title} is at version ${version}`));
};

/** Activates a stored version of a plugin after consent to its permissions: see `withConsent`. */
const activateVersion = (
  invocation: Invocation,
  { client, name, version }: { client: Client; name: string; version: string },
): Promise<Plugin> =>
  withConsent(invocation, name, async (consent) => {
    const { data } = await inStep(invocation, `activating version ${version}`, () =>
      operationsOf(client).plugins.activateVersion({ name, version, ...consent }),
    );
    return data;
  });

/** `plugin replace-publisher`: activates another publisher's version after consent to its permissions. */
export const replacePublisher = async (invocation: Invocation): Promise<void> => {
  const [name = "", version = ""] = invocation.args;
  const plugin = await withClient(invocation, async (client) => {
    const { plugins } = operationsOf(client);
    const { title, versions } = (await plugins.get({ name })).data;
    const target = versions.find((kept) => kept.version === version);
    if (target === undefined) throw new CliFailure("NOT_FOUND", pluginTexts.unknownVersion);
    const change = target.publisherChanged;
    const words = change === null ? "" : ` from ${change.fromName} to ${change.toName}`;
    await askForConsent(invocation, target, { name, question: `Replace the publisher of ${title}${words}?` });
    const { data } = await inStep(invocation, `replacing the publisher of ${name}`, () =>
      plugins.replacePublisher({ name, version, consent: true, sha256: target.sha256 }),
    );
    return data;
  });
  invocation.output.result(plugin, ({ title, state }) =>
    printable(`${title} is now at version ${version} from another publisher: ${state}`),
  );
};

type EnabledState = Pick<Plugin, "enabled" | "state">;

// Where no server runs, or one in safe mode, an enabled plugin is off for the time being.
const isHeldBack = ({ enabled, state }: EnabledState): boolean => enabled && state === "disabled";

/** How a plugin stands, for a list: its state, or that it is enabled where nothing runs it. */
export const stateText = (plugin: EnabledState, { isServer }: Pick<Client, "isServer">): string => {
  if (!isHeldBack(plugin)) return plugin.state;
  return isServer ? "enabled (not running)" : "enabled (no server)";
};

/** How a plugin stands after a change: its state, or when it will run. */
export const expectedStatus = async (plugin: EnabledState, client: Client): Promise<string> => {
  if (!isHeldBack(plugin)) return plugin.state;
  if (!client.isServer) return "enabled; it runs when the server starts";
  const { isSafeMode } = (await operationsOf(client).system.status()).data;
  return isSafeMode ? "enabled; it runs when the server starts without safe mode" : stateText(plugin, client);
};

/** A plugin as the API lists it; only admins see its dependencies and its title. */
type ListedPlugin = {
  name: string;
  enabled: boolean;
  title?: string;
  dependsOn?: readonly string[];
};

/** The enabled plugins that need one, by way of others too: they go off with it, those first that nothing else of them needs. */
const enabledDependents = (plugins: readonly ListedPlugin[], name: string): ListedPlugin[] => {
  const found: ListedPlugin[] = [];
  const seen = new Set([name]);
  const walk = (needed: string): void => {
    for (const plugin of plugins) {
      if (!plugin.enabled || !plugin.dependsOn?.includes(needed) || seen.has(plugin.name)) continue;
      seen.add(plugin.name);
      walk(plugin.name);
      found.push(plugin);
    }
  };
  walk(name);
  return found;
};

/** What a package wants, and where it comes from. */
type Wanted = { permissions: readonly Permission[]; signature: PluginSignature };

/** Consent as it is sent: to the package that was shown, and no other. */
export type SentConsent = { consent?: true; sha256?: string };

/**
 * Sends a request that may need consent to a plugin's permissions: without it first and, if the API asks for it, again after
 * consent. Throws `CANCELLED`, `USAGE` without a terminal, and what the request throws.
 */
export const withConsent = async <T>(
  invocation: Invocation,
  name: string,
  call: (consent: SentConsent) => Promise<T>,
): Promise<T> => {
  try {
    return await call({});
  } catch (error) {
    const wanted = error instanceof CliFailure && error.kind === "CONSENT_REQUIRED" ? error.data : null;
    if (!isWanted(wanted)) throw error;
    await askForConsent(invocation, wanted, { name, question: `Grant these permissions to ${name}?` });
    return call({ consent: true, sha256: wanted.sha256 });
  }
};

/** Shows the permissions of a package in the words of the admin area, and asks. Throws `CANCELLED`, and `USAGE` without a terminal. */
export const askForConsent = async (
  invocation: Invocation,
  wanted: Wanted,
  { name, question }: { name: string; question: string },
): Promise<void> => {
  const tell = () => {
    for (const line of linesOf(name, wanted)) invocation.output.note(printable(line));
  };
  // A program finds it in the failure, and expects nothing else beside that.
  const isForPersonOnly = invocation.output.isJson;
  if (!isForPersonOnly) tell();
  await invocation.confirm(async () => {
    if (isForPersonOnly) tell();
    return question;
  });
};

const linesOf = (name: string, { permissions, signature }: Wanted): string[] => [
  originText(signature),
  ...(permissions.length === 0 ? [`${name} needs no permissions.`] : [`${name} needs these permissions:`]),
  ...weightiestFirst(permissions).map(lineOf),
];

const lineOf = (permission: Permission): string => {
  const { name, hosts = [], plugins = [], reason } = permission;
  const { title, text } = permissionTexts[name];
  const reach = [...hosts, ...plugins].join(", ");
  return [
    `  ${title}${isHeavy(permission) ? ` (${seriousText.toLowerCase()})` : ""}: ${text}`,
    ...(reach === "" ? [] : [`${reach}.`]),
    ...(reason === undefined ? [] : [reasonText(reason)]),
  ].join(" ");
};

const isWanted = (value: unknown): value is Wanted & { sha256: string } =>
  typeof Reflect.get(Object(value), "sha256") === "string" &&
  Array.isArray(Reflect.get(Object(value), "permissions")) &&
  typeof Reflect.get(Object(value), "signature") === "object";

/** A permission in a line: its name, and how far it goes. */
export const permissionText = ({ name, hosts, plugins }: Permission): string => {
  const reach = hosts ?? plugins ?? [];
  return reach.length === 0 ? name : `${name} (${reach.join(", ")})`;
};
