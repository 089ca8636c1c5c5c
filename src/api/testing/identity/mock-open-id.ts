import { Events, type MutableResponse, type MutableToken, OAuth2Server } from "oauth2-mock-server";
import { faultyAnswer } from "./faulty-answer.ts";
import { type MockPerson, type MockProvider, newMockPerson, type TokenFault } from "./mock-person.ts";

/** How an id token differs from a good one: other claims, or another text in its place. */
type TokenChange = {
  claims?: Record<string, unknown>;
  forge?: (token: string) => string | Promise<string>;
};

/** An OpenID issuer of the tests; its tokens are signed and its PKCE is checked for real. */
export type MockOpenId = MockProvider & {
  /** Id tokens are like this from now on; `null` ends it. */
  change(change: TokenChange | null): void;
  /** Members of the discovery document are these from now on; `null` ends it. */
  describe(members: Record<string, unknown> | null): void;
  /** Signs with a new key from now on, beside the older ones. */
  addKey(): Promise<void>;
  /** A logout token of today with these claims, signed; a claim that is `undefined` is left out. */
  signLogout(claims: Record<string, unknown>): Promise<string>;
  /** How often its paths were asked for, by path. */
  readonly asked: Record<string, number>;
};

/** Starts an issuer on a free port. Stop it after the tests. */
export const startMockOpenId = async (name = "google"): Promise<MockOpenId> => {
  const inner = new OAuth2Server();
  await inner.issuer.keys.generate("RS256");
  await inner.start(0, "127.0.0.1");
  const innerUrl = `http://127.0.0.1:${inner.address().port}`;
  const client = { clientId: `atrium-at-${name}`, clientSecret: `${name}-secret` };
  const asked: Record<string, number> = {};
  let person: MockPerson = newMockPerson();
  let fault: TokenFault | null = null;
  let change: TokenChange | null = null;
  let members: Record<string, unknown> | null = null;
  let isCancelled = false;

  // A front of our own: the package answers at once and correctly, whatever is asked of it.
  const front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      asked[pathname] = (asked[pathname] ?? 0) + 1;
      if (pathname === "/token" && fault) return faultyAnswer(fault);
      if (pathname === "/token" && !knowsSecret(request, client)) {
        return Response.json({ error: "invalid_client" }, { status: 401 });
      }
      const answer = await fetch(`${innerUrl}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        redirect: "manual",
        keepalive: false,
        ...(request.method === "POST" ? { body: await request.bytes() } : {}),
      });
      return pathname === "/token" ? withForgedToken(answer, change) : answer;
    },
  });
  const url = `http://127.0.0.1:${front.port}`;
  inner.issuer.url = url;

  inner.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => {
    const { subject, name: fullName, email, isEmailVerified = false } = person;
    const known = {
      sub: subject,
      name: fullName,
      email,
      ...(email ? { email_verified: isEmailVerified } : {}),
    };
    for (const [claim, value] of Object.entries({ ...known, ...change?.claims })) {
      if (value === undefined || value === null) Reflect.deleteProperty(payload, claim);
      // Not assigned: a claim may be called `__proto__`.
      else Object.defineProperty(payload, claim, { value, enumerable: true, configurable: true });
    }
  });
  inner.service.on(Events.BeforeWellKnownOpenIdConfiguration, ({ body }: MutableResponse) => {
    Object.assign(body, { token_endpoint_auth_methods_supported: ["client_secret_basic"] }, members);
  });
  inner.service.on(Events.BeforeAuthorizeRedirect, ({ url: back }: { url: URL }) => {
    // Real ones add parameters of their own.
    back.searchParams.set("scope", "openid email profile");
    back.searchParams.set("authuser", "0");
    back.searchParams.set("prompt", "none");
    back.searchParams.set("iss", url);
    if (!isCancelled) return;
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
  });

  return {
    name,
    url,
    client,
    env: {
      GOOGLE_ISSUER: url,
      GOOGLE_CLIENT_ID: client.clientId,
      GOOGLE_CLIENT_SECRET: client.clientSecret,
    },
    asked,
    get exchanges() {
      return asked["/token"] ?? 0;
    },
    become: (next) => {
      person = next;
    },
    cancel: (next) => {
      isCancelled = next;
    },
    fail: (next) => {
      fault = next;
    },
    change: (next) => {
      change = next;
    },
    describe: (next) => {
      members = next;
    },
    signLogout: (claims) =>
      inner.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
          const usual = { aud: client.clientId, jti: crypto.randomUUID(), events, nbf: undefined };
          Object.assign(payload, usual, claims);
        },
      }),
    addKey: async () => void (await inner.issuer.keys.generate("RS256")),
    stop: async () => {
      await front.stop(true);
      await inner.stop();
    },
  };
};

const knowsSecret = (request: Request, { clientId, clientSecret }: MockOpenId["client"]): boolean =>
  request.headers.get("authorization") ===
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

const withForgedToken = async (answer: Response, change: TokenChange | null): Promise<Response> => {
  const body: unknown = await answer.json();
  const token: unknown = Reflect.get(Object(body), "id_token");
  const isForged = change?.forge && typeof token === "string";
  return Response.json(isForged ? { ...Object(body), id_token: await change.forge?.(token) } : body, {
    status: answer.status,
  });
};
