import { operations } from "#api/operations.ts";
import { Planned } from "#cli/planned.ts";
import { hasPlan } from "#contract/operation.ts";
import type { Plan } from "#contract/plan.ts";
import { type Client, isChangingRead, requestPlan } from "./client.ts";

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
  request: async (call) => {
    if (call.method === "GET" && !isChangingRead(call.path)) return client.request(call);
    throw await requestPlan(client, call);
  },
  // The commands that send these requests plan them themselves.
  upload: async (name, input) => {
    if (name === "POST /api/plugins/inspect") return client.upload(name, input);
    throw new Error(`${name} has no plan`);
  },
  callPlugin: async (plugin, { method, path }) => {
    throw new Error(`${method} /api/${plugin}${path} has no plan`);
  },
});

const planWords = ({ summary, mails }: Plan): string =>
  [summary, ...mails.map(({ to, subject }) => `Would send “${subject}” to ${to}`)].join("\n");
