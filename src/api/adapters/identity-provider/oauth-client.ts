import type { Outbound } from "#api/adapters/outbound/create-outbound.ts";
import type { ProviderChallenge } from "#api/core/context.ts";
import { ProviderFault } from "./provider-fault.ts";
import { readObject } from "./read-object.ts";

/** This installation as a provider knows it. */
export type OAuthRegistration = { clientId: string; clientSecret: string; redirectUri: string };

/** How the secret goes to the token endpoint: RFC 6749 §2.3.1 wants every server to take `basic`; some take only `post`. */
export type SecretPlace = "basic" | "post";

/** What the token endpoint gave. Each is a text, or a {@link ProviderFault} when it is missing. */
export type GrantedTokens = { accessToken(): string; idToken(): string };

export type CodeExchange = {
  endpoint: string;
  code: string;
  codeVerifier: string;
  secretPlace?: SecretPlace;
  signal: AbortSignal;
};

/** The authorization code flow with PKCE, whatever the provider. */
export type OAuthClient = {
  authorizationUrl(endpoint: string, scopes: string[], challenge: ProviderChallenge): Promise<URL>;
  /** Rejects with a {@link ProviderFault} or an `OutboundError`. */
  exchange(exchange: CodeExchange): Promise<GrantedTokens>;
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
  exchange: async ({ endpoint, code, codeVerifier, secretPlace = "basic", signal }) => {
    const answer = await outbound({
      url: endpoint,
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...(secretPlace === "basic" ? { authorization: basicCredentials(registration) } : {}),
      },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: registration.redirectUri,
        code_verifier: codeVerifier,
        ...(secretPlace === "post" ? secretFields(registration) : {}),
      }).toString(),
      signal,
    });
    const { OAuth2Tokens } = await loadLibrary();
    const tokens = new OAuth2Tokens(readObject(answer, "the token endpoint"));
    return {
      accessToken: () => orFault(() => tokens.accessToken(), "the token endpoint gave no access token"),
      idToken: () => orFault(() => tokens.idToken(), "the token endpoint gave no id token"),
    };
  },
});

// Loaded with the first sign-in: it has no part in a start.
const loadLibrary = () => import("arctic");

const basicCredentials = ({ clientId, clientSecret }: OAuthRegistration): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64")}`;

const secretFields = ({ clientId, clientSecret }: OAuthRegistration) => ({
  client_id: clientId,
  client_secret: clientSecret,
});

const orFault = (read: () => string, fault: string): string => {
  try {
    return read();
  } catch {
    // Providers that refuse a code with status 200 answer an object without tokens.
    throw new ProviderFault(fault);
  }
};
