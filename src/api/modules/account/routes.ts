import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { accountTexts } from "#contract/account-texts.ts";
import { changeName } from "./change-name.ts";
import { changePassword } from "./change-password.ts";
import { deleteAccount } from "./delete-account.ts";
import { endOwnSession } from "./end-own-session.ts";
import { linkProvider } from "./link-provider.ts";
import * as model from "./model.ts";

const tags = ["Own account"];
const access = "user";

const writeFailures = failures("NOT_SIGNED_IN", "DB_UNAVAILABLE", "CROSS_ORIGIN", "STORAGE_FULL");
const bodyFailures = {
  ...writeFailures,
  ...failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED", "BUSY"),
};

/** The calls by which people look after their own account and that set their browser's cookies, or answer the user beside the message. */
export const accountRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/account" })
    .use(door)
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
