import { Elysia, t } from "elysia";
import type { Door, IncomingRequest } from "#api/door/door.ts";
import { done, failures } from "#api/modules/fields.ts";
import { providerLabels } from "#contract/users.ts";
import { endProviderSessions, finishProviderSignIn, sendToProvider } from "./provider-sign-in.ts";
import { knownProvider } from "./providers.ts";
import { logoutByLink } from "./sign-in.ts";

const tags = ["Accounts"];

const failurePath = "/login?error=auth_failed";

const startOf = (label: string) =>
  ({
    access: "public",
    failurePath,
    query: startQuery,
    response: { 302: redirectAnswer, ...failures("NOT_SIGNED_IN", "VALIDATION_FAILED") },
    detail: {
      summary: `Sign in with ${label}`,
      description: "Opened by a browser, not called by scripts: redirects to the provider.",
      tags,
    },
  }) as const;

const callbackOf = (label: string) =>
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
      summary: `Return from ${label}`,
      description:
        "Opened by the browser when the provider redirects back. Uses up the state; sets the session cookie. An account with a second factor is asked for it first, at `/login?step=factor`.",
      tags,
    },
  }) as const;

/** What browsers are sent to: signing in through identity providers, and signing out by a link. */
export const authRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/auth" })
    .use(door)
    .get(
      "/logout",
      async ({ ctx, session, query }) => {
        const answer = await logoutByLink(ctx, query);
        session.clear();
        return { success: true as const, ...answer };
      },
      {
        access: "public",
        stateChange: "by-cookie",
        response: {
          200: done({}),
          ...failures("NOT_SIGNED_IN", "CROSS_ORIGIN", "VALIDATION_FAILED", "DB_UNAVAILABLE"),
        },
        detail: {
          summary: "Sign out",
          description: "The same as `POST`; refused if another site asks.",
          tags,
        },
      },
    )
    .get("/google", (call) => start(call, "google"), startOf(providerLabels.google))
    .get("/google/callback", (call) => finish(call, "google"), callbackOf(providerLabels.google))
    .get("/github", (call) => start(call, "github"), startOf(providerLabels.github))
    .get("/github/callback", (call) => finish(call, "github"), callbackOf(providerLabels.github))
    .get("/:provider", async (call) => start(call, await knownProvider(call.ctx, call.params)), {
      ...startOf("another provider"),
      params: providerParams,
    })
    .get("/:provider/callback", async (call) => finish(call, await knownProvider(call.ctx, call.params)), {
      ...callbackOf("another provider"),
      params: providerParams,
    })
    .post(
      "/:provider/backchannel-logout",
      async ({ ctx, params, body }) => {
        await endProviderSessions(ctx, { provider: params.provider, token: body.logout_token });
        return { success: true as const };
      },
      {
        access: "public",
        form: true,
        params: providerParams,
        body: t.Object(
          { logout_token: t.String({ maxLength: 16_000, description: "Signed by the provider" }) },
          tolerant,
        ),
        response: {
          200: t.Object({ success: t.Literal(true) }),
          ...failures(
            ...(["TOKEN_INVALID", "BAD_REQUEST", "NOT_SIGNED_IN", "CROSS_ORIGIN", "NOT_FOUND"] as const),
            ...(["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED"] as const),
            ...(["RATE_LIMITED", "PROVIDER_UNAVAILABLE", "STORAGE_FULL"] as const),
          ),
        },
        detail: {
          summary: "End sessions that a provider has ended",
          description:
            "Called by OpenID providers (back-channel sign-out). Ends the sessions that began with the provider's session `sid`, otherwise all that the user `sub` began there.",
          tags,
        },
      },
    );

type Redirecting = Omit<IncomingRequest, "body"> & {
  set: { status?: number | string; headers: Record<string, string | number> };
};

const redirect = ({ set }: Redirecting, location: string) => {
  set.status = 302;
  set.headers.location = location;
  return { location };
};

const start = async (call: Redirecting & { query: { returnTo?: string } }, provider: string) => {
  const { ctx, oauth, query } = call;
  const wish = { provider, returnTo: query.returnTo, browserSecret: oauth.token };
  const { location, browserSecret } = await sendToProvider(ctx, wish);
  if (browserSecret !== null) oauth.set(browserSecret);
  return redirect(call, location);
};

const finish = async (
  call: Redirecting & { query: { state?: string; code?: string; iss?: string; error?: string } },
  provider: string,
) => {
  const { ctx, session, device, oauth, step, query } = call;
  const {
    location,
    session: issued,
    deviceToken,
  } = await finishProviderSignIn(ctx, {
    provider,
    state: query.state,
    code: query.code,
    iss: query.iss,
    error: query.error,
    browserSecret: oauth.token,
    browser: { sessionToken: session.token, deviceToken: device.token, keepStep: step.set },
  });
  oauth.clear();
  if (issued !== null) session.set(issued.token, issued.lifeMs);
  if (deviceToken !== null) device.set(deviceToken);
  return redirect(call, location);
};

// Whatever else providers add to the address is theirs to know.
const tolerant = { additionalProperties: true };

const textOf = (maxLength: number, description: string) => t.Optional(t.String({ maxLength, description }));

const startQuery = t.Object(
  { returnTo: textOf(2_000, "Path on this site to return to; anything else leads to the dashboard") },
  tolerant,
);

const providerParams = t.Object({ provider: t.String({ description: "Id of a configured provider" }) });

const callbackQuery = t.Object(
  {
    state: textOf(4_000, "The `state` that was sent to the provider"),
    code: textOf(4_000, "The provider's code for the user, valid once"),
    iss: textOf(2_000, "The issuer that redirects, where it says so"),
    error: textOf(200, "Why the provider refused"),
  },
  tolerant,
);

/** A redirect; programs find its target in the body as well. */
const redirectAnswer = t.Object(
  { location: t.String() },
  {
    description:
      "Continues at `Location`; after a failure that is `/login?error=auth_failed`, `/login?error=registration_closed` for a new user who may not register, or `/login?error=provider_gone` if the provider is switched off or removed",
  },
);
