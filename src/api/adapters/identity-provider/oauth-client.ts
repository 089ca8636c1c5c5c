import { isLoopback, OutboundError } from "#api/adapters/outbound/check-address.ts";
import type { Outbound, OutboundAnswer } from "#api/adapters/outbound/create-outbound.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { ProviderChallenge } from "#api/core/context.ts";
import { hasForeignPort } from "#contract/endpoints.ts";

/** This installation as a provider knows it. */
export type OAuthRegistration = { clientId: string; clientSecret: string; redirectUri: string };

/** How the secret goes to the token endpoint: RFC 6749 §2.3.1 wants every server to take `basic`; some take only `post`. */
type SecretPlace = "basic" | "post";

type CodeExchange = { endpoint: string; code: string; codeVerifier: string; signal: AbortSignal };

/** The authorization code flow with PKCE, as GitHub has it. */
type OAuthClient = {
  authorizationUrl(endpoint: string, scopes: string[], challenge: ProviderChallenge): Promise<URL>;
  /** The access token. Rejects with a {@link ProviderFault} or an `OutboundError`. */
  exchange(exchange: CodeExchange): Promise<string>;
};

/**
 * The one place that knows the library. Its own requests have neither deadline nor size limit and follow redirects, so
 * it builds addresses and reads answers, and `outbound` does the calling.
 */
export const createOAuthClient = (registration: OAuthRegistration, outbound: Outbound): OAuthClient => ({
  authorizationUrl: async (endpoint, scopes, { state, codeVerifier }) => {
    const { CodeChallengeMethod, OAuth2Client } = await loadLibrary();
    const client = new OAuth2Client(registration.clientId, null, registration.redirectUri);
    const { S256 } = CodeChallengeMethod;
    return client.createAuthorizationURLWithPKCE(endpoint, state, S256, codeVerifier, scopes);
  },
  exchange: async ({ endpoint, code, codeVerifier, signal }) => {
    const answer = await outbound({
      url: endpoint,
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        authorization: basicCredentials(registration),
      },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: registration.redirectUri,
        code_verifier: codeVerifier,
      }).toString(),
      signal,
    });
    const { OAuth2Tokens } = await loadLibrary();
    const tokens = new OAuth2Tokens(readObject(answer, "the token endpoint"));
    try {
      return tokens.accessToken();
    } catch {
      // A code that is refused with status 200 comes with an object without tokens.
      throw new ProviderFault("the token endpoint returned no access token");
    }
  },
});

// Loaded with the first sign-in: it has no part in a start.
const loadLibrary = () => import("arctic");

/** The secret as `basic` sends it. */
export const basicCredentials = ({ clientId, clientSecret }: OAuthRegistration): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64")}`;

/** The secret as `post` sends it. */
export const secretFields = ({ clientId, clientSecret }: OAuthRegistration) => ({
  client_id: clientId,
  client_secret: clientSecret,
});

/**
 * A conversation with a provider, `limitMs` at most with all its calls. Rejects with `PROVIDER_UNAVAILABLE` whose cause
 * is a {@link ProviderFault} or an `OutboundError`.
 */
export const converse = async <T>(limitMs: number, talk: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort();
    reject(new OutboundError("slow"));
  }, limitMs);
  try {
    // Raced, because a call that several conversations share does not end with one of them.
    return await Promise.race([talk(over.signal), limit]);
  } catch (error) {
    throw new AppError("PROVIDER_UNAVAILABLE", undefined, {
      cause: isKnown(error) ? error : unforeseen(error),
    });
  } finally {
    clearTimeout(timer);
  }
};

const isKnown = (error: unknown): boolean => error instanceof ProviderFault || error instanceof OutboundError;

// Its message may hold what the provider sent.
const unforeseen = (error: unknown): ProviderFault =>
  new ProviderFault(`unexpected: ${error instanceof Error ? error.name : typeof error}`);

/**
 * Something that a provider said and that cannot be used; the message is for the log and repeats nothing secret. `shown` is what an
 * admin who tests the provider reads.
 */
export class ProviderFault extends Error {
  constructor(
    message: string,
    readonly shown = message,
  ) {
    super(message);
    this.name = "ProviderFault";
  }
}

/** The JSON of a good answer; `what` names it in the {@link ProviderFault} that anything else throws. */
export const readJson = ({ status, text }: OutboundAnswer, what: string): unknown => {
  // A test must not tell what listens at an address, so the status is only logged.
  if (status !== 200)
    throw new ProviderFault(`${what} responded with status ${status}`, `${what} was not returned`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFault(`${what} did not respond with JSON`);
  }
};

/** The JSON object of a good answer: see {@link readJson}. */
export const readObject = (answer: OutboundAnswer, what: string): object => {
  const value = readJson(answer, what);
  if (typeof value !== "object" || value === null)
    throw new ProviderFault(`${what} did not return an object`);
  return value;
};

/** A text of that name, or `null` when there is none. */
export const textIn = (value: unknown, name: string): string | null => {
  const text: unknown = Reflect.get(Object(value), name);
  return typeof text === "string" ? text : null;
};

/** What a provider publishes about itself, fetched when first wanted. */
export type Remembered<T> = {
  /** The value, at most as old as was allowed; rejects as the fetching does. */
  get(): Promise<T>;
  /** The value as it is now. */
  renew(): Promise<T>;
  /** {@link renew} at most once in ten seconds, {@link get} otherwise: for what strangers can ask for. */
  renewSeldom(): Promise<T>;
};

type RememberedOptions<T> = {
  load: () => Promise<T>;
  clock: Clock;
  freshMs: number;
  /** How long a failure is repeated without another try. */
  failedMs: number;
};

const renewPauseMs = 10_000;

/** Keeps what `load` gives for `freshMs`, a failure for `failedMs`; who asks while it is fetched gets the same answer. */
export const createRemembered = <T>({
  load,
  clock,
  freshMs,
  failedMs,
}: RememberedOptions<T>): Remembered<T> => {
  let kept: { value: Promise<T>; untilMs: number } | null = null;
  let underWay: Promise<T> | null = null;

  const isFresh = () => kept !== null && clock.now().getTime() < kept.untilMs;

  const renew = (): Promise<T> => {
    if (underWay) return underWay;
    const value = load();
    const end = (keepMs: number | null) => {
      if (keepMs !== null) kept = { value, untilMs: clock.now().getTime() + keepMs };
      underWay = null;
    };
    underWay = value;
    value.then(
      () => end(freshMs),
      // What was good a moment ago stays good.
      () => end(isFresh() ? null : failedMs),
    );
    return value;
  };

  const get = () => (kept && isFresh() ? kept.value : renew());
  let renewableFromMs = Number.NEGATIVE_INFINITY;

  return {
    get,
    renew,
    renewSeldom: () => {
      const nowMs = clock.now().getTime();
      if (nowMs < renewableFromMs) return get();
      renewableFromMs = nowMs + renewPauseMs;
      return renew();
    },
  };
};

/** Where an OpenID issuer does what, by its own word. */
export type OpenIdEndpoints = {
  /** As it is in id tokens. */
  issuer: string;
  authorization: string;
  token: string;
  keys: string;
  /** Whether it names itself when it sends a browser back: RFC 9207. */
  namesIssuer: boolean;
  secretPlace: SecretPlace;
};

/** Asks an issuer for its endpoints. Rejects when the answer is not about this issuer. */
export const discoverEndpoints = async (outbound: Outbound, issuer: string): Promise<OpenIdEndpoints> =>
  endpointsIn(await fetchConfiguration(outbound, issuer), issuer);

/** What an issuer publishes about itself, unjudged: OpenID Connect Discovery 1.0 §4. */
export const fetchConfiguration = async (outbound: Outbound, issuer: string): Promise<object> =>
  readObject(
    await outbound({
      url: `${issuer}/.well-known/openid-configuration`,
      headers: { accept: "application/json" },
    }),
    "the issuer's configuration",
  );

/** The endpoints in a configuration. Throws a {@link ProviderFault} for that of another issuer, and for an unusable endpoint. */
export const endpointsIn = (document: object, issuer: string): OpenIdEndpoints => {
  const named = textIn(document, "issuer");
  // The configured address is kept without the slash that some issuers have at their end.
  if (named === null || named.replace(/\/+$/, "") !== issuer) {
    throw new ProviderFault("the issuer's configuration belongs to another issuer");
  }
  const endpoint = (name: string) => checkedEndpoint(textIn(document, name), issuer);
  return {
    issuer: named,
    authorization: endpoint("authorization_endpoint"),
    token: endpoint("token_endpoint"),
    keys: endpoint("jwks_uri"),
    namesIssuer: Reflect.get(document, "authorization_response_iss_parameter_supported") === true,
    secretPlace: secretPlaceOf(Reflect.get(document, "token_endpoint_auth_methods_supported")),
  };
};

// An issuer elsewhere has no business on this machine's loopback, where the outbound client would allow plain http.
const checkedEndpoint = (endpoint: string | null, issuer: string): string => {
  const url = endpoint !== null && URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isUsable = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  const isElsewhere =
    url !== null && (hasForeignPort(url.href) || (isLoopback(url) && !isLoopback(new URL(issuer))));
  if (url === null || !isUsable || isElsewhere) {
    throw new ProviderFault("the issuer's configuration contains an unusable endpoint");
  }
  return url.href;
};

const secretPlaceOf = (methods: unknown): SecretPlace => {
  if (!Array.isArray(methods) || methods.includes("client_secret_basic")) return "basic";
  return methods.includes("client_secret_post") ? "post" : "basic";
};
