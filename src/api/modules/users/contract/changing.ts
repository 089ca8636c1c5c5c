import type { Kit } from "#api/modules/kit.ts";
import { operation } from "#contract/operation.ts";
import { roles } from "#contract/users.ts";
import {
  forReading,
  one,
  registrationArgument,
  role,
  sampleEmail,
  sampleId,
  userArgument,
} from "./reading.ts";

const forChanging = { ...forReading, proof: "recent", changes: true, responds: "message" } as const;

/** A user and whether they are shut out. */
const accountState = (kit: Kit) => kit.object({ ...kit.user.properties, disabled: kit.flag() });

const newPersonOptions = [
  { name: "email", value: "address", required: true, summary: "email address to sign in with" },
  { name: "name", value: "name", required: true, summary: "the user's name" },
] as const;
const passwordOption = {
  name: "password-stdin",
  type: "boolean",
  summary: "read the password from standard input instead of asking for it",
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
    errors: ["BUSY", "CONFLICT"],
    summary: "Add a user",
    description: "The user counts as verified and can sign in immediately.",
    would: ({ data: { name, email, role: given } }) =>
      `Would create ${name} <${email}> with the role ${given}`,
    example: { name: "Ada Example", email: sampleEmail, password: "a password of hers", role: "user" },
    commands: [
      {
        name: "create",
        summary: "create a user",
        description:
          "Creates a user who can sign in immediately, without verifying their email address. Asks for the password twice without showing it, or reads it from standard input. To set up an installation, run: atrium admin create.",
        options: [
          ...newPersonOptions,
          {
            ...{ name: "role", value: "role", values: roles, initial: "user" },
            summary: "the user's role",
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
          "Creates an administrator who can sign in immediately. Asks for the password twice without showing it, or reads it from standard input. It is never part of the command line, where other users and the shell's history could see it.",
        options: [...newPersonOptions, passwordOption],
        fixed: { role: "admin" },
        begins: `Would set up an installation with the administrator ${called}`,
        message: `Created the administrator ${called}`,
        examples: [
          {
            summary: "Ask for the password",
            typed: "atrium admin create --email ada@example.com --name 'Ada Lovelace'",
          },
          {
            summary: "Read the password from a file, for scripts",
            typed: "atrium admin create --email ada@example.com --name Ada --password-stdin < password.txt",
          },
          {
            summary: "On a remote server",
            typed:
              "atrium admin create --url https://atrium.example --token-file token.txt --email ada@example.com --name Ada",
          },
        ],
      },
    ],
  }),
  setRole: operation("PUT /api/admin/users/:user/role", {
    ...forChanging,
    proof: "factor",
    tokens: false,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({ role: role(kit) }),
      answer: accountState(kit),
    }),
    names: { "200": "DoneWithMember" },
    errors: ["BUSY", "NOT_FOUND", "LAST_ADMIN"],
    summary: "Set a user's role",
    description:
      "A user whose role changes is signed out everywhere. The last administrator can't be demoted.",
    would: ({ data: { name, email, role: given } }) =>
      `Would give ${name} <${email}> the role ${given}, and sign them out everywhere`,
    example: { user: sampleEmail, role: "admin" },
    commands: [
      {
        name: "set-role",
        action: "Change a role",
        summary: "make a user an administrator, or an administrator a user",
        description:
          "Sets a user's role and signs them out everywhere. The last administrator can't be demoted.",
        arguments: [...userArgument, { name: "role", values: roles, summary: "the new role" }],
        message: `${called} has the role {role}`,
        examples: [
          {
            summary: "Make someone an administrator",
            typed: "atrium user set-role ada@example.com admin",
          },
          { summary: "Make them a user again", typed: "atrium user set-role ada@example.com user" },
        ],
      },
    ],
  }),
  disable: operation("POST /api/admin/users/:user/disable", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: accountState(kit) }),
    errors: ["NOT_FOUND", "LAST_ADMIN"],
    summary: "Disable a user",
    description:
      "Ends all of the user's sessions and refuses every sign-in until the account is enabled again.",
    would: ({ data: { name, email } }) => `Would disable ${name} <${email}> and end all their sessions`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "disable",
        summary: "disable a user",
        description:
          "Disables a user: ends all their sessions and refuses every sign-in until they are enabled again. Asks for confirmation.",
        arguments: userArgument,
        asks: { reads: "get" },
        message: `Disabled ${called}`,
        examples: [
          { summary: "With confirmation", typed: "atrium user disable ada@example.com" },
          { summary: "In a script", typed: "atrium user disable ada@example.com --yes" },
        ],
      },
    ],
    tool: {
      name: "disable_user",
      title: "Disable a user",
      description:
        "Signs the user out everywhere and refuses every sign-in until enable_user. Their data is kept.",
      isDestructive: true,
    },
  }),
  enable: operation("POST /api/admin/users/:user/enable", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: accountState(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Enable a disabled user",
    description:
      "The user can sign in again; sessions that ended when the account was disabled stay ended. If the account is already enabled, nothing changes and nothing is recorded. API tokens can't change an administrator's account.",
    would: ({ data: { name, email } }) => `Would enable ${name} <${email}>`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "enable",
        action: "Enable a user",
        summary: "enable a disabled user",
        description: "Enables a disabled user, who can then sign in as before.",
        arguments: userArgument,
        message: `Enabled ${called}`,
        examples: [{ summary: "By email address", typed: "atrium user enable ada@example.com" }],
      },
    ],
    tool: {
      name: "enable_user",
      title: "Enable a user",
      description: "Lets a disabled user sign in again.",
    },
  }),
  verifyPending: operation("POST /api/admin/pending-users/:user/verify", {
    ...forChanging,
    proof: "factor",
    tokens: false,
    schemas: (kit) => ({ params: one(kit), answer: kit.user }),
    errors: ["NOT_FOUND", "CONFLICT"],
    summary: "Verify a registration manually",
    description:
      "Creates the account without a password, and emails a link to choose one: no one has proved whose password was registered. An id selects that registration; an email address works if it has only one. The other registrations of the address are removed. If there are several, choose one by its id: any of them may have been made by a stranger.",
    would: ({ data: { name, email } }) => `Would create the account that ${name} <${email}> registered`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "verify",
        action: "Verify a registration",
        summary: "verify a registration manually",
        description:
          "Creates the account without waiting for the link in the verification email to be followed, and emails a link to choose a password; the one that was registered doesn't count. Takes a registration's id, or an email address that has only one registration.",
        arguments: registrationArgument,
        message: `Verified ${called}; a link to choose a password was emailed to them`,
        examples: [
          {
            summary: "The only registration of an email address",
            typed: "atrium user verify ada@example.com",
          },
          { summary: "One of several registrations, by its id", typed: `atrium user verify ${sampleId}` },
        ],
      },
    ],
  }),
  sendReset: operation("POST /api/admin/users/:user/send-reset", {
    ...forChanging,
    schemas: (kit) => ({ params: one(kit), answer: kit.object({ email: kit.text() }) }),
    errors: ["NOT_FOUND", "CONFLICT"],
    summary: "Email a user a link to choose a new password",
    description: "The current password works until the link is used.",
    would: ({ data: { email } }) => `Would email ${email} a link to choose a new password`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "send-reset",
        action: "Send a password reset email",
        summary: "email a user a link to choose a new password",
        description:
          "Emails the user a link to choose a new password. The link expires after an hour, and older links stop working. The current password works until the link is used.",
        arguments: userArgument,
        examples: [{ summary: "By email address", typed: "atrium user send-reset ada@example.com" }],
      },
    ],
  }),
  signOut: operation("DELETE /api/admin/users/:user/sessions", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({ params: one(kit), answer: kit.object({ ended: kit.integer() }) }),
    errors: ["NOT_FOUND"],
    summary: "Sign a user out everywhere",
    description:
      "They have to sign in again in every browser, with their current password; `ended` is the number of sessions. Recorded in the activity log, unless there were none. API tokens can't change an administrator's account.",
    would: ({ data: { ended }, description }) =>
      `Would end ${ended} open ${ended === 1 ? "session" : "sessions"} of ${description}`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "end-sessions",
        summary: "sign a user out everywhere",
        description: "Ends all of a user's sessions. The user can sign in again.",
        arguments: userArgument,
        examples: [{ summary: "By email address", typed: "atrium user end-sessions ada@example.com" }],
      },
    ],
  }),
  setPassword: operation("PUT /api/admin/users/:user/password", {
    ...forChanging,
    access: "operator",
    proof: "none",
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({ password: kit.newPassword }),
      answer: accountState(kit),
    }),
    errors: ["BUSY", "NOT_FOUND"],
    summary: "Set a user's password",
    description:
      "For the operator, over the control socket only; administrators send a reset link. The user is signed out everywhere, reset links expire, and an email tells them. A second factor stays.",
    would: ({ data: { name, email } }) =>
      `Would set the password of ${name} <${email}>, and sign them out everywhere`,
    example: { user: sampleEmail, password: "another password of hers" },
    commands: [
      {
        name: "set-password",
        summary: "set the password of a user who can't get emails",
        description:
          "Gives a user another password, signs them out everywhere and emails them; a second factor stays. Asks for the password twice without showing it, or reads it from standard input. Only on the server itself. Where the user gets emails, run: atrium user send-reset.",
        arguments: userArgument,
        options: [passwordOption],
        message: `Set the password of ${called}`,
        examples: [
          { summary: "Ask for the password", typed: "atrium user set-password ada@example.com" },
          {
            summary: "In a script",
            typed: "atrium user set-password ada@example.com --password-stdin < password.txt",
          },
        ],
      },
    ],
  }),
  resetSecondFactor: operation("POST /api/admin/users/:user/second-factor/reset", {
    ...forChanging,
    proof: "factor",
    tokens: false,
    schemas: (kit) => ({
      params: one(kit),
      query: kit.exact({
        keepPasskeys: kit.optional(kit.choice(["true", "false"], { error: "Please give true or false" })),
      }),
      answer: accountState(kit),
    }),
    errors: ["NOT_FOUND", "CONFLICT"],
    summary: "Reset a user's second factor",
    description:
      "For users who lost it: removes their authenticator app, passkeys and recovery codes, signs them out everywhere, and emails them. Without a passkey that stays, their password is then enough to sign in. 409 for a user who has none of it.",
    would: ({ data: { name, email } }) =>
      `Would remove the second factor of ${name} <${email}>, and sign them out everywhere`,
    example: { user: sampleEmail, keepPasskeys: "false" },
    commands: [
      {
        name: "reset-second-factor",
        action: "Reset a second factor",
        summary: "remove the second factor of someone who lost it",
        description:
          "Removes an account's authenticator app, passkeys and recovery codes, signs its owner out everywhere, and emails them. Without " +
          "a passkey that stays, their password is then enough to sign in. Make sure that it's really them who asks. Asks first.",
        arguments: userArgument,
        options: [
          {
            ...{ name: "keep-passkeys", field: "keepPasskeys", type: "boolean" },
            summary: "keep the passkeys, for someone who only lost the app",
          },
        ],
        asks: { question: `Remove the second factor of ${called}?`, reads: "get" },
        message: `Removed the second factor of ${called}`,
        examples: [
          { summary: "Ask first", typed: "atrium user reset-second-factor ada@example.com" },
          { summary: "In a script", typed: `atrium user reset-second-factor ${sampleId} --yes` },
          {
            summary: "Only the app and the recovery codes",
            typed: "atrium user reset-second-factor ada@example.com --keep-passkeys",
          },
        ],
      },
    ],
  }),
  remove: operation("DELETE /api/admin/users/:user", {
    ...forChanging,
    schemas: (kit) => ({ params: one(kit), answer: kit.user }),
    errors: ["NOT_FOUND", "LAST_ADMIN"],
    summary: "Delete a user permanently",
    description: "Deletes the account with its sessions and sign-in methods. This can't be undone.",
    would: ({ data: { name, email } }) => `Would delete ${name} <${email}> permanently`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "delete",
        action: "Delete a user",
        summary: "delete a user permanently",
        description:
          "Deletes a user with their sessions and sign-in methods. This can't be undone. Asks for confirmation.",
        arguments: userArgument,
        asks: { question: `Delete ${called} permanently?`, reads: "get" },
        message: `Deleted ${called}`,
        examples: [
          { summary: "With confirmation", typed: "atrium user delete ada@example.com" },
          { summary: "In a script", typed: `atrium user delete ${sampleId} --yes` },
        ],
      },
    ],
    tool: {
      name: "delete_user",
      title: "Delete a user",
      description: "Deletes the user and everything that belongs to them. This can't be undone.",
      confirms: "user",
      isDestructive: true,
    },
  }),
  removePending: operation("DELETE /api/admin/pending-users/:user", {
    ...forChanging,
    proof: "none",
    schemas: (kit) => ({ params: one(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Remove all registrations of an email address",
    description:
      "Named by the email address, or by the id of one of its registrations: all of them are removed, and the links in their emails stop working. 404 if there are none. Recorded in the activity log.",
    would: ({ description }) => `Would remove all registrations of ${description}`,
    example: { user: sampleEmail },
    commands: [
      {
        name: "remove-pending",
        action: "Remove registrations",
        summary: "remove the registrations of an email address",
        description:
          "Removes every unverified registration of an email address: the links in their emails stop working, and the address can be registered again. Asks for confirmation.",
        arguments: registrationArgument,
        asks: { question: "Remove all registrations of {user}?" },
        message: "{message}",
        examples: [
          { summary: "With confirmation", typed: "atrium user remove-pending ada@example.com" },
          { summary: "In a script", typed: "atrium user remove-pending ada@example.com --yes" },
        ],
      },
    ],
  }),
};
