import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { createToken } from "./create-token.ts";
import { getCurrentToken } from "./get-current-token.ts";
import { listTokens } from "./list-tokens.ts";
import {
  changedToken,
  changeTokenBody,
  createdToken,
  createTokenBody,
  currentToken,
  removedToken,
  revokeTokenBody,
  tokenList,
  tokenParams,
} from "./model.ts";
import { removeToken } from "./remove-token.ts";
import { revokeToken } from "./revoke-token.ts";
import { updateToken } from "./update-token.ts";

const tags = ["API tokens"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE");
const writing = failures("CROSS_ORIGIN", "CONFLICT", "STORAGE_FULL");
const bodies = failures(
  "BAD_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
  "REAUTHENTICATION_REQUIRED",
  "RATE_LIMITED",
  "BUSY",
);
const presence =
  "From a session older than ten minutes it is answered with `REAUTHENTICATION_REQUIRED` unless `password` is given; who " +
  "has no password signs in again. The operator and tokens are not asked.";

/** The calls about API tokens. */
export const tokenRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/tokens" })
    .use(door)
    .get("", async ({ ctx }) => ({ success, data: { tokens: await listTokens(ctx) } }), {
      access: "admin",
      scope: "all",
      response: { 200: tokenList, ...reading },
      detail: {
        summary: "List API tokens",
        description: "Newest first, with those that can no longer be used. Never the tokens themselves.",
        tags,
      },
    })
    .get("/current", async ({ ctx }) => ({ success, data: await getCurrentToken(ctx) }), {
      access: "admin",
      scope: "any",
      response: { 200: currentToken, ...reading, ...failures("NOT_FOUND") },
      detail: {
        summary: "The API token that this call is made with",
        description: "Its name, scopes and end, for any token. Not found for calls without one.",
        tags,
      },
    })
    .post(
      "",
      async ({ ctx, body, status }) =>
        status(201, { success, message: tokenTexts.created, data: await createToken(ctx, body) }),
      {
        access: "admin",
        scope: "all",
        body: createTokenBody,
        response: { 201: createdToken, ...reading, ...writing, ...bodies },
        detail: {
          summary: "Create an API token",
          description: `The answer holds the token, which is shown nowhere else. A token that makes another gives away no more than it has. ${presence}`,
          tags,
        },
      },
    )
    .patch(
      "/:id",
      async ({ ctx, params, body }) => ({
        success,
        message: tokenTexts.changed,
        data: await updateToken(ctx, { ...params, ...body }),
      }),
      {
        access: "admin",
        scope: "all",
        params: tokenParams,
        body: changeTokenBody,
        response: { 200: changedToken, ...reading, ...writing, ...bodies, ...failures("NOT_FOUND") },
        detail: {
          summary: "Change an API token's name, networks or limit",
          description: `What is left out stays. Scopes and end cannot be changed: make a new token. ${presence}`,
          tags,
        },
      },
    )
    .post(
      "/:id/revoke",
      async ({ ctx, params, body }) => ({
        success,
        message: tokenTexts.revoked,
        data: await revokeToken(ctx, { ...params, ...body }),
      }),
      {
        access: "admin",
        scope: "all",
        params: tokenParams,
        body: revokeTokenBody,
        response: { 200: changedToken, ...reading, ...writing, ...bodies, ...failures("NOT_FOUND") },
        detail: {
          summary: "Revoke an API token",
          description: `The very next call with it is refused, on every server. ${presence}`,
          tags,
        },
      },
    )
    .delete(
      "/:id",
      async ({ ctx, params }) => {
        await removeToken(ctx, params);
        return { success, message: tokenTexts.removed };
      },
      {
        access: "admin",
        scope: "all",
        params: tokenParams,
        response: { 200: removedToken, ...reading, ...writing, ...failures("NOT_FOUND") },
        detail: {
          summary: "Remove an API token that can no longer be used",
          description: "One that can be used still is revoked first.",
          tags,
        },
      },
    );
