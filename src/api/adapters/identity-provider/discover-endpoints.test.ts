import { describe, expect, test } from "bun:test";
import type { OutboundAnswer } from "#api/adapters/outbound/create-outbound.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { discoverEndpoints, ProviderFault } from "./oauth-client.ts";

const issuer = "https://id.example/realms/main";
const document = {
  issuer,
  authorization_endpoint: "https://id.example/auth",
  token_endpoint: "https://tokens.example/token",
  jwks_uri: "https://keys.example/jwks",
};

const discover = (answer: Partial<OutboundAnswer>, of = issuer) => {
  const asked: string[] = [];
  const work = discoverEndpoints(async ({ url }) => {
    asked.push(url);
    return { status: 200, text: JSON.stringify(document), ...answer };
  }, of);
  return { asked, work };
};
const described = (members: Record<string, unknown>) => ({
  text: JSON.stringify({ ...document, ...members }),
});

describe("an issuer's configuration", () => {
  test("is asked for below the issuer's own path, and names its endpoints", async () => {
    const { asked, work } = discover({});
    expect(await work).toEqual({
      issuer,
      authorization: "https://id.example/auth",
      token: "https://tokens.example/token",
      keys: "https://keys.example/jwks",
      namesIssuer: false,
      secretPlace: "basic",
    });
    expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`]);
  });

  test("may end the issuer with a slash, which is then expected in tokens too", async () => {
    expect((await discover(described({ issuer: `${issuer}/` })).work).issuer).toBe(`${issuer}/`);
  });

  test.each([
    [undefined, "basic"],
    [["client_secret_basic", "client_secret_post"], "basic"],
    [["client_secret_post", "private_key_jwt"], "post"],
    [["none"], "basic"],
    ["client_secret_post", "basic"],
  ] as const)("with the methods %j has the secret sent as %s", async (methods, place) => {
    const answer = described({ token_endpoint_auth_methods_supported: methods });
    expect((await discover(answer).work).secretPlace).toBe(place);
  });

  test.each([
    ["another issuer", described({ issuer: "https://evil.example" })],
    ["an issuer that begins like ours", described({ issuer: `${issuer}.evil.example` })],
    ["no issuer", described({ issuer: undefined })],
    ["no endpoint for tokens", described({ token_endpoint: undefined })],
    ["an endpoint at another service's port", described({ jwks_uri: "https://id.example:25/" })],
    ["an endpoint that is no address", described({ token_endpoint: "/token" })],
    ["an endpoint without TLS", described({ jwks_uri: "http://id.example/jwks" })],
    ["an endpoint on this machine", described({ token_endpoint: "http://localhost:3000/api" })],
    ["an endpoint on this machine, with TLS", described({ token_endpoint: "https://127.0.0.1/api" })],
    ["an endpoint that runs something", described({ authorization_endpoint: "javascript:alert(1)" })],
    ["no object", { text: "null" }],
    ["no JSON", { text: "<html>" }],
    ["a failure", { status: 503 }],
  ])("with %s is refused", async (_, answer) => {
    expect(await failureOf(discover(answer).work)).toBeInstanceOf(ProviderFault);
  });

  test("of an issuer on this machine may name endpoints there", async () => {
    const local = "http://127.0.0.1:9000";
    const members = Object.fromEntries(
      Object.keys(document).map((name) => [name, name === "issuer" ? local : `${local}/${name}`]),
    );
    expect((await discover(described(members), local).work).token).toBe(`${local}/token_endpoint`);
  });
});
