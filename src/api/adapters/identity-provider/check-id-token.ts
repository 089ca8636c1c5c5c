import type { JSONWebKeySet, JWTPayload } from "jose";
import type { Clock } from "#api/core/clock.ts";
import type { ProviderLogout } from "#api/core/context.ts";
import { ProviderFault, type Remembered } from "./oauth-client.ts";

/** What a token of an issuer must have been made for; `keys` are the issuer's public ones. */
export type IssuedTerms = {
  keys: Remembered<JSONWebKeySet>;
  issuer: string;
  clientId: string;
  clock: Clock;
};

/** What an id token must have been made for. */
export type IdTokenTerms = IssuedTerms & { nonce: string };

/** A token that breaks a rule, whatever else the provider says. */
export class TokenFault extends ProviderFault {
  constructor(rule: string) {
    super(`the token is not acceptable: ${rule}`);
    this.name = "TokenFault";
  }
}

/** Signatures by the issuer's own key only: with the shared secret anyone who knows it could sign. */
export const signingAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];

/** How far the issuer's clock may be off. */
export const clockToleranceS = 60;
const mostAheadS = 5 * 60;
const mostAgeS = 24 * 60 * 60;

/**
 * The claims of an id token that was signed by the issuer for this client and this very sign-in, lately: OpenID
 * Connect Core §3.1.3.7. Throws a {@link TokenFault} that names the rule it breaks.
 */
export const checkIdToken = async (token: string, terms: IdTokenTerms): Promise<JWTPayload> => {
  const claims = await verify(token, terms, ["exp", "iat", "sub", "nonce"]);
  if (claims.nonce !== terms.nonce) throw new TokenFault("nonce");
  // A token for several clients must name the one that asked for it.
  const isForSeveral = Array.isArray(claims.aud) && claims.aud.length > 1;
  if ((isForSeveral || claims.azp !== undefined) && claims.azp !== terms.clientId) {
    throw new TokenFault("azp");
  }
  if (!isRecent(claims.iat, terms.clock.now())) throw new TokenFault("iat");
  return claims;
};

const isRecent = (issuedAtS: number | undefined, now: Date): boolean => {
  const ageS = now.getTime() / 1000 - (issuedAtS ?? 0);
  return ageS >= -mostAheadS && ageS <= mostAgeS;
};

const mostLogoutAgeS = 2 * 60;
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/**
 * What a logout token that was signed by the issuer for this client within two minutes says has ended: OpenID Connect
 * Back-Channel Logout 1.0 §2.6. Throws a {@link TokenFault} that names the rule it breaks.
 */
export const checkLogoutToken = async (token: string, terms: IssuedTerms): Promise<ProviderLogout> => {
  const claims = await verify(token, terms, ["iat", "jti"], () => terms.keys.renewSeldom());
  const { iat = 0, jti, sub = null, nonce, events, sid = null } = claims;
  const ageS = terms.clock.now().getTime() / 1000 - iat;
  if (ageS > mostLogoutAgeS || ageS < -clockToleranceS) throw new TokenFault("iat");
  // An id token has one, and must not pass for a logout token.
  if (nonce !== undefined) throw new TokenFault("nonce");
  const event: unknown = Reflect.get(Object(events), logoutEvent);
  if (typeof event !== "object" || event === null) throw new TokenFault("events");
  if (typeof jti !== "string" || jti.length > textLength) throw new TokenFault("jti");
  if ([sub, sid].some((text) => text !== null && (typeof text !== "string" || text.length > textLength)))
    throw new TokenFault("sub or sid");
  if (sub === null && sid === null) throw new TokenFault("sub or sid");
  const expiresAt = new Date((iat + mostLogoutAgeS + clockToleranceS) * 1000);
  return { id: jti, subject: sub, sessionId: sid === null ? null : String(sid), expiresAt };
};

const textLength = 255;

const verify = async (
  token: string,
  terms: IssuedTerms,
  requiredClaims: string[],
  renewKeys = () => terms.keys.renew(),
): Promise<JWTPayload> => {
  const { createLocalJWKSet, errors, jwtVerify } = await import("jose");
  const attempt = async (keys: JSONWebKeySet) => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms: signingAlgorithms,
      issuer: terms.issuer,
      audience: terms.clientId,
      requiredClaims,
      clockTolerance: clockToleranceS,
      currentDate: terms.clock.now(),
    });
    return payload;
  };
  const explained = (error: unknown): unknown =>
    error instanceof errors.JOSEError ? new TokenFault(ruleOf(error)) : error;
  try {
    return await attempt(await terms.keys.get());
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw explained(error);
  }
  // The issuer may have begun to sign with a new key since.
  const renewed = await renewKeys();
  return attempt(renewed).catch((error) => {
    throw explained(error);
  });
};

// The library's messages may repeat what is in the token.
const ruleOf = (error: { code: string }): string => {
  const claim: unknown = Reflect.get(error, "claim");
  return typeof claim === "string" ? `${error.code} ${claim.slice(0, 20)}` : error.code;
};
