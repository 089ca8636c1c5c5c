import type { JSONWebKeySet } from "jose";
import type { AuthorizationServer, Client, ClientAuth, CustomFetchOptions } from "oauth4webapi";
import { createOutbound, type Outbound } from "#api/adapters/outbound/create-outbound.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type {
  IdentityProvider,
  ProviderAnswer,
  ProviderChallenge,
  ProviderProfile,
} from "#api/core/context.ts";
import type { OidcProvider } from "#api/core/providers.ts";
import { isOfDomain } from "#contract/account-rules.ts";
import { valueAt } from "#contract/define-settings.ts";
import { OutboundError } from "../outbound/check-address.ts";
import {
  checkIdToken,
  checkLogoutToken,
  clockToleranceS,
  signingAlgorithms,
  TokenFault,
} from "./check-id-token.ts";
import {
  basicCredentials,
  converse,
  createRemembered,
  discoverEndpoints,
  type OAuthRegistration,
  type OpenIdEndpoints,
  ProviderFault,
  readObject,
  secretFields,
  textIn,
} from "./oauth-client.ts";

/** What an OpenID issuer is spoken to with. `limitMs` bounds a whole conversation. */
export type OpenIdOptions = {
  registration: OAuthRegistration;
  /** Without slash at its end. */
  issuer: string;
  scopes: readonly string[];
  claims: OidcProvider["claims"];
  /** Domains of which its email addresses count as verified unless it says that they aren't. */
  trustedDomains: readonly string[];
  clock: Clock;
  limitMs: number;
};

/** What a provider of this kind can do. */
export type ProviderWays = Pick<
  IdentityProvider,
  "authorizationUrl" | "confirmationUrl" | "identify" | "readLogout"
>;

const freshMs = 60 * 60 * 1000;
const failedMs = 5_000;
// Longer subjects break OpenID Connect Core §2.
const subjectLength = 255;

/** Sign-in with an OpenID issuer; who someone is, is read from the signed id token alone. */
export const createOpenId = ({
  registration,
  issuer,
  scopes,
  claims,
  trustedDomains,
  clock,
  limitMs,
}: OpenIdOptions): ProviderWays => {
  const outbound = createOutbound({ deadlineMs: limitMs });
  const client = createOpenIdClient(registration, { outbound, clock });
  const endpoints = createRemembered({
    load: () => discoverEndpoints(outbound, issuer),
    clock,
    freshMs,
    failedMs,
  });
  const keys = createRemembered({
    load: async () => fetchKeys(outbound, (await endpoints.get()).keys),
    clock,
    freshMs,
    failedMs,
  });

  const urlFor = (challenge: ProviderChallenge): Promise<URL> =>
    converse(limitMs, async () => client.authorizationUrl(await endpoints.get(), scopes, challenge));

  return {
    authorizationUrl: async (challenge) => (await urlFor(challenge)).href,
    confirmationUrl: async (challenge) => {
      const url = await urlFor(challenge);
      // With it, the id token has to say when the person signed in. Source: OpenID Connect Core §3.1.2.1.
      url.searchParams.set("max_age", "0");
      return url.href;
    },
    identify: (answer, challenge) =>
      converse(limitMs, async (signal) => {
        const known = await endpoints.get();
        const token = await client.exchange({ endpoints: known, answer, challenge, signal });
        const [{ clientId }, { nonce }] = [registration, challenge];
        const terms = { keys, issuer: known.issuer, clientId, nonce, clock };
        return toProfile(await checkIdToken(token, terms), { claims, trustedDomains }, clock.now());
      }),

    readLogout: (token) =>
      converse(limitMs, async () => {
        const { issuer: named } = await endpoints.get();
        const { clientId } = registration;
        return checkLogoutToken(token, { keys, issuer: named, clientId, clock });
      }).catch((error) => {
        throw isTokensFault(error) ? new AppError("TOKEN_INVALID", undefined, { cause: error }) : error;
      }),
  };
};

/** The keys with which an issuer signs its tokens. */
export const fetchKeys = async (outbound: Outbound, url: string): Promise<JSONWebKeySet> => {
  const document = readObject(
    await outbound({ url, headers: { accept: "application/json" } }),
    "the issuer's key set",
  );
  const keys: unknown = Reflect.get(document, "keys");
  if (!Array.isArray(keys)) throw new ProviderFault("the issuer's key set has no keys");
  return { keys };
};

const isTokensFault = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof TokenFault;

// A longer one is never sent back: it would not be kept.
const sessionIdOf = (sid: string | null): string | null =>
  sid !== null && sid.length <= subjectLength ? sid : null;

const mostGroups = 200;

// What is more than a password. Source: RFC 8176 §2.
const factorMethods = ["mfa", "otp", "hwk", "swk", "fpt"];

/** The value of a claim by its whole name, or else at the path that its name is; `undefined` where there is none. */
const claimAt = (token: object, name: string): unknown =>
  Object.hasOwn(token, name) ? Reflect.get(token, name) : valueAt(token, name);

const textAt = (token: object, name: string): string | null => {
  const value = claimAt(token, name);
  return typeof value === "string" ? value : null;
};

/** The texts of a list, or the text itself where the issuer writes a list of one like that. */
const textsAt = (token: object, name: string): string[] => {
  const value = claimAt(token, name);
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
};

type Reading = Pick<OidcProvider, "claims" | "trustedDomains">;

/** When the person signed in at the issuer, never later than now; its clock may be fast. */
const authenticatedAt = (token: object, now: Date): Date | null => {
  const seconds: unknown = Reflect.get(token, "auth_time");
  return Number.isSafeInteger(seconds) ? new Date(Math.min(Number(seconds) * 1000, now.getTime())) : null;
};

/** Whether the issuer says that an address is the person's; it says so of the one in the claim `email`, unless its operator knows of another. */
const isVerified = (token: object, email: string | null, { claims, trustedDomains }: Reading): boolean => {
  const said = claimAt(token, claims.emailVerified || "email_verified");
  const isOfAddress = claims.emailVerified !== "" || claims.email === "email";
  // Nothing but the very word `true`: a text such as "false" would count as well otherwise.
  if (said === true && isOfAddress) return true;
  return said !== false && said !== "false" && email !== null && isOfDomain(email, trustedDomains);
};

const toProfile = (token: object, reading: Reading, now: Date): ProviderProfile => {
  const subject = textIn(token, "sub");
  if (subject === null || subject === "" || subject.length > subjectLength) {
    throw new ProviderFault("the id token identifies no user");
  }
  const { claims } = reading;
  const email = textAt(token, claims.email);
  return {
    subject,
    name: textAt(token, claims.name),
    email,
    isEmailVerified: isVerified(token, email, reading),
    sessionId: sessionIdOf(textIn(token, "sid")),
    groups: textsAt(token, claims.groups).slice(0, mostGroups),
    authenticatedAt: authenticatedAt(token, now),
    hasFactor: textsAt(token, "amr").some((method) => factorMethods.includes(method)),
  };
};

type CodeExchange = {
  endpoints: OpenIdEndpoints;
  answer: ProviderAnswer;
  challenge: ProviderChallenge;
  signal: AbortSignal;
};

/** The authorization code flow of OpenID Connect with PKCE. */
type OpenIdClient = {
  authorizationUrl(
    endpoints: OpenIdEndpoints,
    scopes: readonly string[],
    challenge: ProviderChallenge,
  ): Promise<URL>;
  /** The id token, whose signature no one has checked yet. Rejects with a {@link ProviderFault} or an `OutboundError`. */
  exchange(exchange: CodeExchange): Promise<string>;
};

// Loaded with the first sign-in: it has no part in a start.
const loadLibrary = () => import("oauth4webapi");

/** The one place that knows the library: it makes requests and judges answers, and `outbound` does the calling. */
export const createOpenIdClient = (
  registration: OAuthRegistration,
  { outbound, clock }: { outbound: Outbound; clock: Clock },
): OpenIdClient => ({
  authorizationUrl: async ({ authorization }, scopes, { state, codeVerifier, nonce }) => {
    const { calculatePKCECodeChallenge } = await loadLibrary();
    const url = new URL(authorization);
    const { clientId, redirectUri } = registration;
    const query = {
      ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, scope: scopes.join(" ") },
      ...{ state, nonce, code_challenge_method: "S256" },
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  },

  exchange: async ({ endpoints, answer: { code, issuer }, challenge, signal }) => {
    const oauth = await loadLibrary();
    const { state, codeVerifier, nonce } = challenge;
    const server: AuthorizationServer = {
      issuer: endpoints.issuer,
      token_endpoint: endpoints.token,
      authorization_response_iss_parameter_supported: endpoints.namesIssuer,
      id_token_signing_alg_values_supported: signingAlgorithms,
    };
    const client: Client = {
      client_id: registration.clientId,
      [oauth.clockSkew]: Math.round((clock.now().getTime() - Date.now()) / 1000),
      [oauth.clockTolerance]: clockToleranceS,
    };
    const call = async (
      url: string,
      { method, headers, body }: CustomFetchOptions<"POST", URLSearchParams>,
    ) =>
      Response.json(
        readObject(
          await outbound({ url, method, headers, body: body.toString(), signal }),
          "the token endpoint",
        ),
      );
    const secret = secretIn(registration, endpoints.secretPlace);
    const query = new URLSearchParams({ code, state, ...(issuer === null ? {} : { iss: issuer }) });
    try {
      const params = oauth.validateAuthResponse(server, client, query, state);
      const response = await oauth.authorizationCodeGrantRequest(
        ...[server, client, secret, params, registration.redirectUri, codeVerifier],
        { [oauth.customFetch]: call, [oauth.allowInsecureRequests]: true },
      );
      const terms = { expectedNonce: nonce, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, terms);
      return tokens.id_token ?? "";
    } catch (error) {
      throw explained(error);
    }
  },
});

const secretIn =
  (registration: OAuthRegistration, place: OpenIdEndpoints["secretPlace"]): ClientAuth =>
  (_server, _client, body, headers) => {
    if (place === "basic") headers.set("authorization", basicCredentials(registration));
    else for (const [name, value] of Object.entries(secretFields(registration))) body.set(name, value);
  };

/** The library's own failures by their code and claim; its messages may repeat what the provider sent. */
const explained = (error: unknown): unknown => {
  if (error instanceof ProviderFault || error instanceof OutboundError) return error;
  const code: unknown = Reflect.get(Object(error), "code");
  if (typeof code !== "string") return error;
  const claim: unknown = Reflect.get(Object(Reflect.get(Object(error), "cause")), "claim");
  const rule = typeof claim === "string" ? `${code} ${claim.slice(0, 20)}` : code;
  return new ProviderFault(`the provider's response is not acceptable: ${rule}`);
};
