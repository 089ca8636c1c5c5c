import { contactTexts } from "#contract/contact-rules.ts";
import { answerUnsure } from "../unsure-page.ts";
import {
  answers,
  asks,
  breaks,
  fills,
  finds,
  hangs,
  isInvalid,
  meets,
  open,
  presses,
  refuses,
  type Scene,
  type Step,
  scenesOn,
  sees,
  selects,
  submits,
  tells,
  types,
} from "./steps.ts";

const email = "mira@northwind.example";
const password = "a rather fine long password";
const account = {
  "Full Name": "Mira Okafor",
  "Email Address": email,
  Password: password,
  "Confirm Password": password,
};

const sendsEmpty = [open, submits, isInvalid];
const signsIn = [fills({ Email: email, Password: "something else" }), submits];
const login = "**/api/auth/login";
const unverified = "Please verify your email before logging in";
const tooOften = "Too many failed sign-ins. Please try again in 15 minutes.";
const providers = {
  google: true,
  github: true,
  providers: [
    { id: "google", label: "Google", kind: "google" },
    { id: "github", label: "GitHub", kind: "github" },
  ],
  registration: { policy: "open", notice: null },
};

const showsLink: Step = (page) => page.getByRole("link", { name: "Google" }).scrollIntoViewIfNeeded();
const showsTryAgain: Step = (page) =>
  page.getByRole("button", { name: "Try again" }).scrollIntoViewIfNeeded();

const resetApi = "**/api/auth/reset-password/*";
// What an earlier look at a link left in this tab.
const forgets: Step = (page) => page.evaluate(() => sessionStorage.clear());

const registered = "Registration successful. Please check your email to verify your account.";
const verifyApi = "**/api/auth/verify-email/*";
const verified = { name: "Mira Okafor", email, resetToken: "any" };
const choosesPassword = [
  refuses(verifyApi, 409, "PASSWORD_WANTED", "Choose a name and a password"),
  open,
  sees("Your email address is confirmed."),
];

const setupApi = "**/api/auth/setup/*";
const isSetUp: Step = (page) =>
  page.route("**/api/auth/setup", async (route) => {
    const user = await page.request.get(new URL("/api/auth/user", page.url()).href);
    return route.fulfill({ status: 201, json: { success: true, message: "ready", user: await user.json() } });
  });

// A pointer on its way there would have the code asked for before, and the page shown while it is asked for again.
const pressesContact: Step = (page) =>
  page
    .getByRole("contentinfo")
    .getByRole("link", { name: "Contact" })
    .first()
    .evaluate((element: HTMLElement) => element.click());

const writes = [
  types("Name", "Mira Okafor"),
  types("Email", email),
  selects("Subject", "Sales"),
  types("Message", "Hello,\n\nis there a price for schools?\n\nKind regards\nMira"),
  presses("Send Message"),
];

/** Opens the page anew: from one of its calls to another, a browser only scrolls. */
const reopens: Step = async (page, go) => {
  await page.goto("about:blank");
  await go();
};
const unfolds = [reopens, finds(".opblock.is-open .responses-table")];
const inCall =
  (button: string): Step =>
  (page) =>
    page.locator(".opblock.is-open").getByRole("button", { name: button }).click();
const authorizes: Step = (page) => page.getByRole("button", { name: "Authorize" }).first().click();

const opensMenu = [open, presses("Open menu"), asks];
const narrow = { maxWidth: 767 };

/** What visitors see, and pages that everyone has in common. */
export const visitorScenes: readonly Scene[] = [
  ...scenesOn("visitor", "/login", {
    "login-errors": sendsEmpty,
    "login-refused": [open, signsIn, meets("alert")],
    "login-unverified": [
      refuses(login, 403, "EMAIL_NOT_VERIFIED", unverified, { needsVerification: true }),
      [open, signsIn, sees(unverified)],
    ],
    "login-locked": [refuses(login, 429, "RATE_LIMITED", tooOften), open, signsIn, sees(tooOften)],
    "login-providers": [tells("**/api/auth/providers", providers), open, showsLink],
    "login-providers-failed": [
      refuses("**/api/auth/providers", 500, "INTERNAL", "Something went wrong"),
      [open, showsTryAgain],
    ],
    "server-away": [open, breaks("**/api/**"), signsIn, sees("The server cannot be reached.")],
  }),
  ...scenesOn("visitor", "/forgot-password", {
    "forgot-errors": sendsEmpty,
    "forgot-sent": [
      [open, fills({ Email: email }), submits],
      sees("Password reset instructions have been sent"),
    ],
  }),
  ...scenesOn("visitor", "/reset-password", {
    "reset-missing": [open, forgets, open, sees("No reset token provided")],
  }),
  ...scenesOn("visitor", "/reset-password?token=none", {
    "reset-errors": [tells(resetApi, { waysIn: [] }), open, submits, sees("Please enter a password")],
    "reset-refused": [open, meets("alert")],
    "reset-done": [
      answers(resetApi, { success: true, message: "done", data: { email, waysIn: [], removed: [] } }),
      open,
      fills({ "New Password": password, "Confirm New Password": password }),
      [submits, sees("Password reset successful!")],
    ],
  }),
  ...scenesOn("visitor", "/register", {
    "register-errors": sendsEmpty,
    "register-filled": [open, fills(account), presses("Show password")],
    "register-done": [
      answers("**/api/auth/register", { success: true, message: registered }, 201),
      [open, fills(account), submits, sees(registered)],
    ],
  }),
  ...scenesOn("visitor", "/verify", {
    "verify-sent": [open, fills({ "Email Address": email }), submits, sees("Verification email sent!")],
  }),
  ...scenesOn("visitor", "/verify-email?token=any", {
    "verify-email-done": [
      answers(verifyApi, { success: true, message: "verified", data: verified }),
      [open, sees("Email verified successfully!")],
    ],
    "verify-email-choose": choosesPassword,
    "verify-email-choose-errors": [choosesPassword, submits, sees("Please enter your name")],
  }),
  ...scenesOn("visitor", "/setup?token=none", {
    "setup-refused": [
      [tells(setupApi, {}), open, fills(account), submits],
      sees("Invalid or expired setup link"),
    ],
  }),
  ...scenesOn("admin", "/setup?token=any", {
    "setup-done": [
      [tells(setupApi, {}), isSetUp, open, fills(account), submits],
      (page) => page.getByLabel("Site name").waitFor(),
    ],
  }),
  // A guarded page whose reader the server could not name, and whose answer does not come.
  ...scenesOn(
    "user",
    "/dashboard",
    {
      gate: [
        (page) => page.route("**/dashboard", answerUnsure),
        [hangs("**/api/auth/user"), open, sees("Initializing system...")],
      ],
    },
    { hasNoHeading: true },
  ),
  ...scenesOn("visitor", "/", {
    "chunk-failed": [
      breaks("**/assets/contact-page-*.js"),
      [open, pressesContact, meets("button", "Try again")],
    ],
  }),
  ...scenesOn(
    "visitor",
    "/swagger#/Backups/putAdminBackupsSchedule",
    { "swagger-call": unfolds },
    { within: ".opblock.is-open" },
  ),
  ...scenesOn("user", "/swagger#/Accounts/getAuthUser", {
    "swagger-tried": [
      [unfolds, inCall("Try it out"), inCall("Execute")],
      finds(".opblock.is-open .live-responses-table"),
    ],
  }),
  ...scenesOn(
    "visitor",
    "/swagger",
    { "swagger-tokens": [reopens, authorizes, finds(".dialog-ux")] },
    { within: ".dialog-ux" },
  ),
  ...scenesOn("visitor", "/swagger", { "swagger-failed": [breaks("**/swagger/json"), reopens] }),
  ...scenesOn("visitor", "/", { drawer: opensMenu }, narrow),
  ...scenesOn("user", "/", { "drawer-signed-in": opensMenu }, narrow),
  ...scenesOn("admin", "/admin", { "admin-drawer": opensMenu }, narrow),
  ...scenesOn("visitor", "/docs/configuration", {
    "docs-search": [
      open,
      (page) => page.keyboard.press("/"),
      (page) => page.keyboard.type("backup"),
      meets("option"),
    ],
  }),
  ...scenesOn("visitor", "/docs", {
    "docs-search-none": [
      open,
      (page) => page.getByRole("combobox").fill("zeppelin"),
      (page) => page.locator("#count", { hasText: "No results" }).waitFor(),
    ],
  }),
  ...scenesOn(
    "visitor",
    "/docs/mail",
    { "docs-chapters": [open, presses("Chapters"), meets("navigation", /^Chapters$/)] },
    narrow,
  ),
  ...scenesOn("visitor", "/contact", {
    "contact-errors": sendsEmpty,
    "contact-sent": [
      answers("**/api/contact", { success: true, message: contactTexts.sent }, 201),
      [open, writes, sees(contactTexts.sent)],
    ],
    "contact-failed": [breaks("**/api/contact"), open, writes, meets("alert", undefined, "main")],
  }),
];
