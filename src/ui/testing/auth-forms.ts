import { authTexts } from "#contract/auth-texts.ts";

/** A field of a form: its label, and a value that will do. */
type FormField = { label: string; good: string };

/** A form, how it is sent, and what its fields say of what will not do. */
export type TestForm = {
  name: "login" | "register" | "verify" | "forgot-password" | "setup";
  button: string;
  /** The call that it makes. */
  api: string;
  fields: FormField[];
  bad: [label: string, value: string, text: string][];
  /** What it says when no answer came. */
  offline: string;
};

const password = "a rather fine long password";

const emailsThatWillNotDo = (label: string): TestForm["bad"] => [
  [label, "", authTexts.emailRequired],
  [label, "   ", authTexts.emailRequired],
  [label, "ada", authTexts.emailInvalid],
  [label, "ada@localhost", authTexts.emailInvalid],
  [label, "ada@x.example, eve@x.example", authTexts.emailInvalid],
  [label, "ada\u200b@x.example", authTexts.emailInvalid],
  [label, `${"a".repeat(250)}@x.example`, authTexts.emailTooLong],
];

const accountFields: FormField[] = [
  { label: "Full Name", good: "Ada Example" },
  { label: "Email Address", good: "ada@forms.example" },
  { label: "Password", good: password },
  { label: "Confirm Password", good: password },
];

const badAccounts: TestForm["bad"] = [
  ["Full Name", "", authTexts.nameRequired],
  ["Full Name", "   ", authTexts.nameRequired],
  ["Full Name", "n".repeat(101), authTexts.nameTooLong],
  ["Full Name", "Ada\u202eadA", authTexts.nameUnprintable],
  ["Full Name", "\u3164", authTexts.nameUnprintable],
  ...emailsThatWillNotDo("Email Address"),
  ["Password", "", authTexts.passwordRequired],
  ["Password", "short", authTexts.passwordTooShort],
  ["Password", "p".repeat(129), authTexts.passwordTooLong],
  ["Confirm Password", "", authTexts.passwordsDiffer],
  ["Confirm Password", `${password} `, authTexts.passwordsDiffer],
];

// Only the server knows these, so the passwords must agree before it is asked.
const weakPasswords: TestForm["bad"] = [
  ["Password", "password123", authTexts.passwordCommon],
  ["Password", "ada-example-2", authTexts.passwordPersonal],
];

/** Every form so far. */
export const testForms: TestForm[] = [
  {
    name: "login",
    button: "Sign In",
    api: "/api/auth/login",
    fields: [
      { label: "Email", good: "ada@forms.example" },
      { label: "Password", good: password },
    ],
    bad: [
      ...emailsThatWillNotDo("Email"),
      ["Password", "", authTexts.passwordRequired],
      ["Password", "p".repeat(129), authTexts.passwordTooLong],
    ],
    offline: authTexts.networkFailed,
  },
  {
    name: "register",
    button: "Create Account",
    api: "/api/auth/register",
    fields: accountFields,
    bad: [...badAccounts, ...weakPasswords],
    offline: authTexts.registerFailed,
  },
  {
    name: "verify",
    button: "Send Verification Email",
    api: "/api/auth/resend-verification",
    fields: [{ label: "Email Address", good: "ada@forms.example" }],
    bad: emailsThatWillNotDo("Email Address"),
    offline: authTexts.networkFailed,
  },
  {
    name: "forgot-password",
    button: "Send Reset Instructions",
    api: "/api/auth/forgot-password",
    fields: [{ label: "Email", good: "ada@forms.example" }],
    bad: emailsThatWillNotDo("Email"),
    offline: authTexts.resetMailFailed,
  },
  {
    name: "setup",
    button: "Create administrator account",
    api: "/api/auth/setup",
    fields: accountFields,
    bad: [...badAccounts, ...weakPasswords],
    offline: "The administrator account could not be created",
  },
];
