import { Elysia } from "elysia";
import type { Door, IncomingRequest } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import {
  callbackQuery,
  currentUserAnswer,
  loginBody,
  messageAnswer,
  redirectAnswer,
  registerBody,
  resendBody,
  resetAnswer,
  resetParams,
  resetPasswordBody,
  setupBody,
  startQuery,
  userAnswer,
  verifiedAnswer,
  verifyBody,
  verifyParams,
} from "./model.ts";
import { resetPassword } from "./password-reset.ts";
import { finishProviderSignIn, sendToProvider } from "./provider-sign-in.ts";
import { register, resendVerification, verifyEmail } from "./registration.ts";
import { setupAdmin } from "./setup-admin.ts";
import { currentUser, login, logout, type SignedIn } from "./sign-in.ts";

const tags = ["Accounts"];

// Whoever needs no session may come with an API token that is no good.
const bodyFailures = failures(
  "BAD_REQUEST",
  "NOT_SIGNED_IN",
  "CROSS_ORIGIN",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
  "BUSY",
  "STORAGE_FULL",
);

/** The calls of registration, sign-in and first set-up. */
export const authRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/auth" })
    .use(door)
    .get("/user", ({ ctx }) => currentUser(ctx), {
      access: "user",
      response: { 200: currentUserAnswer, ...failures("NOT_SIGNED_IN", "DB_UNAVAILABLE") },
      detail: {
        summary: "Who is signed in",
        description: "Answers the user itself, without envelope.",
        tags,
      },
    })
    .post(
      "/register",
      async ({ ctx, body, pending, status }) => {
        const { answer, browserToken } = await register(ctx, body);
        pending.set(browserToken);
        return status(201, answer);
      },
      {
        access: "public",
        body: registerBody,
        response: { 201: messageAnswer, ...bodyFailures },
        detail: {
          summary: "Register",
          description:
            "Mails a link, and sets a cookie that names this registration for a day. The answer is the same whether or " +
            "not the address has an account already.",
          tags,
        },
      },
    )
    .get(
      "/verify-email/:token",
      async ({ ctx, params, pending }) => {
        const { answer } = await verifyEmail(ctx, { ...params, browserToken: pending.token });
        pending.clear();
        return answer;
      },
      {
        access: "public",
        stateChange: "by-token",
        params: verifyParams,
        response: {
          200: verifiedAnswer,
          ...failures(
            "TOKEN_INVALID",
            "NOT_SIGNED_IN",
            "CROSS_ORIGIN",
            "PASSWORD_WANTED",
            "DB_UNAVAILABLE",
            "STORAGE_FULL",
          ),
        },
        detail: {
          summary: "Verify an address",
          description:
            "Uses the mailed token up, for the browser that registered: the account gets that registration's name and " +
            "password. Any other gets `PASSWORD_WANTED`, and finishes with `POST`.",
          tags,
        },
      },
    )
    .post(
      "/verify-email/:token",
      async ({ ctx, params, body, pending, status }) => {
        const { answer, isChosen } = await verifyEmail(ctx, {
          ...body,
          ...params,
          browserToken: pending.token,
        });
        pending.clear();
        return isChosen ? status(201, answer) : answer;
      },
      {
        access: "public",
        params: verifyParams,
        body: verifyBody,
        response: {
          200: verifiedAnswer,
          201: verifiedAnswer,
          ...bodyFailures,
          ...failures("TOKEN_INVALID", "PASSWORD_WANTED"),
        },
        detail: {
          summary: "Verify an address and finish the account",
          description:
            "Uses the mailed token up. With `{}` the account gets name and password of the registration that this browser " +
            "made (200), else `PASSWORD_WANTED`, which leaves the token good. With `{name, password}` it gets those (201). " +
            "All other registrations and links of the address end. Signs nobody in.",
          tags,
        },
      },
    )
    .post(
      "/resend-verification",
      ({ ctx, body, pending }) => {
        // The registration that is renewed lives for another day, and so does the cookie that names it.
        if (pending.token !== null) pending.set(pending.token);
        return resendVerification(ctx, { ...body, browserToken: pending.token });
      },
      {
        access: "public",
        body: resendBody,
        response: { 200: messageAnswer, ...bodyFailures },
        detail: {
          summary: "Mail a new verification link",
          description:
            "For the registration of this browser, else the newest; older links stay good. The answer is always the same; " +
            "an address gets at most one mail a minute, ten an hour and thirty a day.",
          tags,
        },
      },
    )
    .post(
      "/reset-password/:token",
      async ({ ctx, params, body, device }) => {
        const { answer, deviceToken } = await resetPassword(ctx, { ...body, ...params });
        device.set(deviceToken);
        return answer;
      },
      {
        access: "public",
        params: resetParams,
        body: resetPasswordBody,
        response: { 200: resetAnswer, ...bodyFailures, ...failures("TOKEN_INVALID") },
        detail: {
          summary: "Choose a new password",
          description:
            "Uses the mailed token up and ends every session of its owner. Removes the ways into the account that were " +
            "added since a mailed link was last followed, but for those in `keep`: linked identities, and API tokens " +
            "that the owner made. Signs nobody in; the browser counts as known from then on.",
          tags,
        },
      },
    )
    .post(
      "/login",
      async ({ ctx, body, session, device }) => {
        const browser = { presentedToken: session.token, presentedDevice: device.token };
        const signedIn = await login(ctx, { ...body, ...browser });
        keepSignedIn({ session, device }, signedIn);
        const { user } = signedIn;
        return { success: true as const, message: authTexts.loggedIn, user };
      },
      {
        access: "public",
        body: loginBody,
        response: {
          200: userAnswer,
          ...bodyFailures,
          ...failures("INVALID_CREDENTIALS", "EMAIL_NOT_VERIFIED", "RATE_LIMITED"),
        },
        detail: {
          summary: "Sign in",
          description:
            "Sets the session cookie, and one that marks the browser as known; the browser's older session ends.",
          tags,
        },
      },
    )
    .get("/logout", endSession, {
      access: "public",
      stateChange: "by-cookie",
      response: { 200: messageAnswer, ...failures("NOT_SIGNED_IN", "CROSS_ORIGIN", "DB_UNAVAILABLE") },
      detail: {
        summary: "Sign out",
        description: "The same as `POST`; refused when another site asks.",
        tags,
      },
    })
    .post("/logout", endSession, {
      access: "public",
      response: { 200: messageAnswer, ...failures("NOT_SIGNED_IN", "CROSS_ORIGIN", "DB_UNAVAILABLE") },
      detail: { summary: "Sign out", description: "Ends the session and removes its cookie.", tags },
    })
    .post(
      "/setup",
      async ({ ctx, body, session, device, status }) => {
        const browser = { sessionToken: session.token, deviceToken: device.token };
        const signedIn = await setupAdmin(ctx, { ...body, browser });
        keepSignedIn({ session, device }, signedIn);
        return status(201, { success: true, message: authTexts.setupDone, user: signedIn.user });
      },
      {
        access: "public",
        body: setupBody,
        response: { 201: userAnswer, ...bodyFailures, ...failures("TOKEN_INVALID") },
        detail: {
          summary: "Create the first administrator",
          description: "With the link that the first start prints, while nobody has an account. Signs in.",
          tags,
        },
      },
    );

/** Gives the browser its cookies. */
const keepSignedIn = (
  { session, device }: Pick<IncomingRequest, "session" | "device">,
  signedIn: SignedIn,
) => {
  session.set(signedIn.token);
  if (signedIn.deviceToken !== null) device.set(signedIn.deviceToken);
};

const endSession = async ({ ctx, session }: IncomingRequest) => {
  const answer = await logout(ctx);
  session.clear();
  return answer;
};

const failurePath = "/login?error=auth_failed";

const startOf = (provider: ProviderName) =>
  ({
    access: "public",
    failurePath,
    query: startQuery,
    response: { 302: redirectAnswer, ...failures("NOT_SIGNED_IN", "VALIDATION_FAILED") },
    detail: {
      summary: `Sign in with ${providerLabels[provider]}`,
      description: "Opened by a browser, not called: sends it to the provider.",
      tags,
    },
  }) as const;

const callbackOf = (provider: ProviderName) =>
  ({
    access: "public",
    stateChange: "by-state",
    failurePath,
    query: callbackQuery,
    response: {
      302: redirectAnswer,
      ...failures("NOT_SIGNED_IN", "VALIDATION_FAILED", "CROSS_ORIGIN"),
    },
    detail: {
      summary: `Come back from ${providerLabels[provider]}`,
      description:
        "Opened by a browser that the provider sends back. Uses the state up; sets the session cookie.",
      tags,
    },
  }) as const;

/** The calls of sign-in through identity providers. */
export const providerRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/auth" })
    .use(door)
    .get("/google", (call) => start(call, "google"), startOf("google"))
    .get("/google/callback", (call) => finish(call, "google"), callbackOf("google"))
    .get("/github", (call) => start(call, "github"), startOf("github"))
    .get("/github/callback", (call) => finish(call, "github"), callbackOf("github"));

type Redirecting = Omit<IncomingRequest, "body"> & {
  set: { status?: number | string; headers: Record<string, string | number> };
};

const redirect = ({ set }: Redirecting, location: string) => {
  set.status = 302;
  set.headers.location = location;
  return { location };
};

const start = async (call: Redirecting & { query: { returnTo?: string } }, provider: ProviderName) => {
  const { ctx, oauth, query } = call;
  const wish = { provider, returnTo: query.returnTo, browserSecret: oauth.token };
  const { location, browserSecret } = await sendToProvider(ctx, wish);
  if (browserSecret !== null) oauth.set(browserSecret);
  return redirect(call, location);
};

const finish = async (
  call: Redirecting & { query: { state?: string; code?: string; error?: string } },
  provider: ProviderName,
) => {
  const { ctx, session, device, oauth, query } = call;
  const { location, token, deviceToken } = await finishProviderSignIn(ctx, {
    provider,
    state: query.state,
    code: query.code,
    error: query.error,
    browserSecret: oauth.token,
    browser: { sessionToken: session.token, deviceToken: device.token },
  });
  oauth.clear();
  if (token !== null) session.set(token);
  if (deviceToken !== null) device.set(deviceToken);
  return redirect(call, location);
};
