import type { Client } from "#cli/client.ts";
import { counted } from "#cli/counted.ts";
import { enabledDependents } from "#cli/enabled-dependents.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { permissionText } from "#cli/permission-text.ts";
import { errorTexts } from "#contract/errors.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { PluginDetails } from "#contract/plugins.ts";
import type { Plans } from "./plan.ts";

type Params = { params?: { name: string } | undefined };

/** The plans for plugins. */
export const pluginPlans: Plans<
  | "POST /api/plugins/:name/toggle"
  | "POST /api/plugins/:name/versions/:version/activate"
  | "POST /api/plugins/:name/replace-publisher"
  | "DELETE /api/plugins/:name/versions/:version"
  | "POST /api/plugins/:name/restore"
  | "DELETE /api/plugins/:name/retained/:publisher"
  | "DELETE /api/plugins/:name"
  | "PUT /api/plugins/:name/settings"
> = {
  "POST /api/plugins/:name/toggle": async (client, { params, body }) => {
    const plugin = await find(client, { params });
    return body?.enabled ? enabling(client, plugin) : disabling(client, plugin);
  },
  "POST /api/plugins/:name/versions/:version/activate": async (client, { params }) => {
    const { title, version, versions, pendingVersion, pendingPermissions } = await find(client, { params });
    const wanted = params?.version ?? "";
    if (!versions.some((kept) => kept.version === wanted))
      throw new CliFailure("NOT_FOUND", pluginTexts.unknownVersion);
    const asked = wanted === pendingVersion ? pendingPermissions.map(permissionText) : [];
    return [`Would bring ${title} from version ${version} to ${wanted}`, ...wishes(asked)].join("\n");
  },
  "POST /api/plugins/:name/replace-publisher": async (client, { params, body }) => {
    const { title, version, versions } = await find(client, { params });
    const target = versions.find((kept) => kept.version === body?.version);
    if (target === undefined) throw new CliFailure("NOT_FOUND", pluginTexts.unknownVersion);
    return [
      `Would replace the publisher of ${title}, from version ${version} to ${target.version}, and start it without the old one's data`,
      ...wishes(target.permissions.map(permissionText)),
    ].join("\n");
  },
  "DELETE /api/plugins/:name/versions/:version": async (client, { params }) => {
    const { title, versions } = await find(client, { params });
    const kept = versions.find(({ version }) => version === params?.version);
    if (kept === undefined) throw new CliFailure("NOT_FOUND", pluginTexts.unknownVersion);
    if (kept.isCurrent) throw new CliFailure("CONFLICT", pluginTexts.versionInForce);
    return `Would discard version ${kept.version} of ${title}`;
  },
  "POST /api/plugins/:name/restore": async (client, { params }) => {
    const { name = "" } = params ?? {};
    const found = (await client.call("GET /api/plugins")).find((plugin) => plugin.name === name);
    if (found !== undefined) throw new CliFailure("CONFLICT", pluginTexts.installedAlready(name));
    return `Would install ${name} again, disabled, if it is part of Atrium`;
  },
  "DELETE /api/plugins/:name/retained/:publisher": async (client, { params }) => {
    const { name = "", publisher = "" } = params ?? {};
    const words = `Would permanently delete what is kept of ${name}, published by ${publisher}`;
    const plugins = await client.call("GET /api/plugins");
    // What is kept of a plugin that is not installed, the change itself finds out.
    if (!plugins.some((plugin) => plugin.name === name)) return `${words}, if there is anything`;
    const { retained } = await find(client, { params });
    if (!retained.some((kept) => kept.publisher === publisher))
      throw new CliFailure("NOT_FOUND", pluginTexts.nothingRetained(retained.map((kept) => kept.publisher)));
    return words;
  },
  "DELETE /api/plugins/:name": async (client, { params, query }) => {
    const { name, title, core, data } = await find(client, { params });
    if (core) throw new CliFailure("PLUGIN_IS_CORE", errorTexts.PLUGIN_IS_CORE);
    const needing = await needingOf(client, name);
    if (needing.length > 0 && query?.force !== "true")
      throw new CliFailure("PLUGIN_NEEDED", `${errorTexts.PLUGIN_NEEDED}: ${needing.join(", ")}`);
    const first = needing.length > 0 ? `disable ${needing.join(", ")} and ` : "";
    const lost = `${counted(data.keys, "key")}, ${counted(data.files, "file")} (${formatBytes(data.fileBytes)}) and its settings`;
    return query?.retainData === "true"
      ? `Would ${first}delete ${title} and keep its data`
      : `Would ${first}delete ${title} with ${lost} for good`;
  },
  "PUT /api/plugins/:name/settings": async (client, { params, body }) => {
    const { name = "" } = params ?? {};
    const shown = await client.call("GET /api/plugins/:name/settings", { params: { name } });
    const { schema, values, secrets } = shown;
    return Object.entries(body?.values ?? {})
      .map(([field, value]) => {
        if (!Object.hasOwn(Object(Reflect.get(Object(schema), "properties")), field))
          throw new CliFailure("VALIDATION_FAILED", `${name} has no setting "${field}"`);
        if (Object.hasOwn(secrets, field)) return `Would save ${field} of ${name}`;
        return `Would change ${field} of ${name} from ${JSON.stringify(values[field] ?? null)} to ${JSON.stringify(value)}`;
      })
      .join("\n");
  },
};

const find = (client: Client, { params }: Params): Promise<PluginDetails> =>
  client.call("GET /api/plugins/:name", { params: { name: params?.name ?? "" } });

const enabledOf = async (client: Client, names: readonly string[]): Promise<string[]> => {
  const plugins = await client.call("GET /api/plugins");
  return names.filter((name) => plugins.some((plugin) => plugin.name === name && plugin.enabled));
};

/** The enabled plugins that go off with one. */
const needingOf = async (client: Client, name: string): Promise<string[]> =>
  enabledDependents(await client.call("GET /api/plugins"), name).map((plugin) => plugin.name);

const enabling = async (client: Client, plugin: PluginDetails): Promise<string> => {
  const { title, version, enabled, state, dependencies, requested, granted, signature } = plugin;
  if (enabled && state === "running") return `Would change nothing: ${title} runs already`;
  const needed = Object.keys(dependencies);
  const there = await enabledOf(client, needed);
  const missing = needed.filter((name) => !there.includes(name));
  if (missing.length > 0)
    throw new CliFailure("DEPENDENCY_DISABLED", `${errorTexts.DEPENDENCY_DISABLED}: ${missing.join(", ")}`);
  const asked = requested
    .filter(({ name }) => !granted.some((grant) => grant.name === name))
    .map(permissionText);
  const isSigned = signature.state === "signed" || signature.state === "bundled";
  const origin = isSigned ? [] : [`  nobody you trust signed it (${signature.state})`];
  return [`Would enable ${title} ${version}`, ...origin, ...wishes(asked)].join("\n");
};

const wishes = (asked: readonly string[]): string[] =>
  asked.map((permission) => `  it asks for: ${permission}`);

const disabling = async (client: Client, { name, title, enabled }: PluginDetails): Promise<string> => {
  if (!enabled) return `Would change nothing: ${title} is disabled already`;
  const needing = await needingOf(client, name);
  const need = needing.length === 1 ? "needs" : "need";
  return needing.length === 0
    ? `Would disable ${title}`
    : `Would disable ${needing.join(", ")}, which ${need} it, and ${title}`;
};
