import { operations } from "#api/operations.ts";
import type { Client } from "#cli/client.ts";
import { callPresentPlugin } from "#cli/plugin-words/call-present-plugin.ts";
import { hasPlan } from "#contract/operation.ts";
import type { Plan } from "#contract/plan.ts";
import { Planned } from "./planned.ts";
import { pluginCallPlan } from "./plugin-call-plan.ts";
import { refuseAbsent } from "./present-plugin.ts";
import { isChangingRead, requestPlan } from "./request-plan.ts";
import { uploadPlan } from "./upload-plan.ts";

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
