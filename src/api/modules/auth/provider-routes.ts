import { Elysia } from "elysia";
import type { Arrival, Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { finishProviderSignIn } from "./finish-provider-sign-in.ts";
import { callbackQuery, redirectAnswer, startQuery } from "./provider-model.ts";
import { sendToProvider } from "./send-to-provider.ts";

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

type Redirecting = Omit<Arrival, "body"> & {
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
