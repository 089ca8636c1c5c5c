import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#api/config.ts";
import { folderForFile } from "#api/testing/for-each-test.ts";
import { describeConfig, secretsIn } from "./describe-config.ts";
import { ConfigError, type Environment } from "./variable.ts";

const folder = folderForFile();
const secretFile = join(folder, "secret");
writeFileSync(secretFile, "canary-in-a-file\n");

const acme = {
  OIDC_PROVIDERS: "acme",
  OIDC_ACME_ISSUER: "https://id.acme.example/",
  OIDC_ACME_CLIENT_ID: "atrium",
  OIDC_ACME_CLIENT_SECRET: "canary-of-acme",
};

const problemsOf = (env: Environment): string[] => {
  try {
    readConfig(env, false);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).not.toContain("canary");
    return error.problems.map(({ variable }) => variable).sort();
  }
};

test("a provider is complete with issuer, client ID and secret; everything else has a default", () => {
  expect(readConfig(acme).oidcProviders).toEqual([
    {
      ...{ id: "acme", label: "Acme", issuer: "https://id.acme.example", clientId: "atrium" },
      clientSecret: "canary-of-acme",
      scopes: ["openid", "email", "profile"],
      claims: { email: "email", emailVerified: "", name: "name", groups: "groups" },
      trustedDomains: [],
      rules: { maySignUp: true, signUpDomains: null, groupRoles: null, isFactorTrusted: false },
    },
  ]);
});

test("all that can be said of a provider is taken", () => {
  const [provider] = readConfig({
    ...acme,
    OIDC_ACME_CLIENT_SECRET: "",
    OIDC_ACME_CLIENT_SECRET_FILE: secretFile,
    OIDC_ACME_LABEL: "Acme Inc.",
    OIDC_ACME_SCOPES: "email groups",
    OIDC_ACME_CLAIMS: "email=upn, groups=realm_access.roles",
    OIDC_ACME_TRUST_EMAIL: "Acme.example",
    OIDC_ACME_SIGN_UP: "0",
    OIDC_ACME_DOMAINS: "acme.example,b.example",
    OIDC_ACME_GROUPS: "cn=ops:eu:admin,staff:user",
    OIDC_ACME_SECOND_FACTOR: "1",
  }).oidcProviders;
  expect(provider).toMatchObject({
    clientSecret: "canary-in-a-file",
    label: "Acme Inc.",
    scopes: ["openid", "email", "groups"],
    claims: { email: "upn", emailVerified: "", name: "name", groups: "realm_access.roles" },
    trustedDomains: ["acme.example"],
    rules: {
      maySignUp: false,
      signUpDomains: ["acme.example", "b.example"],
      groupRoles: [
        { group: "cn=ops:eu", role: "admin" },
        { group: "staff", role: "user" },
      ],
      isFactorTrusted: true,
    },
  });
});

describe("what is wrong with a provider is reported by variable:", () => {
  test.each([
    ["a reserved name", { OIDC_PROVIDERS: "acme,google" }, ["OIDC_PROVIDERS"]],
    ["a name in capitals", { OIDC_PROVIDERS: "Acme" }, ["OIDC_PROVIDERS"]],
    ["a name twice", { OIDC_PROVIDERS: "acme,acme" }, ["OIDC_PROVIDERS"]],
    [
      "nothing but a name",
      { OIDC_PROVIDERS: "acme,b2" },
      ["OIDC_B2_CLIENT_ID", "OIDC_B2_CLIENT_SECRET", "OIDC_B2_ISSUER"],
    ],
    ["an issuer without TLS", { OIDC_ACME_ISSUER: "http://id.acme.example" }, ["OIDC_ACME_ISSUER"]],
    ["a secret twice", { OIDC_ACME_CLIENT_SECRET_FILE: secretFile }, ["OIDC_ACME_CLIENT_SECRET_FILE"]],
    [
      "a file that can't be read",
      { OIDC_ACME_CLIENT_SECRET: "", OIDC_ACME_CLIENT_SECRET_FILE: folder },
      ["OIDC_ACME_CLIENT_SECRET_FILE"],
    ],
    ["an overlong label", { OIDC_ACME_LABEL: "a".repeat(41) }, ["OIDC_ACME_LABEL"]],
    ["a scope that can't be sent", { OIDC_ACME_SCOPES: 'a"b' }, ["OIDC_ACME_SCOPES"]],
    ["a claim that isn't known", { OIDC_ACME_CLAIMS: "phone=tel" }, ["OIDC_ACME_CLAIMS"]],
    ["an address as a domain", { OIDC_ACME_DOMAINS: "ada@acme.example" }, ["OIDC_ACME_DOMAINS"]],
    ["every address trusted", { OIDC_ACME_TRUST_EMAIL: "1" }, ["OIDC_ACME_TRUST_EMAIL"]],
    ["an unknown role", { OIDC_ACME_GROUPS: "admins:owner" }, ["OIDC_ACME_GROUPS"]],
    ["a group without a role", { OIDC_ACME_GROUPS: "admins" }, ["OIDC_ACME_GROUPS"]],
    [
      "Google's issuer",
      { GOOGLE_CLIENT_ID: "a", GOOGLE_CLIENT_SECRET: "b", OIDC_ACME_ISSUER: "https://accounts.google.com" },
      ["OIDC_ACME_ISSUER"],
    ],
    [
      "an issuer that two have",
      {
        ...{ OIDC_PROVIDERS: "acme,b2", OIDC_B2_ISSUER: "https://id.acme.example" },
        ...{ OIDC_B2_CLIENT_ID: "a", OIDC_B2_CLIENT_SECRET: "b" },
      },
      ["OIDC_B2_ISSUER"],
    ],
  ] as [string, Environment, string[]][])("%s", (_, env, variables) => {
    expect(problemsOf({ ...acme, ...env })).toEqual(variables);
  });
});

test("the variables of a provider are described with its secret hidden, and the secret is known to be one", () => {
  const rows = describeConfig(acme).filter(({ variable }) => variable.startsWith("OIDC_ACME_"));
  expect(rows.map(({ variable }) => variable)).toContain("OIDC_ACME_GROUPS");
  expect(JSON.stringify(rows)).not.toContain("canary");
  const env = { ...acme, OIDC_ACME_CLIENT_SECRET_FILE: secretFile };
  for (const secret of ["canary-of-acme", "canary-in-a-file"]) expect(secretsIn(env)).toContain(secret);
});
