import type { Ctx, Health, TeardownReason } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

// Of this server alone, and only until the plugin ends: what has to last belongs into `ctx.kv`.
let isWell = true;
let say = (_text: string): void => {};

/** How a plugin tells how it is, brings older data along, and ends. */
export const addLife = (ctx: Ctx): void => {
  say = (text) => ctx.log("info", text);
  const body = { type: "object", properties: { isWell: { type: "boolean" } }, required: ["isWell"] };
  ctx.routes.post(
    "/health",
    {
      body,
      summary: "Makes it say that it is not well",
      description:
        "Until it is told otherwise, its check says so; three such answers in a row restart the plugin.",
      answers: answering("How it is", { ok: true }),
    },
    ({ body: given }) => {
      isWell = fieldsOf(given).isWell === true;
      return { ...health() };
    },
  );
  ctx.routes.get(
    "/life",
    {
      summary: "How it is, and where it came from",
      description: "Its version, the server that it runs on, and the version whose data it took over.",
      answers: answering("How it is", { ok: true, version: "1.0.0", replica: "atrium-1", updatedFrom: null }),
    },
    async () => ({
      ...health(),
      version: ctx.plugin.version,
      replica: ctx.plugin.replica,
      updatedFrom: (await ctx.kv.get("updatedFrom")) ?? null,
    }),
  );
};

/** Asked every 30 seconds; three bad answers in a row restart the plugin. */
export const health = (): Health =>
  isWell ? { ok: true } : { ok: false, detail: "Somebody said so on its page" };

/** Once, before a newer version takes over: `from` is the version whose data is stored. */
export const migrate = async (ctx: Ctx, from: string): Promise<void> => {
  await ctx.kv.set("updatedFrom", from);
};

/** Two seconds to end well. */
export const teardown = (reason: TeardownReason): void => say(`Ends because of ${reason}`);
