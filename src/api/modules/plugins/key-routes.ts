import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { addKey } from "./add-key.ts";
import { changeKey } from "./change-key.ts";
import { addKeyBody, changeKeyBody, keyAnswer, keyList, keyParams } from "./key-model.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";

const tags = ["Plugins"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const writing = failures("CROSS_ORIGIN", "CONFLICT", "STORAGE_FULL");
const bodies = failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED");

/** The calls by which admins say whose signatures they trust. */
export const pluginKeyRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/plugin-keys" })
    .use(door)
    .get("", async ({ ctx }) => ({ success, data: { keys: await listKeys(ctx) } }), {
      access: "admin",
      scope: "plugins",
      response: { 200: keyList, ...reading },
      detail: {
        summary: "List publishers' keys",
        description:
          "First those that the operator pinned (`environment`), then those that were added here (`store`), revoked " +
          "ones too.",
        tags,
      },
    })
    .post(
      "",
      async ({ ctx, body, status }) => {
        const { tier = "verified", names = ["*"], notBefore = null, notAfter = null } = body;
        const data = await addKey(ctx, { ...body, tier, names, notBefore, notAfter });
        return status(201, { success, message: pluginTexts.keyAdded, data });
      },
      {
        access: "admin",
        scope: "all",
        body: addKeyBody,
        response: { 201: keyAnswer, ...reading, ...writing, ...bodies },
        detail: {
          summary: "Trust a publisher's key",
          description:
            "What is signed with it counts as this publisher's, for the plugins and the time given; left out: all names, " +
            "`verified`, without beginning or end. Only the operator may add a `native` one, which signs what runs inside " +
            "the server. `CONFLICT` for a key that is known. Stands in the activity log.",
          tags,
        },
      },
    )
    .patch(
      "/:id",
      async ({ ctx, params, body }) => ({
        success,
        message: pluginTexts.keyChanged,
        data: await changeKey(ctx, { ...params, ...body }),
      }),
      {
        access: "admin",
        scope: "all",
        params: keyParams,
        body: changeKeyBody,
        response: { 200: keyAnswer, ...reading, ...writing, ...bodies, ...failures("NOT_FOUND") },
        detail: {
          summary: "Change on what terms a key is trusted",
          description:
            "What is left out stays. A pinned or a revoked key is refused with `CONFLICT`; what concerns `native` keys is " +
            "the operator's alone. Stands in the activity log with the terms before and after.",
          tags,
        },
      },
    )
    .post("/:id/revoke", async ({ ctx, params }) => ({ success, ...(await revokeKey(ctx, params)) }), {
      access: "admin",
      scope: "all",
      params: keyParams,
      response: { 200: keyAnswer, ...reading, ...writing, ...failures("NOT_FOUND") },
      detail: {
        summary: "Trust a key no longer",
        description: "Stops every plugin that it signed, on every server.",
        tags,
      },
    });
