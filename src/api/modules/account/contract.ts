import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, operation } from "#contract/operation.ts";

const reading = ["NOT_SIGNED_IN", "DB_UNAVAILABLE"] as const;
const writing = [...reading, "CROSS_ORIGIN", "STORAGE_FULL"] as const;
const forOwners = { access: "user", proof: "none", tag: "Own account" } as const;

/** A way in through a provider: whether this server offers it, and whether the person uses it. */
const connection = (kit: Kit) =>
  kit.object({
    configured: kit.flag({ description: "Whether this server offers the provider" }),
    linked: kit.flag(),
  });

/** What people can do about their own account, but for what sets their browser's cookies or leads it elsewhere. */
export const accountContract = {
  get: operation("GET /api/account", {
    ...forOwners,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        user: kit.user,
        hasPassword: kit.flag(),
        providers: kit.object({ google: connection(kit), github: connection(kit) }),
        isLastAdmin: kit.flag({ description: "Whether the account cannot be deleted for now" }),
      }),
    }),
    names: { "200.data.providers.google": "ProviderLink" },
    errors: reading,
    summary: "The own account",
    description: "With the ways to sign in to it.",
    example: {},
    probe: { status: 200 },
  }),
  sessions: operation("GET /api/account/sessions", {
    ...forOwners,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        sessions: kit.list(
          kit.object({
            id: kit.uuid,
            isCurrent: kit.flag(),
            ip: kit.text(),
            userAgent: kit.nullable(kit.text({ description: "As the browser sent it" })),
            device: kit.text({ description: "In words, such as `Firefox on Linux`" }),
            createdAt: kit.instant,
            lastUsedAt: kit.instant,
            expiresAt: kit.instant,
          }),
        ),
      }),
    }),
    errors: reading,
    summary: "List the own sessions",
    description: "The one that asks comes first, then by last use, exact to a minute.",
    example: {},
    probe: { status: 200 },
  }),
  endOtherSessions: operation("DELETE /api/account/sessions", {
    ...forOwners,
    changes: true,
    responds: "message",
    schemas: (kit) => ({ answer: kit.object({ ended: kit.integer() }) }),
    names: { "200": "DoneWithSessions" },
    errors: writing,
    summary: "End all other sessions",
    description: "Tells how many those were.",
    example: {},
    probe: { status: 200 },
  }),
  unlink: operation("DELETE /api/account/connections/:provider", {
    ...forOwners,
    proof: "recent",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: kit.object({ provider: kit.id("`google` or `github`") }) }),
    errors: [...writing, "NOT_FOUND", "LAST_SIGN_IN_METHOD"],
    summary: "Unlink a sign-in provider",
    description: "Refused for the only way in: a provider that this server does not offer is none.",
    example: { provider: "github" },
    probe: { params: { provider: "google" }, status: 404 },
  }),
  export: operation("GET /api/account/export", {
    ...forOwners,
    proof: "recent",
    responds: "file",
    schemas: (kit) => ({ answer: kit.streamed("Indented JSON") }),
    errors: reading,
    summary: "Download the own data",
    description: "Everything that is stored about the caller, as a JSON file without hashes and tokens.",
    example: {},
    probe: { status: 200 },
  }),
};

/** A person's account as they see it themselves. `isLastAdmin` can be neither deleted nor demoted. */
export type Account = AnswerOf<typeof accountContract.get>;
/** A signed-in browser as its owner sees it; `device` says in words what it is. */
export type OwnSession = AnswerOf<typeof accountContract.sessions>["sessions"][number];
