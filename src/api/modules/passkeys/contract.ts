import type { Kit } from "#api/modules/kit.ts";
import { limits } from "#contract/limits.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";
import { passkeyNameComplaint } from "#contract/passkeys.ts";

const forOwners = { access: "user", forEnrolment: true, tag: "Own account" } as const;

const name = (kit: Kit) =>
  kit.checkedText("atrium-passkey-name", passkeyNameComplaint, {
    description: `What its owner calls it, 1 to ${limits.passkeyNameLength} characters`,
    minLength: 1,
    maxLength: limits.passkeyNameLength,
  });

const passkey = (kit: Kit) =>
  kit.object({
    id: kit.uuid,
    credentialId: kit.text({ description: "By which browsers know it" }),
    name: kit.text(),
    host: kit.text({ description: "The host that it belongs to: that of `APP_URL` when it was added" }),
    worksHere: kit.flag({ description: "Whether passkeys of this host are used now" }),
    isSynced: kit.flag({
      description: "Whether it is backed up, and on all devices of the owner; else on one alone",
    }),
    isBlocked: kit.flag({ description: "Whether it is refused because it may have been copied" }),
    createdAt: kit.instant,
    lastUsedAt: kit.nullable(kit.instant),
  });

const one = (kit: Kit) => kit.object({ id: kit.id("Id of one of your own passkeys") });
const sampleId = "019a9f00-0000-7000-8000-000000000000";

/** How users look after their passkeys. */
export const passkeysContract = {
  list: operation("GET /api/account/passkeys", {
    ...forOwners,
    proof: "none",
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        isOffered: kit.flag({
          description: "Whether passkeys can be added and used; they need a host name and https in `APP_URL`",
        }),
        suggestedName: kit.text({ description: "For a new one: this browser in words" }),
        passkeys: kit.list(passkey(kit)),
      }),
    }),
    names: { "200.data.passkeys[]": "Passkey" },
    summary: "List own passkeys",
    description: "The oldest comes first.",
  }),
  begin: operation("POST /api/account/passkeys/ceremony", {
    ...forOwners,
    proof: "factor",
    changes: true,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object(kit.newPasskeyRequest.properties),
    }),
    errors: ["CONFLICT", "RATE_LIMITED"],
    summary: "Begin to add a passkey",
    description:
      "Answers a challenge, which is valid for five minutes and once. Pass `options` to the browser, and send what it makes to `/api/account/passkeys`. 409 where `APP_URL` allows no passkeys, or for an account that has the maximum number.",
  }),
  add: operation("POST /api/account/passkeys", {
    ...forOwners,
    proof: "none",
    changes: true,
    responds: "data",
    status: 201,
    schemas: (kit) => ({
      body: kit.exact({ ...kit.passkeyAnswer.properties, name: name(kit) }),
      answer: kit.object({
        passkey: passkey(kit),
        recoveryCodes: kit.nullable(kit.list(kit.text()), {
          description:
            "Ten new ones with the first second factor of the account, shown only now; otherwise `null`",
        }),
      }),
    }),
    errors: ["BUSY", "PASSKEY_REFUSED", "CONFLICT"],
    summary: "Add a passkey",
    description:
      "From now on it signs in on its own, and passwords and providers need a second factor: it or another one. An email confirms it.",
    example: { ceremony: sampleId, name: "Firefox on Linux", response: {} },
  }),
  rename: operation("PATCH /api/account/passkeys/:id", {
    ...forOwners,
    proof: "none",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit), body: kit.exact({ name: name(kit) }) }),
    errors: ["BUSY", "NOT_FOUND"],
    summary: "Rename an own passkey",
    description: "Spaces around the name are removed.",
    example: { id: sampleId, name: "Laptop" },
    probe: { params: { id: "none" }, body: { name: "Laptop" }, status: 404 },
  }),
  remove: operation("DELETE /api/account/passkeys/:id", {
    ...forOwners,
    proof: "factor",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit) }),
    errors: ["NOT_FOUND", "LAST_SECOND_FACTOR", "LAST_SIGN_IN_METHOD"],
    summary: "Remove an own passkey",
    description:
      "An email confirms it. With the last second factor of the account, its recovery codes are deleted, too.",
    example: { id: sampleId },
  }),
};

export type OwnPasskeys = AnswerOf<typeof passkeysContract.list>;
export type OwnPasskey = OwnPasskeys["passkeys"][number];
export type AddPasskeyInput = InputOf<typeof passkeysContract.add>;
export type RenamePasskeyInput = InputOf<typeof passkeysContract.rename>;
export type AddedPasskey = AnswerOf<typeof passkeysContract.add>;
