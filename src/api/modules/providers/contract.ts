import type { Kit } from "#api/modules/kit.ts";
import { trimmed } from "#contract/limits.ts";
import {
  type AnswerOf,
  type CommandGroup,
  type InputOf,
  operation,
  sampleSecret,
} from "#contract/operation.ts";
import {
  clientSecretComplaint,
  clientSecretLength,
  onceGone,
  type ProviderState,
  providerSettingOptions,
  providerSettings,
  providerStates,
  providerTexts,
  sentences,
} from "#contract/provider-settings.ts";
import { changesOf } from "#contract/settings.ts";
import { providerKinds } from "#contract/users.ts";

const forAdmins = { access: "admin", scope: "settings", proof: "none", tag: "Settings" } as const;
const changing = {
  ...forAdmins,
  proof: "factor",
  tokens: false,
  changes: true,
  responds: "message",
} as const;

const one = (kit: Kit) => kit.object({ provider: kit.id("The provider's id, such as `acme`") });
/** Whom it concerns if no one can sign in with it anymore. */
const cutOff = (kit: Kit) => ({
  usersWithoutOther: kit.integer({
    description: "How many users have neither a password nor a passkey nor another provider",
  }),
  adminsByGroup: kit.integer({ description: "How many administrators have their role from its groups" }),
});
const provider = (kit: Kit) =>
  kit.object({
    id: kit.text(),
    kind: kit.choice(providerKinds),
    source: kit.choice(["settings", "environment"]),
    lockedBy: kit.nullable(kit.text(), {
      description: "The environment variables that configure it, so that it can't be changed here",
    }),
    state: kit.choice(providerStates, {
      description:
        "Whether users can sign in with it. `overruled`: the environment has a provider with this id or issuer, which is used instead; `unreadable`: its client secret has to be entered again",
    }),
    settings: kit.values(providerSettings),
    hasClientSecret: kit.flag({ description: "Whether a usable client secret is stored" }),
    redirectUri: kit.text({ description: "The redirect URL to enter at the provider" }),
    logoutUri: kit.nullable(kit.text(), {
      description: "The URL to enter for back-channel sign-out; `null` where there is none",
    }),
    users: kit.integer({ description: "How many users are linked to it" }),
    ...cutOff(kit),
    usersElsewhere: kit.integer({
      description:
        "How many users are linked to it at another issuer, or to its issuer under another name, and can't sign in with it",
    }),
  });

const change = (kit: Kit) =>
  kit.exact({
    ...kit.change(providerSettings).properties,
    clientSecret: kit.optional(
      kit.checkedText("atrium-client-secret", clientSecretComplaint, {
        description: "The client secret from the provider. Absent or empty keeps the stored one",
        ...trimmed(0, clientSecretLength),
      }),
    ),
  });

const providerArgument = [{ name: "provider", summary: "its id, such as acme" }] as const;

type Counts = Parameters<typeof onceGone>[0] & { state: ProviderState; usersElsewhere: number };

/** What a change of a provider means for its users; empty where that is nothing. */
export const warningOf = ({ state, usersElsewhere, ...counts }: Counts): string =>
  sentences(state === "on" ? "" : onceGone(counts), providerTexts.leftBehind(usersElsewhere));

/** The word of the commands about sign-in providers. */
export const providersGroup: CommandGroup = {
  word: "provider",
  summary: "sign-in providers that speak OpenID Connect",
  description:
    "Sign-in providers that speak OpenID Connect, such as Keycloak, Okta, Microsoft Entra or Google Workspace. Those that the " +
    "environment configures are listed too, but can only be changed there. A change takes effect on every replica within a " +
    "second, without a restart.",
};

/** The operations on sign-in providers. */
export const providersContract = {
  list: operation("GET /api/auth/settings/providers", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        providers: kit.list(provider(kit), { description: "Those of the environment first" }),
        redirectUri: kit.text({
          description: "The redirect URL of any provider, with `{provider}` in place of its id",
        }),
      }),
    }),
    names: { "200.data.providers[]": "SignInProvider" },
    summary: "List sign-in providers",
    description:
      "Those that admins have added, and those that the environment configures. Client secrets are never returned.",
    commands: [
      {
        name: "list",
        action: "List sign-in providers",
        summary: "list the sign-in providers",
        description: "Lists the sign-in providers with their state and how many users are linked to each.",
        prints: "providers",
        examples: [
          { summary: "All of them", typed: "atrium provider list" },
          {
            summary: "Those that are in use, for a script",
            typed: "atrium provider list --json | jq -r '.[] | select(.state == \"on\") | .id'",
          },
        ],
      },
    ],
  }),
  show: operation("GET /api/auth/settings/providers/:provider", {
    ...forAdmins,
    responds: "data",
    schemas: (kit) => ({ params: one(kit), answer: provider(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Read a sign-in provider",
    description:
      "With its redirect URL and how many users are linked to it. The client secret is never returned.",
    example: { provider: "acme" },
    commands: [
      {
        name: "show",
        action: "Show a sign-in provider",
        summary: "show one sign-in provider",
        description: "Shows a sign-in provider with its settings, and the URLs to enter at the provider.",
        arguments: providerArgument,
        examples: [
          { summary: "As text", typed: "atrium provider show acme" },
          {
            summary: "The redirect URL, for a script",
            typed: "atrium provider show acme --json | jq -r .redirectUri",
          },
        ],
      },
    ],
  }),
  set: operation("PUT /api/auth/settings/providers/:provider", {
    ...changing,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: change(kit),
      answer: provider(kit),
    }),
    names: { body: "ProviderChange" },
    errors: ["CONFLICT", "LAST_ADMIN", "VALIDATION_FAILED"],
    summary: "Add or change a sign-in provider",
    would: ({ data, ...done }) => sentences(`Would ${changesOf("providers", done)}`, warningOf(data)),
    description:
      "Adds the provider if there is none with this id, which needs issuer, client ID and client secret. Fields that are left " +
      "out stay as they are. If the issuer changes, the client secret must be entered again. No API token may " +
      "call this, and providers of the environment can't be changed.",
    example: {
      ...{ provider: "acme", label: "Acme", issuer: "https://id.acme.example", clientId: "atrium" },
      ...{ clientSecret: sampleSecret, groupRoles: ["atrium-admins:admin"] },
    },
    probe: { params: { provider: "none" }, body: { issuer: "nowhere" }, status: 422 },
    commands: [
      {
        name: "set",
        summary: "add or change a sign-in provider",
        description:
          "Adds a sign-in provider, or changes the given settings of one. A new one needs --issuer, --client-id and the client " +
          "secret, for which a hidden prompt asks unless it is in a file. none empties a list.",
        arguments: providerArgument,
        options: [
          ...providerSettingOptions,
          {
            ...{ name: "client-secret-file", value: "file" },
            summary: "read the client secret from this file, or from standard input with -",
          },
          { name: "ask-client-secret", type: "boolean", summary: "ask for another client secret" },
        ],
        examples: [
          {
            summary: "Add a provider; its client secret is asked for",
            typed: "atrium provider set acme --issuer https://id.acme.example --client-id atrium",
          },
          {
            summary: "Another client secret, from a file",
            typed: "atrium provider set acme --client-secret-file ./secret",
          },
          { summary: "Switch it off", typed: "atrium provider set acme --enabled off" },
          {
            summary: "Make administrators by a group",
            typed: "atrium provider set acme --group-roles atrium-admins:admin",
          },
        ],
      },
    ],
  }),
  test: operation("POST /api/auth/settings/providers/:provider/test", {
    ...forAdmins,
    proof: "factor",
    tokens: false,
    responds: "message",
    schemas: (kit) => ({
      params: one(kit),
      body: change(kit),
      answer: kit.object({ testResult: kit.testResult }),
    }),
    errors: ["NOT_FOUND", "CONFLICT", "TEST_FAILED"],
    summary: "Test a sign-in provider",
    description:
      "Reads its configuration and keys, and checks issuer, endpoints, authorization code, PKCE, signatures, whether it sends " +
      "browsers back here, and whether it accepts client ID and secret, as far as that takes no user. Nothing is changed. For fields " +
      "that are left out, the stored values are used; the stored client secret is only sent to its own issuer. A failed test " +
      "responds with `TEST_FAILED` and the same `testResult` in `data`. Each admin can run one test at a time. No API token may " +
      "call this.",
    example: { provider: "acme", clientSecret: sampleSecret },
    probe: { params: { provider: "none" }, body: {}, status: 404 },
    commands: [
      {
        name: "test",
        summary: "test a sign-in provider",
        description:
          "Tests a saved sign-in provider, or one of the environment, and shows each check with what to do where it failed: its " +
          "configuration and keys, what it supports, the redirect URL, and client ID and secret. It needs no user.",
        arguments: providerArgument,
        examples: [
          { summary: "By its id", typed: "atrium provider test acme" },
          {
            summary: "In a script: exit code 1 if the test fails",
            typed: "atrium provider test acme --json > result.json",
          },
        ],
      },
    ],
  }),
  remove: operation("DELETE /api/auth/settings/providers/:provider", {
    ...changing,
    schemas: (kit) => ({
      params: one(kit),
      answer: kit.object({ id: kit.text(), label: kit.text(), ...cutOff(kit) }),
    }),
    errors: ["NOT_FOUND", "CONFLICT", "LAST_ADMIN"],
    summary: "Remove a sign-in provider",
    would: ({ data }) => sentences(`Would remove ${data.label} and its client secret`, onceGone(data)),
    description:
      "No one can sign in with it anymore, and its client secret is deleted. Users stay linked to it: if it is added again with " +
      "the same id and issuer, they can sign in with it again. No API token may call this.",
    example: { provider: "acme" },
    commands: [
      {
        name: "remove",
        summary: "remove a sign-in provider",
        description:
          "Removes a sign-in provider and its client secret. Users stay linked to it. Asks for confirmation, and says how many " +
          "users have no other way to sign in.",
        arguments: providerArgument,
        asks: { reads: "show" },
        message: "Removed {label}",
        examples: [
          { summary: "By its id", typed: "atrium provider remove acme" },
          { summary: "In a script", typed: "atrium provider remove acme --yes" },
        ],
      },
    ],
  }),
};

/** A provider as admins see it. */
export type SignInProvider = AnswerOf<typeof providersContract.show>;
/** What was removed, and how many users have no other way to sign in. */
export type RemovedProvider = AnswerOf<typeof providersContract.remove>;
/** A provider to test, with what differs from what is stored. */
export type TestProviderInput = InputOf<typeof providersContract.test>;
export type SetProviderInput = InputOf<typeof providersContract.set>;
