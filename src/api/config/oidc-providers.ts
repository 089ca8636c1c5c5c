import { readFileSync, statSync } from "node:fs";
import type { OidcProvider } from "#api/core/providers.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import {
  groupRoleIn,
  providerIdComplaint,
  providerSettings,
  scopesIn,
  titleFromId,
  titleLength,
} from "#contract/provider-settings.ts";
import { roles } from "#contract/users.ts";
import { domainName, listOf, serviceUrl, switchValue, word } from "./parsers.ts";
import { type ConfigProblem, type Environment, optional, textOf, type Variable } from "./variable.ts";

const providerId = (text: string): string | undefined =>
  providerIdComplaint(text) === null ? text : undefined;

const distinctIds = (text: string): string[] | undefined => {
  const ids = listOf(providerId)(text);
  return ids && new Set(ids).size === ids.length ? ids : undefined;
};

/** The variable that names the providers which the others are about. */
export const oidcProviders = {
  name: "OIDC_PROVIDERS",
  expected:
    "comma-separated names, each of 2 to 32 lower-case letters and digits and not a reserved word such as google or user",
  parse: distinctIds,
  fallback: [],
  whenUnset: "Google and GitHub only",
  hides: "nothing",
} satisfies Variable<string[]>;

/** The variables of one provider. */
export const providerVariables = (id: string) => ({ ...connectionVariables(id), ...ruleVariables(id) });

type Reading<T> = Pick<Variable<T>, "parse" | "fallback" | "whenUnset"> & Partial<Pick<Variable<T>, "hides">>;

const variablesOf =
  (id: string) =>
  <T>(suffix: string, expected: string, reading: Reading<T>): Variable<T> => ({
    name: `OIDC_${id.toUpperCase()}_${suffix}`,
    expected,
    hides: "nothing",
    ...reading,
  });

/** How the provider is reached, and what it is called. */
const connectionVariables = (id: string) => {
  const own = variablesOf(id);
  const secret = "the client secret from the provider, without spaces";
  const label = titleFromId(id);
  return {
    issuer: own("ISSUER", "the https address of an OpenID issuer (http only for localhost)", {
      ...optional(serviceUrl),
      whenUnset: "required",
    }),
    clientId: own("CLIENT_ID", "the client ID from the provider, without spaces", {
      ...optional(word),
      whenUnset: "required",
    }),
    clientSecret: own("CLIENT_SECRET", secret, { ...optional(word), whenUnset: "required", hides: "all" }),
    clientSecretFile: own("CLIENT_SECRET_FILE", `the path of a file that contains ${secret}`, {
      ...optional(secretInFile),
      whenUnset: "none",
    }),
    label: own("LABEL", `the provider's name as users know it, at most ${titleLength} characters`, {
      parse: (text) => (text.length <= titleLength && nameComplaint(text) === null ? text : undefined),
      fallback: label,
      whenUnset: label,
    }),
    scopes: own("SCOPES", "scopes separated by spaces, such as openid email profile groups", {
      parse: (text) => scopesIn(text.split(/[\s,]+/)) ?? undefined,
      fallback: defaults.scopes,
      whenUnset: defaults.scopes.join(" "),
    }),
    claims: own(
      "CLAIMS",
      `comma-separated names of claims, such as email=preferred_username (${claimNames})`,
      {
        parse: claimsIn,
        fallback: defaults.claims,
        whenUnset: "the usual ones",
      },
    ),
  };
};

/** Whom it signs in, and with which rights. */
const ruleVariables = (id: string) => {
  const own = variablesOf(id);
  const domains = "comma-separated domains such as acme.example";
  const pairs = `comma-separated groups with a role (${roles.join(" or ")}), such as atrium-admins:admin`;
  const on = { parse: switchValue, fallback: true, whenUnset: "1" };
  const off = { parse: switchValue, fallback: false, whenUnset: "0" };
  return {
    trustedDomains: own("TRUST_EMAIL", domains, {
      parse: listOf(domainName),
      fallback: [],
      whenUnset: "addresses that the provider has verified",
    }),
    maySignUp: own("SIGN_UP", "1 or 0", on),
    signUpDomains: own("DOMAINS", domains, { ...optional(listOf(domainName)), whenUnset: "all" }),
    groupRoles: own("GROUPS", pairs, {
      ...optional(listOf((text) => groupRoleIn(text) ?? undefined)),
      whenUnset: "roles are given here",
    }),
    isFactorTrusted: own("SECOND_FACTOR", "1 or 0", off),
  };
};

const mostBytes = 10_000;

/** The secret in a file; whoever writes it may end its line. */
export const secretInFile = (path: string): string | undefined => {
  try {
    const { size } = statSync(path);
    return size > mostBytes ? undefined : word(readFileSync(path, "utf8").trim());
  } catch {
    // What can't be read is no usable value, whatever the reason.
    return undefined;
  }
};

const { defaults } = providerSettings;
const claimNames = Object.keys(defaults.claims).join(", ");

/** The names of all claims, with those that are given in place of the usual ones. */
const claimsIn = (text: string): OidcProvider["claims"] | undefined => {
  const pairs = text.split(",").map((pair) => /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(pair));
  const named = pairs.map((pair): [string, string] => [pair?.[1] ?? "", pair?.[2] ?? ""]);
  const isKnown = named.every(([name]) => Object.hasOwn(defaults.claims, name));
  return isKnown ? { ...defaults.claims, ...Object.fromEntries(named) } : undefined;
};

/** The variables of all providers that the environment names; none while it names them wrongly. */
export const providerVariablesIn = (env: Environment): Variable<unknown>[] =>
  (distinctIds(textOf(env, oidcProviders) ?? "") ?? []).flatMap((id) => Object.values(providerVariables(id)));

/** How the environment is read: unusable values are reported, and `complain` reports what else is wrong. */
type Reader = {
  env: Environment;
  read<T>(variable: Variable<T>): T;
  complain(problem: ConfigProblem): void;
};

/** The providers that the environment names, each complete unless something was reported. */
export const readOidcProviders = (reader: Reader): OidcProvider[] =>
  reader.read(oidcProviders).map((id) => readProvider(reader, id));

/** The providers whose issuer is one of `others` or an earlier one's: a subject can't belong to two. */
export const sharedIssuers = (providers: OidcProvider[], others: string[]): ConfigProblem[] =>
  providers.flatMap(({ id, issuer }, at) => {
    const earlier = [...others, ...providers.slice(0, at).map((provider) => provider.issuer)];
    if (issuer === "" || !earlier.includes(issuer)) return [];
    const expected = "an issuer that no other provider has";
    return [{ variable: providerVariables(id).issuer.name, value: issuer, expected }];
  });

const readProvider = ({ env, read, complain }: Reader, id: string): OidcProvider => {
  const own = providerVariables(id);
  const isMissing = (variable: Variable<unknown>) => textOf(env, variable) === null;
  const reason = `because ${oidcProviders.name} contains ${id}`;
  for (const { name, expected } of [own.issuer, own.clientId].filter(isMissing))
    complain({ variable: name, value: "", expected: `${expected}, ${reason}` });
  const { name, expected } = own.clientSecret;
  const given = [own.clientSecret, own.clientSecretFile].filter((variable) => !isMissing(variable));
  if (given.length === 0) complain({ variable: name, value: "", expected: `${expected}, ${reason}` });
  if (given.length === 2)
    complain({
      variable: own.clientSecretFile.name,
      value: env[own.clientSecretFile.name] ?? "",
      expected: `nothing, because ${name} is set`,
    });
  return {
    id,
    label: read(own.label),
    issuer: read(own.issuer) ?? "",
    clientId: read(own.clientId) ?? "",
    clientSecret: read(own.clientSecret) ?? read(own.clientSecretFile) ?? "",
    scopes: read(own.scopes),
    claims: read(own.claims),
    trustedDomains: read(own.trustedDomains),
    rules: {
      maySignUp: read(own.maySignUp),
      signUpDomains: read(own.signUpDomains),
      groupRoles: read(own.groupRoles),
      isFactorTrusted: read(own.isFactorTrusted),
    },
  };
};
