import { randomBytes } from "node:crypto";
import { OutboundError } from "#api/adapters/outbound/check-address.ts";
import { createOutbound, type Outbound } from "#api/adapters/outbound/create-outbound.ts";
import { systemClock } from "#api/core/clock.ts";
import type { ConnectionReport, ProviderTarget } from "#api/core/settings.ts";
import { plainServiceUrl } from "#contract/endpoints.ts";
import { settingsTexts, type TestStep } from "#contract/settings.ts";
import { signingAlgorithms } from "./check-id-token.ts";
import {
  basicCredentials,
  endpointsIn,
  fetchConfiguration,
  type OpenIdEndpoints,
  ProviderFault,
  secretFields,
  textIn,
} from "./oauth-client.ts";
import { createOpenIdClient, fetchKeys } from "./open-id.ts";

/** What a check found; nothing of what the provider sends is repeated but addresses of web services. */
type Finding = Omit<TestStep, "name" | "durationMs">;

type ProviderTestOptions = {
  /** For everything together. */
  limitMs?: number;
  /** How it calls the provider; tests bring their own. */
  outbound?: Outbound;
};

const names = {
  configuration: "Configuration",
  issuer: "Issuer",
  endpoints: "Endpoints",
  flow: "Authorization code",
  pkce: "PKCE",
  algorithms: "Signatures",
  keys: "Keys",
  redirect: "Redirect URL",
  client: "Client ID and secret",
} as const;

/**
 * Tries an OpenID provider as far as that takes no user, within `limitMs` (5 s): its configuration and keys, what it supports,
 * whether it sends browsers back here, and whether it accepts the client ID and secret. Reports each check, throws nothing.
 */
export const testOpenIdProvider = async (
  target: ProviderTarget,
  { limitMs = 5_000, outbound = createOutbound({ deadlineMs: limitMs }) }: ProviderTestOptions = {},
): Promise<ConnectionReport> => {
  const signal = AbortSignal.timeout(limitMs);
  const call: Outbound = (request) => outbound({ ...request, signal });
  const steps: TestStep[] = [];
  const run = async (name: string, check: () => Promise<Finding>): Promise<TestStep["status"]> => {
    const step = await stepOf(name, check);
    steps.push(step);
    return step.status;
  };
  const known: { document: object; endpoints: OpenIdEndpoints | null } = { document: {}, endpoints: null };
  const isRead =
    (await run(names.configuration, async () => {
      known.document = await fetchConfiguration(call, target.issuer);
      return passed("It was read.");
    })) === "passed";
  // What belongs to another issuer is asked nothing more, and gets no secret.
  if (isRead && (await run(names.issuer, async () => checkIssuer(known.document, target))) === "passed") {
    await run(names.endpoints, async () => {
      known.endpoints = endpointsIn(known.document, target.issuer);
      return passed("All of them can be used.");
    });
    for (const [name, check] of stated) await run(name, async () => check(known.document));
  }
  const { endpoints } = known;
  if (endpoints !== null)
    steps.push(
      ...(await Promise.all([
        stepOf(names.keys, () => checkKeys(call, endpoints)),
        stepOf(names.redirect, () => checkRedirect(call, endpoints, target)),
        stepOf(names.client, () => checkClient(call, endpoints, target)),
      ])),
    );
  return reportOf(target, steps);
};

const passed = (message: string): Finding => ({ status: "passed", message });
const warning = (message: string, remedy: string): Finding => ({ status: "warning", message, remedy });
const failed = (message: string, remedy: string): Finding => ({ status: "failed", message, remedy });

const stepOf = async (name: string, check: () => Promise<Finding>): Promise<TestStep> => {
  const startedAt = performance.now();
  const finding = await check().catch(explained);
  return { name, ...finding, durationMs: Math.round((performance.now() - startedAt) * 10) / 10 };
};

const remedies = {
  refused: "Enter the https URL of a server that may be called.",
  unreachable: "Check the issuer, DNS and certificate, and that this server may open connections to it.",
  slow: "Check that the provider is up, and that no firewall is in between.",
  large: "Check the issuer: this is no OpenID provider's response.",
  redirect: "Enter the URL that it redirects to, if that is the issuer; redirects are not followed.",
} as const;

const explained = (error: unknown): Finding => {
  if (error instanceof OutboundError)
    return failed(
      error.fault === "refused" ? `${settingsTexts.addressRefused}.` : sentence(error.message),
      remedies[error.fault],
    );
  if (error instanceof ProviderFault)
    return failed(sentence(error.shown), "Check the issuer: it's the URL that the provider calls so.");
  throw error;
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

const checkIssuer = (document: object, { issuer }: ProviderTarget): Finding => {
  const named = textIn(document, "issuer");
  const plain = named === null ? null : plainServiceUrl(named);
  if (plain === issuer) return passed("The configuration belongs to it.");
  return plain === null || plain.length > 500
    ? failed(
        "The configuration names no issuer.",
        "Check the issuer: it's the URL that the provider calls so.",
      )
    : failed(
        `The configuration belongs to another issuer: ${plain}`,
        `Enter ${plain} as the issuer, if that is yours.`,
      );
};

/** The texts of a list of a configuration; `null` where it isn't there. */
const listIn = (document: object, name: string): string[] | null => {
  const value: unknown = Reflect.get(document, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : null;
};

/** What a configuration says that the provider supports. */
const stated: readonly (readonly [name: string, check: (document: object) => Finding])[] = [
  [
    names.flow,
    (document) =>
      listIn(document, "response_types_supported")?.includes("code") !== false
        ? passed("The provider supports it.")
        : failed("The provider doesn't support it.", "Allow the authorization code flow at the provider."),
  ],
  [
    names.pkce,
    (document) => {
      const methods = listIn(document, "code_challenge_methods_supported");
      if (methods === null)
        return warning(
          "The provider doesn't say whether it supports S256.",
          "Most do; if a sign-in works, so does this.",
        );
      return methods.includes("S256")
        ? passed("The provider supports S256.")
        : failed("The provider doesn't support S256.", "Allow PKCE with S256 at the provider.");
    },
  ],
  [
    names.algorithms,
    (document) => {
      const known = listIn(document, "id_token_signing_alg_values_supported") ?? ["RS256"];
      const usable = known.filter((name) => signingAlgorithms.includes(name));
      return usable.length > 0
        ? passed(`Id tokens can be checked: ${usable.join(", ")}.`)
        : failed(
            "No algorithm of its id tokens is accepted here.",
            "Have the provider sign id tokens with RS256 or ES256.",
          );
    },
  ],
];

const checkKeys = async (call: Outbound, { keys: url }: OpenIdEndpoints): Promise<Finding> => {
  const { keys } = await fetchKeys(call, url);
  const usable = keys.filter(({ kty, use }) => ["RSA", "EC", "OKP"].includes(kty ?? "") && use !== "enc");
  return usable.length > 0
    ? passed(`${usable.length} ${usable.length === 1 ? "key" : "keys"} for signatures.`)
    : failed(
        "There is no key for signatures.",
        "Have the provider publish the keys that it signs id tokens with.",
      );
};

const newChallenge = () => {
  const [state = "", codeVerifier = "", nonce = ""] = Array.from({ length: 3 }, () =>
    randomBytes(32).toString("base64url"),
  );
  return { state, codeVerifier, nonce };
};

// Who isn't signed in at the provider is sent back with one of these, whatever there is to ask: OpenID Connect Core §3.1.2.6.
const sentBack = ["login_required", "interaction_required", "consent_required", "account_selection_required"];

const checkRedirect = async (
  call: Outbound,
  endpoints: OpenIdEndpoints,
  { redirectUri, scopes, ...registration }: ProviderTarget,
): Promise<Finding> => {
  const client = createOpenIdClient({ ...registration, redirectUri }, { outbound: call, clock: systemClock });
  const url = await client.authorizationUrl(endpoints, scopes, newChallenge());
  url.searchParams.set("prompt", "none");
  const { status, location } = await call({ url: url.href, readsRedirect: true });
  const remedy = `Enter this redirect URL at the provider: ${redirectUri}`;
  if (status >= 400)
    return failed("The provider refused the redirect URL, or doesn't know the client ID.", remedy);
  const back = location !== undefined && URL.canParse(location) ? new URL(location) : null;
  if (back === null || back.origin + back.pathname !== redirectUri)
    return warning("The provider didn't send the browser back, so that this couldn't be checked.", remedy);
  const error = back.searchParams.get("error");
  if (error === null || sentBack.includes(error)) return passed("The provider sends browsers back to it.");
  return failed(
    "The provider sent the browser back with an error.",
    error === "invalid_scope"
      ? "Remove scopes that the provider doesn't know."
      : "Check the client at the provider.",
  );
};

const checkClient = async (
  call: Outbound,
  { token, secretPlace }: OpenIdEndpoints,
  target: ProviderTarget,
): Promise<Finding> => {
  const { redirectUri } = target;
  // No code of anyone's: what is asked is whether the provider looks at it, or refuses the client before.
  const body = new URLSearchParams({
    ...{ grant_type: "authorization_code", code: newChallenge().state, redirect_uri: redirectUri },
    code_verifier: newChallenge().codeVerifier,
    ...(secretPlace === "post" ? secretFields(target) : {}),
  });
  const { status, text } = await call({
    ...{ url: token, method: "POST", body: body.toString() },
    headers: {
      ...{ accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      ...(secretPlace === "basic" ? { authorization: basicCredentials(target) } : {}),
    },
  });
  const error = errorIn(text);
  if (status === 401 || error === "invalid_client" || error === "unauthorized_client")
    return failed(
      "The provider doesn't accept them.",
      "Copy both from the provider again. Client secrets expire: a new one may be needed.",
    );
  return error === "invalid_grant" || status === 200
    ? passed("The provider accepts them.")
    : warning("The provider doesn't say whether it accepts them.", "Sign in with it to find out.");
};

const errorIn = (text: string): string | null => {
  try {
    return textIn(JSON.parse(text), "error");
  } catch {
    // An error page, for one.
    return null;
  }
};

const reportOf = ({ label }: ProviderTarget, done: TestStep[]): ConnectionReport => {
  const skipped = Object.values(names)
    .filter((name) => !done.some((step) => step.name === name))
    .map((name): TestStep => ({ name, status: "skipped", message: "Not tried: an earlier step failed." }));
  const steps = [...done, ...skipped];
  const fault = steps.find(({ status }) => status === "failed");
  if (fault !== undefined)
    return {
      isWorking: false,
      summary: `${label} can't be used: ${fault.name}. ${fault.message}`,
      details: fault.remedy ?? "",
      steps,
    };
  return { isWorking: true, summary: `${label} can be used.`, details: "", steps };
};
