import { isLoopback } from "#api/adapters/outbound/check-address.ts";
import type { Outbound } from "#api/adapters/outbound/create-outbound.ts";
import type { SecretPlace } from "./oauth-client.ts";
import { ProviderFault } from "./provider-fault.ts";
import { readObject, textIn } from "./read-object.ts";

/** Where an OpenID issuer does what, by its own word. */
export type OpenIdEndpoints = {
  /** As it stands in id tokens. */
  issuer: string;
  authorization: string;
  token: string;
  keys: string;
  secretPlace: SecretPlace;
};

/** Asks an issuer for its endpoints: OpenID Connect Discovery 1.0 §4. Rejects when the answer is not about this issuer. */
export const discoverEndpoints = async (outbound: Outbound, issuer: string): Promise<OpenIdEndpoints> => {
  const document = readObject(
    await outbound({
      url: `${issuer}/.well-known/openid-configuration`,
      headers: { accept: "application/json" },
    }),
    "the issuer's configuration",
  );
  const named = textIn(document, "issuer");
  // The configured address is kept without the slash that some issuers have at their end.
  if (named === null || named.replace(/\/+$/, "") !== issuer) {
    throw new ProviderFault("the issuer's configuration is about another issuer");
  }
  const endpoint = (name: string) => checkedEndpoint(textIn(document, name), issuer);
  return {
    issuer: named,
    authorization: endpoint("authorization_endpoint"),
    token: endpoint("token_endpoint"),
    keys: endpoint("jwks_uri"),
    secretPlace: secretPlaceOf(Reflect.get(document, "token_endpoint_auth_methods_supported")),
  };
};

// An issuer elsewhere has no business on this machine's loopback, where the outbound client would allow plain http.
const checkedEndpoint = (endpoint: string | null, issuer: string): string => {
  const url = endpoint !== null && URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isUsable = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url === null || !isUsable || (isLoopback(url) && !isLoopback(new URL(issuer)))) {
    throw new ProviderFault("the issuer's configuration names an unusable endpoint");
  }
  return url.href;
};

const secretPlaceOf = (methods: unknown): SecretPlace => {
  if (!Array.isArray(methods) || methods.includes("client_secret_basic")) return "basic";
  return methods.includes("client_secret_post") ? "post" : "basic";
};
