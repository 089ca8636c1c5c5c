import type { AuthorizationServer, Client, ClientAuth, CustomFetchOptions } from "oauth4webapi";
import { OutboundError } from "#api/adapters/outbound/check-address.ts";
import type { Outbound } from "#api/adapters/outbound/create-outbound.ts";
import type { Clock } from "#api/core/clock.ts";
import type { ProviderAnswer, ProviderChallenge } from "#api/core/context.ts";
import { clockToleranceS, signingAlgorithms } from "./check-id-token.ts";
import {
  basicCredentials,
  type OAuthRegistration,
  type OpenIdEndpoints,
  ProviderFault,
  readObject,
  secretFields,
} from "./oauth-client.ts";

type CodeExchange = {
  endpoints: OpenIdEndpoints;
  answer: ProviderAnswer;
  challenge: ProviderChallenge;
  signal: AbortSignal;
};

/** The authorization code flow of OpenID Connect with PKCE. */
export type OpenIdClient = {
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
