import { describe, expect, test } from "bun:test";
import { isHeaderForPlugins, visibleHeaders } from "./compile-routes.ts";

describe("headers of a call:", () => {
  test("a plugin sees what tells of the content and the browser, and what its route names", () => {
    const headers = new Headers({
      ...{ accept: "text/html", "accept-language": "de", "content-type": "application/json" },
      ...{ "user-agent": "Browser", "if-none-match": '"1"', "x-hub-signature-256": "sha256=ab" },
      ...{ "x-other": "1", referer: "http://localhost/private", origin: "http://localhost" },
    });
    expect(visibleHeaders(headers, ["X-Hub-Signature-256", "x-absent"])).toEqual({
      ...{ accept: "text/html", "accept-language": "de", "content-type": "application/json" },
      ...{ "user-agent": "Browser", "if-none-match": '"1"', "x-hub-signature-256": "sha256=ab" },
    });
  });

  const credentials = [
    ...["cookie", "set-cookie", "authorization", "Authorization", "host", "forwarded", "via"],
    ...["proxy-authorization", "proxy-connection", "x-forwarded-user", "x-forwarded-for", "x-real-ip"],
    ...["x-remote-user", "remote-user", "x-authentik-jwt", "x-pomerium-jwt-assertion", "x-vault-token"],
    ...[
      "x-amz-security-token",
      "x-amzn-oidc-data",
      "x-csrf-token",
      "x-atrium-plugin",
      "x-auth-request-email",
    ],
    ...["cf-access-jwt-assertion", "x-goog-iap-jwt-assertion", "x-ms-client-principal"],
  ];
  for (const name of credentials)
    test(`${name} is never given to a plugin`, () => {
      expect(isHeaderForPlugins(name)).toBe(false);
      expect(visibleHeaders(new Headers({ [name]: "secret" }), [name])).toEqual({});
    });

  test("what is no name of a header cannot be asked for", () => {
    for (const name of ["", "a b", "a:b", "ä", "x".repeat(101)]) expect(isHeaderForPlugins(name)).toBe(false);
    expect(isHeaderForPlugins("X-Api-Key")).toBe(true);
  });
});
