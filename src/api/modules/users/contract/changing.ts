import type { Kit } from "#api/modules/kit.ts";
import { operation } from "#contract/operation.ts";
import { roles } from "#contract/users.ts";
import {
  aboutNobody,
  forReading,
  one,
  refusals,
  registrationArgument,
  role,
  sampleEmail,
  sampleId,
  userArgument,
} from "./reading.ts";

const forChanging = { ...forReading, proof: "recent", changes: true, responds: "message" } as const;
const writing = [...refusals, "CROSS_ORIGIN", "STORAGE_FULL"] as const;
const withBody = [
  "BAD_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
  "BUSY",
] as const;

/** A user and whether they are shut out. */
const accountState = (kit: Kit) => kit.object({ ...kit.user.properties, disabled: kit.flag() });

const newPersonOptions = [
  { name: "email", value: "address", required: true, summary: "e-mail address to sign in with" },
  { name: "name", value: "name", required: true, summary: "the person's name" },
] as const;
const passwordOption = {
  name: "password-stdin",
  type: "boolean",
  summary: "read the password from standard input instead of asking",
} as const;
const called = "{name} <{email}>";

/** What admins can do about them. */
export const changing = {
  create: operation("POST /api/admin/users", {
    ...forChanging,
    status: 201,
    schemas: (kit) => ({
      body: kit.exact({ name: kit.name, email: kit.email, password: kit.newPassword, role: role(kit) }),
      answer: kit.user,
    }),
    names: { "201": "DoneWithAccount" },
    errors: [...writing, ...withBody, "CONFLICT"],
    summary: "Add a user",
    description: "The user counts as verified and may sign in at once.",
    would: ({ data: { name, email, role: given } }) =>
      `Would create ${name} <${email}> with the role ${given}`,
    example: { name: "Ada Example", email: sampleEmail, password: "a password of hers", role: "user" },
    probe: { body: {}, status: 422 },
    commands: [
      {
        name: "create",
        action: "Create an account",
        summary: "create an account",
        description:
          "Creates an account whose owner may sign in at once, without verifying the address. The password is asked for twice " +
          "without showing it, or read from standard input. An installation is begun with: atrium admin create.",
        options: [
          ...newPersonOptions,
          {
            ...{ name: "role", value: "role", values: roles, initial: "user" },
            summary: "what the account may do",
          },
          passwordOption,
        ],
        message: `Created ${called} with the role {role}`,
        examples: [
          {
            summary: "Ask for the password",
            typed: "atrium user create --email bob@example.com --name Bob",
          },
          {
            summary: "In a script",
            typed: "atrium user create --email bob@example.com --name Bob --password-stdin < password.txt",
          },
        ],
      },
      {
        group: "admin",
        name: "create",
        summary: "create an administrator",
        description:
          "Creates an administrator who may sign in at once. The password is asked for twice without showing it, or read " +
          "from standard input; it never stands in the command line, where other users and the shell's history see it.",
        options: [...newPersonOptions, passwordOption],
        fixed: { role: "admin" },
        begins: `Would make an installation and the administrator ${called}`,
        message: `Created the administrator ${called}`,
        examples: [
          {
            summary: "Ask for the password",
            typed: "atrium admin create --email ada@example.com --name 'Ada Lovelace'",
          },
          {
            summary: "Take the password from a file, for scripts",
            typed: "atrium admin create --email ada@example.com --name Ada --password-stdin < password.txt",
          },
          {
            summary: "On a server elsewhere",
            typed:
              "atrium admin create --url https://atrium.example --token-file token.txt --email ada@example.com --name Ada",
          },
        ],
      },
    ],
  }),
  setRole: operation("PUT /api/admin/users/:user/role", {
    ...forChanging,
    tokens: false,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({ role: role(kit) }),
      answer: accountState(kit),
    }),
    names: { "200": "DoneWithMember" },
    errors: [...writing, ...withBody, "NOT_FOUND", "LAST_ADMIN"],
    summary: "Set a user's role",
    description: "A user whose role changes is signed out everywhere. The last administrator stays one.",
    would: ({ data: { name, email, role: given } }) =>
      `Would give ${name} <${email}> the role ${given}, and sign them out everywhere`,
    example: { user: sampleEmail, role: "admin" },
    probe: { params: { user: "none" }, body: {}, status: 422 },
    commands: [
      {
        name: "set-role",
        action: "Change a role",
        summary: "make somebody an administrator, or a user again",
        description:
          "Sets an account's role. Whose role changes is signed out everywhere. The last administrator stays one.",
        arguments: [...userArgument, { name: "role", values: roles, summary: "the new role" }],
        message: `${called} has the role {role}`,
        examples: [
          {
            summary: "Make somebody an administrator",
            typed: "atrium user set-role ada@example.com admin",
          },
          { summary: "Take it back", typed: "atrium user set-role ada@example.com user" },
        ],
      },
    ],
  }),
  disable: operation("POST /api/admin/users/:user/disable", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: accountState(kit) }),
    errors: [...writing, "NOT_FOUND", "LAST_ADMIN"],
    summary: "Disable a user",
    description: "Ends all sessions and refuses every sign-in until the account is enabled.",
    would: ({ data: { name, email } }) => `Would disable ${name} <${email}> and end all their sessions`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "disable",
        action: "Disable an account",
        summary: "shut somebody out",
        description:
          "Disables an account: all its sessions end, and nobody signs in to it until it is enabled. Asks first.",
        arguments: userArgument,
        asks: { reads: "get" },
        message: `Disabled ${called}`,
        examples: [
          { summary: "Ask first", typed: "atrium user disable ada@example.com" },
          { summary: "In a script", typed: "atrium user disable ada@example.com --yes" },
        ],
      },
    ],
    tool: {
      name: "disable_user",
      title: "Disable a user",
      description:
        "Signs somebody out everywhere and keeps them out until enable_user. What they have stays.",
      isDestructive: true,
    },
  }),
  enable: operation("POST /api/admin/users/:user/enable", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: accountState(kit) }),
    errors: [...writing, "NOT_FOUND"],
    summary: "Enable a disabled user",
    description:
      "They may sign in again; the sessions that ended when they were disabled stay ended. Somebody who is enabled " +
      "already stays so, and nothing is recorded. No API token may change an administrator's account.",
    would: ({ data: { name, email } }) => `Would enable ${name} <${email}>`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "enable",
        action: "Enable an account",
        summary: "let somebody in again",
        description: "Enables a disabled account: its owner can sign in again as before.",
        arguments: userArgument,
        message: `Enabled ${called}`,
        examples: [{ summary: "By address", typed: "atrium user enable ada@example.com" }],
      },
    ],
    tool: {
      name: "enable_user",
      title: "Enable a user",
      description: "Lets a disabled person in again.",
    },
  }),
  verifyPending: operation("POST /api/admin/pending-users/:user/verify", {
    ...forChanging,
    tokens: false,
    schemas: (kit) => ({ params: one(kit), answer: kit.user }),
    errors: [...writing, "NOT_FOUND", "CONFLICT"],
    summary: "Verify a registration by hand",
    description:
      "An id means that very registration, an address its only one; the address's others end. Of several one " +
      "is chosen by its id: any of them may be a stranger's.",
    would: ({ data: { name, email } }) => `Would make an account of the registration of ${name} <${email}>`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "verify",
        action: "Verify a registration",
        summary: "verify a registration by hand",
        description:
          "Makes an account of a registration as if its mailed link had been followed: of the only one of an address, or of " +
          "the very one with that id. Where several of an address wait, only an id will do. Be sure that the registration " +
          "is theirs: whoever made it signs in with its password.",
        arguments: registrationArgument,
        message: `Verified ${called}; they can sign in now`,
        examples: [
          {
            summary: "The only registration of an address",
            typed: "atrium user verify ada@example.com",
          },
          { summary: "One registration, by its id", typed: `atrium user verify ${sampleId}` },
        ],
      },
    ],
  }),
  sendReset: operation("POST /api/admin/users/:user/send-reset", {
    ...forChanging,
    schemas: (kit) => ({ params: one(kit), answer: kit.object({ email: kit.text() }) }),
    errors: [...writing, "NOT_FOUND", "CONFLICT"],
    summary: "Mail a user a link to choose a new password",
    description: "The password that they have works until the link is followed.",
    would: ({ data: { email } }) => `Would email ${email} a link to choose a new password`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "send-reset",
        action: "Mail a link for a new password",
        summary: "mail somebody a link to choose a new password",
        description:
          "Mails the account's address a link to choose a new password, good for an hour; older links end. The password " +
          "that they have works until the link is followed.",
        arguments: userArgument,
        examples: [{ summary: "By address", typed: "atrium user send-reset ada@example.com" }],
      },
    ],
  }),
  signOut: operation("DELETE /api/admin/users/:user/sessions", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: kit.object({ ended: kit.integer() }) }),
    errors: [...writing, "NOT_FOUND"],
    summary: "Sign a user out everywhere",
    description:
      "They have to sign in again in every browser, with the password that they have; `ended` is how many sessions " +
      "those were. The activity log records it, unless there were none. No API token may change an administrator's " +
      "account.",
    would: ({ data: { ended }, description }) =>
      `Would end ${ended} open ${ended === 1 ? "session" : "sessions"} of ${description}`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "end-sessions",
        action: "Sign somebody out everywhere",
        summary: "sign somebody out everywhere",
        description: "Ends every session of an account; its owner can sign in again.",
        arguments: userArgument,
        examples: [{ summary: "By address", typed: "atrium user end-sessions ada@example.com" }],
      },
    ],
  }),
  remove: operation("DELETE /api/admin/users/:user", {
    ...forChanging,
    schemas: (kit) => ({ params: one(kit), answer: kit.user }),
    errors: [...writing, "NOT_FOUND", "LAST_ADMIN"],
    summary: "Delete a user for good",
    description: "With sessions and sign-in methods; nothing brings them back.",
    would: ({ data: { name, email } }) => `Would delete ${name} <${email}> permanently`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "delete",
        action: "Delete an account",
        summary: "delete an account for good",
        description:
          "Deletes an account with its sessions and ways to sign in. Nothing brings it back. Asks first.",
        arguments: userArgument,
        asks: { question: `Delete ${called} for good?`, reads: "get" },
        message: `Deleted ${called}`,
        examples: [
          { summary: "Ask first", typed: "atrium user delete ada@example.com" },
          { summary: "In a script", typed: `atrium user delete ${sampleId} --yes` },
        ],
      },
    ],
    tool: {
      name: "delete_user",
      title: "Delete a user",
      description: "Deletes an account with all that belongs to it. This cannot be taken back.",
      confirms: "user",
      isDestructive: true,
    },
  }),
  removePending: operation("DELETE /api/admin/pending-users/:user", {
    ...forChanging,
    proof: "none",
    schemas: (kit) => ({ params: one(kit) }),
    errors: [...writing, "NOT_FOUND"],
    summary: "Remove all registrations of an address",
    description:
      "Named by the address, or by the id of one of its registrations: all of them end, and the links in their " +
      "mails no longer work. 404 when none waits. Stands in the activity log.",
    would: ({ description }) => `Would remove all registrations of ${description}`,
    example: { user: sampleEmail },
    probe: aboutNobody,
    commands: [
      {
        name: "remove-pending",
        action: "Remove registrations",
        summary: "remove the registrations of an address",
        description:
          "Removes every registration of an address that waits for its verification: their mailed links end, and the address " +
          "can be registered again. Asks first.",
        arguments: registrationArgument,
        asks: { question: "Remove all registrations of {user}?" },
        message: "{message}",
        examples: [
          { summary: "Ask first", typed: "atrium user remove-pending ada@example.com" },
          { summary: "In a script", typed: "atrium user remove-pending ada@example.com --yes" },
        ],
      },
    ],
  }),
};
