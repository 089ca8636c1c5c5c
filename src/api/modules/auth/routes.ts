import { Elysia, t } from "elysia";
import type { Door, IncomingRequest } from "#api/door/door.ts";
import { done, failures } from "#api/modules/fields.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { finishProviderSignIn, sendToProvider } from "./provider-sign-in.ts";
import { logout } from "./sign-in.ts";

const tags = ["Accounts"];

const failurePath = "/login?error=auth_failed";

const startOf = (provider: ProviderName) =>
  ({
    access: "public",
    failurePath,
    query: startQuery,
    response: { 302: redirectAnswer, ...failures("NOT_SIGNED_IN", "VALIDATION_FAILED") },
    detail: {
      summary: `Sign in with ${providerLabels[provider]}`,
      description: "Opened by a browser, not called by scripts: redirects to the provider.",
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
      summary: `Return from ${providerLabels[provider]}`,
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
      async ({ ctx, session }) => {
        const answer = await logout(ctx);
        session.clear();
        return { success: true as const, ...answer };
      },
      {
        access: "public",
        stateChange: "by-cookie",
        response: { 200: done({}), ...failures("NOT_SIGNED_IN", "CROSS_ORIGIN", "DB_UNAVAILABLE") },
        detail: {
          summary: "Sign out",
          description: "The same as `POST`; refused if another site asks.",
          tags,
        },
      },
    )
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
  const { ctx, session, device, oauth, step, query } = call;
  const { location, token, deviceToken } = await finishProviderSignIn(ctx, {
    provider,
    state: query.state,
    code: query.code,
    error: query.error,
    browserSecret: oauth.token,
    browser: { sessionToken: session.token, deviceToken: device.token, keepStep: step.set },
  });
  oauth.clear();
  if (token !== null) session.set(token);
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

const callbackQuery = t.Object(
  {
    state: textOf(4_000, "The `state` that was sent to the provider"),
    code: textOf(4_000, "The provider's code for the user, valid once"),
    error: textOf(200, "Why the provider refused"),
  },
  tolerant,
);

/** A redirect; programs find its target in the body as well. */
const redirectAnswer = t.Object(
  { location: t.String() },
  { description: "Continues at `Location`; after any failure that is `/login?error=auth_failed`" },
);
