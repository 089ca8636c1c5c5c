import type { JSONWebKeySet } from "jose";
import { createOutbound, type Outbound } from "#api/adapters/outbound/create-outbound.ts";
import type { Clock } from "#api/core/clock.ts";
import type { IdentityProvider, ProviderProfile } from "#api/core/context.ts";
import { checkIdToken } from "./check-id-token.ts";
import {
  converse,
  createOAuthClient,
  createRemembered,
  discoverEndpoints,
  type OAuthRegistration,
  ProviderFault,
  readObject,
  textIn,
} from "./oauth-client.ts";

/** What Google, or the OpenID issuer in its place, is spoken to with. `limitMs` bounds a whole conversation. */
export type GoogleOptions = {
  registration: OAuthRegistration;
  /** Without slash at its end. */
  issuer: string;
  clock: Clock;
  limitMs: number;
};

const scopes = ["openid", "email", "profile"];
const freshMs = 60 * 60 * 1000;
const failedMs = 5_000;
// Longer subjects break OpenID Connect Core §2.
const subjectLength = 255;

/** Sign-in with an OpenID issuer; who someone is, is read from the signed id token alone. */
export const createGoogle = ({
  registration,
  issuer,
  clock,
  limitMs,
}: GoogleOptions): Omit<IdentityProvider, "issuer"> => {
  const outbound = createOutbound({ deadlineMs: limitMs });
  const client = createOAuthClient(registration, outbound);
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

  return {
    authorizationUrl: (challenge) =>
      converse(limitMs, async () => {
        const { authorization } = await endpoints.get();
        const url = await client.authorizationUrl(authorization, scopes, challenge);
        url.searchParams.set("nonce", challenge.nonce);
        return url.href;
      }),
    identify: (code, { codeVerifier, nonce }) =>
      converse(limitMs, async (signal) => {
        const { token: endpoint, issuer: named, secretPlace } = await endpoints.get();
        const tokens = await client.exchange({ endpoint, code, codeVerifier, secretPlace, signal });
        const { clientId } = registration;
        return toProfile(
          await checkIdToken(tokens.idToken(), { keys, issuers: issuersOf(named), clientId, nonce, clock }),
        );
      }),
  };
};

// Google's own tokens may carry its name without the scheme.
const issuersOf = (issuer: string): string[] =>
  issuer === "https://accounts.google.com" ? [issuer, "accounts.google.com"] : [issuer];

const fetchKeys = async (outbound: Outbound, url: string): Promise<JSONWebKeySet> => {
  const document = readObject(
    await outbound({ url, headers: { accept: "application/json" } }),
    "the issuer's key set",
  );
  const keys: unknown = Reflect.get(document, "keys");
  if (!Array.isArray(keys)) throw new ProviderFault("the issuer's key set has no keys");
  return { keys };
};

const toProfile = (claims: object): ProviderProfile => {
  const subject = textIn(claims, "sub");
  if (subject === null || subject === "" || subject.length > subjectLength) {
    throw new ProviderFault("the id token identifies no user");
  }
  return {
    subject,
    name: textIn(claims, "name"),
    email: textIn(claims, "email"),
    // Nothing but the very word `true`: a text such as "false" would count as well otherwise.
    isEmailVerified: Reflect.get(claims, "email_verified") === true,
  };
};
