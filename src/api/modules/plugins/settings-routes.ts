import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { getSettings } from "./get-settings.ts";
import { pluginParams } from "./model.ts";
import { settingsAnswer, settingsBody, settingsChanged } from "./settings-model.ts";
import { updateSettings } from "./update-settings.ts";

const tags = ["Plugins"];
const success = true as const;
const reading = failures(
  ...(["NOT_SIGNED_IN", "FORBIDDEN", "NOT_FOUND", "PLUGIN_NOT_FOUND", "DB_UNAVAILABLE"] as const),
);

/** The calls by which admins read and change a plugin's settings. */
export const pluginSettingsRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/plugins" })
    .use(door)
    .get("/:name/settings", async ({ ctx, params }) => ({ success, data: await getSettings(ctx, params) }), {
      access: "admin",
      scope: "plugins",
      params: pluginParams,
      response: { 200: settingsAnswer, ...reading },
      detail: {
        summary: "Read a plugin's settings",
        description: "With the schema that describes them. Secrets read empty; `secrets` says which are set.",
        tags,
      },
    })
    .put(
      "/:name/settings",
      async ({ ctx, params, body }) => ({ success, ...(await updateSettings(ctx, { ...params, ...body })) }),
      {
        access: "admin",
        scope: "plugins:settings",
        params: pluginParams,
        body: settingsBody,
        response: {
          200: settingsChanged,
          ...reading,
          ...failures("CROSS_ORIGIN", "STORAGE_FULL", "BUSY", "BAD_REQUEST"),
          ...failures("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED"),
        },
        detail: {
          summary: "Change a plugin's settings",
          description:
            "What is left out stays. All or nothing: a 422 names each field at fault. In force here at once and soon on " +
            "every server, and a plugin that runs is told. Stands in the activity log, of secrets without their values; a " +
            "change of nothing does not. 404 for a plugin without settings.",
          tags,
        },
      },
    );
