import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { downloadAnswer } from "#api/modules/download.ts";
import { failures } from "#api/modules/fields.ts";
import { accountTexts, unlinked } from "#contract/account-texts.ts";
import { providerLabels } from "#contract/users.ts";
import { changeName } from "./change-name.ts";
import { changePassword } from "./change-password.ts";
import { deleteAccount } from "./delete-account.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { endOwnSession } from "./end-own-session.ts";
import { exportAccount } from "./export-account.ts";
import { linkProvider } from "./link-provider.ts";
import { listOwnSessions } from "./list-own-sessions.ts";
import * as model from "./model.ts";
import { readAccount } from "./read-account.ts";
import { unlinkProvider } from "./unlink-provider.ts";

const tags = ["Own account"];
const access = "user";

const readFailures = failures("NOT_SIGNED_IN", "DB_UNAVAILABLE");
const writeFailures = { ...readFailures, ...failures("CROSS_ORIGIN", "STORAGE_FULL") };
const bodyFailures = {
  ...writeFailures,
  ...failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED", "BUSY"),
};

/** The calls by which people look after their own account. */
export const accountRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/account" })
    .use(door)
    .get("", async ({ ctx }) => ({ success: true as const, data: await readAccount(ctx) }), {
      access,
      response: { 200: model.accountAnswer, ...readFailures },
      detail: { summary: "The own account", description: "With the ways to sign in to it.", tags },
    })
    .put(
      "/name",
      async ({ ctx, body }) => ({
        success: true as const,
        message: accountTexts.renamed,
        user: await changeName(ctx, body),
      }),
      {
        access,
        body: model.changeNameBody,
        response: { 200: model.userAnswer, ...bodyFailures },
        detail: {
          summary: "Change the own name",
          description:
            "Space around the name is left out. Answers the account with its new name; sessions go on.",
          tags,
        },
      },
    )
    .put(
      "/password",
      async ({ ctx, body, session, device }) => {
        session.set(await changePassword(ctx, { ...body, deviceToken: device.token }));
        return { success: true as const, message: accountTexts.passwordChanged };
      },
      {
        access,
        body: model.changePasswordBody,
        response: { 200: model.messageAnswer, ...bodyFailures, ...failures("CONFLICT", "RATE_LIMITED") },
        detail: {
          summary: "Change the own password",
          description:
            "All other sessions end, and this one goes on under a new cookie. A wrong current password is a 422 on `currentPassword`. 409 for an account that has no password yet.",
          tags,
        },
      },
    )
    .get(
      "/sessions",
      async ({ ctx }) => ({ success: true as const, data: { sessions: await listOwnSessions(ctx) } }),
      {
        access,
        response: { 200: model.sessionList, ...readFailures },
        detail: {
          summary: "List the own sessions",
          description: "The one that asks comes first, then by last use, exact to a minute.",
          tags,
        },
      },
    )
    .delete(
      "/sessions",
      async ({ ctx }) => ({
        success: true as const,
        message: accountTexts.othersEnded,
        data: await endOtherSessions(ctx),
      }),
      {
        access,
        response: { 200: model.endedAnswer, ...writeFailures },
        detail: { summary: "End all other sessions", description: "Tells how many those were.", tags },
      },
    )
    .delete(
      "/sessions/:id",
      async ({ ctx, params, session }) => {
        const { isCurrent } = await endOwnSession(ctx, params);
        if (isCurrent) session.clear();
        return { success: true as const, message: accountTexts.sessionEnded };
      },
      {
        access,
        params: model.sessionParams,
        response: { 200: model.messageAnswer, ...writeFailures, ...failures("NOT_FOUND") },
        detail: {
          summary: "End one of the own sessions",
          description: "To end the one that asks is to sign out.",
          tags,
        },
      },
    )
    .post(
      "/connections/:provider",
      async ({ ctx, params, body, oauth }) => {
        const request = { ...body, ...params, browserSecret: oauth.token };
        const { url, browserSecret } = await linkProvider(ctx, request);
        oauth.set(browserSecret);
        return { success: true as const, data: { url } };
      },
      {
        access,
        params: model.providerParams,
        body: model.linkProviderBody,
        response: {
          200: model.linkAnswer,
          ...bodyFailures,
          ...failures("NOT_FOUND", "CONFLICT", "PROVIDER_NOT_CONFIGURED", "PROVIDER_UNAVAILABLE"),
          ...failures("REAUTHENTICATION_REQUIRED", "RATE_LIMITED"),
        },
        detail: {
          summary: "Link a sign-in provider",
          description:
            "With the password; an account without one is linked from a session of the last ten minutes. Answers the address at the provider to go to; it is linked once the browser is back, if this session has not ended.",
          tags,
        },
      },
    )
    .delete(
      "/connections/:provider",
      async ({ ctx, params }) => {
        const { provider } = await unlinkProvider(ctx, params);
        return { success: true as const, message: unlinked(providerLabels[provider]) };
      },
      {
        access,
        params: model.providerParams,
        response: {
          200: model.messageAnswer,
          ...writeFailures,
          ...failures("NOT_FOUND", "LAST_SIGN_IN_METHOD"),
        },
        detail: {
          summary: "Unlink a sign-in provider",
          description: "Refused for the only way in: a provider that this server does not offer is none.",
          tags,
        },
      },
    )
    .get("/export", async ({ ctx }) => downloadAnswer(await exportAccount(ctx)), {
      access,
      response: { 200: model.accountDownload, ...readFailures },
      detail: {
        summary: "Download the own data",
        description: "Everything that is stored about the caller, as a JSON file without hashes and tokens.",
        tags,
      },
    })
    .delete(
      "",
      async ({ ctx, body, session, device }) => {
        await deleteAccount(ctx, body);
        session.clear();
        device.clear();
        return { success: true as const, message: accountTexts.deleted };
      },
      {
        access,
        body: model.deleteAccountBody,
        response: {
          200: model.messageAnswer,
          ...bodyFailures,
          ...failures("REAUTHENTICATION_REQUIRED", "LAST_ADMIN", "CONFLICT", "RATE_LIMITED"),
        },
        detail: {
          summary: "Delete the own account",
          description:
            "With the password; an account without one is deleted from a session of the last ten minutes. The last administrator stays.",
          tags,
        },
      },
    );
