import type { Ctx, Health, TeardownReason } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";
import { fieldsOf } from "../fields-of.ts";

// Module variables exist once per server and only until the plugin stops. Store data that must last in `ctx.kv`.
let isWell = true;
let say = (_text: string): void => {};

/** Health checks, data migration and shutdown. */
export const addLife = (ctx: Ctx): void => {
  say = (text) => ctx.log("info", text);
  const body = { type: "object", properties: { isWell: { type: "boolean" } }, required: ["isWell"] };
  ctx.routes.post(
    "/health",
    {
      body,
      summary: "Makes the health check fail",
      description:
        "The health check fails until you reset it. After three failed checks in a row the plugin is restarted.",
      answers: answering("The health", { ok: true }),
    },
    ({ body: given }) => {
      isWell = fieldsOf(given).isWell === true;
      return { ...health() };
    },
  );
  ctx.routes.get(
    "/life",
    {
      summary: "Show health and version",
      description:
        "The plugin's version, the server that it runs on, and the version from which it was updated.",
      answers: answering("Health and version", {
        ok: true,
        version: "1.0.0",
        replica: "atrium-1",
        updatedFrom: null,
      }),
    },
    async () => ({
      ...health(),
      version: ctx.plugin.version,
      replica: ctx.plugin.replica,
      updatedFrom: (await ctx.kv.get("updatedFrom")) ?? null,
    }),
  );
};

/** The host checks this every 30 seconds, and restarts the plugin after three failures in a row. */
export const health = (): Health =>
  isWell ? { ok: true } : { ok: false, detail: "Set to fail on the plugin's page" };

/** Runs once, before a newer version starts: `from` is the version that wrote the stored data. */
export const migrate = async (ctx: Ctx, from: string): Promise<void> => {
  await ctx.kv.set("updatedFrom", from);
};

/** Has two seconds to clean up. */
export const teardown = (reason: TeardownReason): void => say(`Stopping: ${reason}`);
