import { operations } from "#api/operations.ts";
import type { ApiUploadName } from "#cli/client/api-calls.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { absentText } from "#cli/client/read-answer.ts";
import { CliFailure } from "#cli/failure.ts";
import { callPresentPlugin, statusFailure } from "#cli/plugin-words/call-present-plugin.ts";
import { errorTexts } from "#contract/errors.ts";
import { hasPlan } from "#contract/operation.ts";
import type { Plan } from "#contract/plan.ts";
import type { Plugin } from "#contract/plugins.ts";
import { Planned } from "./planned.ts";
import { isChangingRead, pluginCallPlan, requestPlan } from "./request-plan.ts";

/**
 * A client that makes no change: calls that read go through, the first that would change something throws {@link Planned}
 * with what it would do. Throws, as that call itself would, what can be seen to stand against it.
 */
export const planningClient = (client: Client): Client => ({
  ...client,
  operate: async (id, input, timing) => {
    const { operation } = operations.find((one) => one.id === id) ?? {};
    if (operation?.changes !== true) return client.operate(id, input, timing);
    if (!hasPlan(operation)) throw new Error(`${id} has no plan`);
    throw new Planned({ words: planWords(await client.plan(id, input)), call: operation.endpoint });
  },
  upload: async (name, input) => {
    if (name === "POST /api/plugins/inspect") return client.upload(name, input);
    throw new Planned({ words: await uploadPlan(client, input), call: name });
  },
  request: async (call) => {
    if (call.method === "GET" && !isChangingRead(call.path)) return client.request(call);
    throw await requestPlan(client, call);
  },
  callPlugin: async (plugin, call) => {
    if (call.method === "GET") return callPresentPlugin(client, plugin, call);
    await refuseAbsent(client, plugin);
    throw await pluginCallPlan(client, plugin, call);
  },
});

const planWords = ({ summary, mails }: Plan): string =>
  [summary, ...mails.map(({ to, subject }) => `Would send “${subject}” to ${to}`)].join("\n");

/** Throws what a call of the plugin would: `PLUGIN_NOT_FOUND` and `PLUGIN_UNAVAILABLE`. */
export const refuseAbsent = async (client: Client, name: string): Promise<void> => {
  const plugin = (await operationsOf(client).plugins.list()).data.find(
    (one): one is Plugin => one.name === name && "state" in one,
  );
  if (plugin === undefined) throw new CliFailure("PLUGIN_NOT_FOUND", absentText(name));
  // Without a server the plugin is started for a call, and only then.
  const failure = client.isServer || !plugin.enabled ? statusFailure(plugin) : null;
  if (failure !== null) throw failure;
};

type Upload = Parameters<Client["upload"]>[1];

/** What sending a package would do: the server looks at it without keeping anything of it. */
export const uploadPlan = async (client: Client, { file, query = {} }: Upload): Promise<string> => {
  const inspect: ApiUploadName = "POST /api/plugins/inspect";
  const seen = await client.upload(inspect, { file });
  const { title, version, installedVersion, obstacles, needsDowngrade } = seen;
  if (obstacles.length > 0) throw new CliFailure("PLUGIN_INVALID", obstacles.join("\n"));
  if (needsDowngrade && Reflect.get(query, "allowDowngrade") !== "true")
    throw new CliFailure("PLUGIN_EXISTS", errorTexts.PLUGIN_EXISTS);
  return installedVersion === null
    ? `Would install ${title} ${version}, disabled`
    : `Would bring ${title} from version ${installedVersion} to ${version}`;
};
