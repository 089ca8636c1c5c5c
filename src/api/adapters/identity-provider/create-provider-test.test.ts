import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ProviderTarget } from "#api/core/settings.ts";
import { testOrigin } from "#api/testing/host.ts";
import { type MockOpenId, startMockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { providerSettings } from "#contract/provider-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { testOpenIdProvider } from "./create-provider-test.ts";

let mock: MockOpenId;
let answer: (path: string) => Response | Promise<Response> = () => new Response();
const hostile = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => answer(new URL(request.url).pathname),
});
const hostileUrl = `http://127.0.0.1:${hostile.port}`;
beforeAll(async () => {
  mock = await startMockOpenId("acme");
});
afterAll(async () => {
  await hostile.stop(true);
  await mock.stop();
});

const target = (change: Partial<ProviderTarget> = {}): ProviderTarget => ({
  ...{ id: "acme", label: "Acme", issuer: mock.url, ...mock.client },
  ...{ scopes: ["openid", "email"], claims: providerSettings.defaults.claims, trustedDomains: [] },
  rules: { maySignUp: true, signUpDomains: null, groupRoles: null, isFactorTrusted: false },
  redirectUri: `${testOrigin}/api/auth/acme/callback`,
  ...change,
});

/** The status of each check, and what is said of the first that failed. */
const tried = async (change: Partial<ProviderTarget> = {}, limitMs?: number) => {
  const report = await testOpenIdProvider(target(change), limitMs === undefined ? {} : { limitMs });
  const statuses = Object.fromEntries(report.steps.map(({ name, status }) => [name, status]));
  const fault = report.steps.find(({ status }) => status === "failed");
  return { ...report, statuses, fault };
};

test("a good provider passes each check", async () => {
  mock.describe({ code_challenge_methods_supported: ["S256"] });
  mock.fail("refused");
  const { isWorking, summary, statuses } = await tried();
  mock.describe(null);
  mock.fail(null);
  expect([isWorking, summary]).toEqual([true, "Acme can be used."]);
  expect(statuses).toEqual({
    ...{ Configuration: "passed", Issuer: "passed", Endpoints: "passed", "Authorization code": "passed" },
    ...{ PKCE: "passed", Signatures: "passed", Keys: "passed", "Redirect URL": "passed" },
    "Client ID and secret": "passed",
  });
});

test("a wrong client secret is found without a user, and never repeated", async () => {
  const report = await tried({ clientSecret: "canary-that-is-wrong" });
  expect(report.fault).toMatchObject({ name: "Client ID and secret", status: "failed" });
  expect(JSON.stringify(report)).not.toContain("canary");
});

describe("a configuration is refused", () => {
  test.each([
    [
      "of another issuer",
      { issuer: "https://other.example/" },
      "Issuer",
      "another issuer: https://other.example",
    ],
    ["that names none", { issuer: "<script>" }, "Issuer", "names no issuer"],
    [
      "with an endpoint without TLS",
      { token_endpoint: "http://id.example/token" },
      "Endpoints",
      "unusable endpoint",
    ],
    ["without keys", { jwks_uri: undefined }, "Endpoints", "unusable endpoint"],
    ["without the flow", { response_types_supported: ["token"] }, "Authorization code", "doesn't support it"],
    ["with plain PKCE", { code_challenge_methods_supported: ["plain"] }, "PKCE", "S256"],
    [
      "with shared secrets alone",
      { id_token_signing_alg_values_supported: ["HS256", "none"] },
      "Signatures",
      "No algorithm",
    ],
  ])("%s", async (_, members, name, words) => {
    mock.describe(members);
    const { fault, isWorking } = await tried();
    mock.describe(null);
    expect([isWorking, fault?.name, fault?.message]).toEqual([false, name, expect.stringContaining(words)]);
    expect(fault?.remedy).toBeString();
  });

  test("and with another issuer nothing is sent to its endpoints", async () => {
    const asked = mock.exchanges;
    mock.describe({ issuer: "https://other.example" });
    const { statuses } = await tried();
    mock.describe(null);
    expect([statuses["Client ID and secret"], mock.exchanges]).toEqual(["skipped", asked]);
  });
});

describe("an answer is refused", () => {
  const json = (body: object) => Response.json(body);
  test.each([
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "JSON"],
    ["a list", () => json([]), "no issuer"],
    ["no object", () => Response.json(null), "object"],
    ["nothing there", () => new Response("", { status: 404 }), "was not returned"],
    ["too much", () => new Response("x".repeat(1_000_000)), "too large"],
    [
      "a way to a private address",
      () => Response.redirect("http://169.254.169.254/latest/meta-data", 302),
      "redirect",
    ],
    ["silence", () => new Promise<Response>(() => {}), "in time"],
  ] as [string, () => Response | Promise<Response>, string][])("%s", async (_, next, words) => {
    answer = next;
    const { fault, steps } = await tried({ issuer: hostileUrl }, 500);
    expect(fault?.message).toContain(words);
    expect(fault?.remedy).toBeString();
    expect(steps.filter(({ status }) => status === "skipped").length).toBeGreaterThanOrEqual(7);
  });

  test("an address that no one may call", async () => {
    const { fault } = await tried({ issuer: "https://169.254.169.254" });
    expect(fault).toMatchObject({ name: "Configuration", message: `${settingsTexts.addressRefused}.` });
  });
});

describe("the redirect URL", () => {
  const withAuthorization = async (there: () => Response) => {
    mock.describe({ authorization_endpoint: `${hostileUrl}/authorize` });
    answer = there;
    const { steps } = await tried();
    mock.describe(null);
    return steps.find(({ name }) => name === "Redirect URL");
  };
  const back = `${testOrigin}/api/auth/acme/callback`;

  test.each([
    ["the provider answers with an error page", () => new Response("no", { status: 400 }), "failed"],
    ["it leads elsewhere", () => Response.redirect("https://id.example/error", 302), "warning"],
    ["it shows a page", () => new Response("<html>"), "warning"],
    ["no one is signed in there", () => Response.redirect(`${back}?error=login_required`, 302), "passed"],
    ["a scope is unknown", () => Response.redirect(`${back}?error=invalid_scope`, 302), "failed"],
  ] as [string, () => Response, "failed" | "warning" | "passed"][])("when %s", async (_, there, status) => {
    const step = await withAuthorization(there);
    expect(step?.status).toBe(status);
    if (status !== "passed") expect(step?.remedy).toBeString();
  });
});
