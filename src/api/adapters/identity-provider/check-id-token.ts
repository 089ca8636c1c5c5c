import type { JSONWebKeySet, JWTPayload } from "jose";
import type { Clock } from "#api/core/clock.ts";
import { ProviderFault, type Remembered } from "./oauth-client.ts";

/** What an id token must have been made for; `keys` are the issuer's public ones. */
export type IdTokenTerms = {
  keys: Remembered<JSONWebKeySet>;
  issuers: string[];
  clientId: string;
  nonce: string;
  clock: Clock;
};

// Signatures by the issuer's own key only: with the shared secret anyone who knows it could sign.
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const clockToleranceS = 60;
const mostAheadS = 5 * 60;
const mostAgeS = 24 * 60 * 60;

/**
 * The claims of an id token that was signed by the issuer for this client and this very sign-in, lately: OpenID
 * Connect Core §3.1.3.7. Throws a {@link ProviderFault} that names the rule it breaks.
 */
export const checkIdToken = async (token: string, terms: IdTokenTerms): Promise<JWTPayload> => {
  const claims = await verify(token, terms);
  if (claims.nonce !== terms.nonce) throw new ProviderFault("the id token is not acceptable: nonce");
  // A token for several clients must name the one that asked for it.
  const isForSeveral = Array.isArray(claims.aud) && claims.aud.length > 1;
  if ((isForSeveral || claims.azp !== undefined) && claims.azp !== terms.clientId) {
    throw new ProviderFault("the id token is not acceptable: azp");
  }
  if (!isRecent(claims.iat, terms.clock.now()))
    throw new ProviderFault("the id token is not acceptable: iat");
  return claims;
};

const isRecent = (issuedAtS: number | undefined, now: Date): boolean => {
  const ageS = now.getTime() / 1000 - (issuedAtS ?? 0);
  return ageS >= -mostAheadS && ageS <= mostAgeS;
};

const verify = async (token: string, terms: IdTokenTerms): Promise<JWTPayload> => {
  const { createLocalJWKSet, errors, jwtVerify } = await import("jose");
  const attempt = async (keys: JSONWebKeySet) => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms,
      issuer: terms.issuers,
      audience: terms.clientId,
      requiredClaims: ["exp", "iat", "sub", "nonce"],
      clockTolerance: clockToleranceS,
      currentDate: terms.clock.now(),
    });
    return payload;
  };
  const explained = (error: unknown): unknown =>
    error instanceof errors.JOSEError
      ? new ProviderFault(`the id token is not acceptable: ${ruleOf(error)}`)
      : error;
  try {
    return await attempt(await terms.keys.get());
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw explained(error);
  }
  // The issuer may have begun to sign with a new key since.
  const renewed = await terms.keys.renew();
  return attempt(renewed).catch((error) => {
    throw explained(error);
  });
};

// The library's messages may repeat what is in the token.
const ruleOf = (error: { code: string }): string => {
  const claim: unknown = Reflect.get(error, "claim");
  return typeof claim === "string" ? `${error.code} ${claim.slice(0, 20)}` : error.code;
};
