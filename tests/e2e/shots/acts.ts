import type { Page } from "playwright-core";
import { answerUnsure } from "../unsure-page.ts";
import { failure, fill, json, submit } from "./answers.ts";
import { manyListedUsers } from "./many-users.ts";

/** What somebody does before a picture is taken. `go` opens the scene's page; what is to be stubbed comes before it. */
export type Act = (page: Page, go: () => Promise<void>) => Promise<void>;

const dialog = "dialog:modal";
const password = "a rather fine long password";
const account = {
  "Full Name": "Mira Okafor",
  "Email Address": "mira@northwind.example",
  Password: password,
  "Confirm Password": password,
};

const signIn = async (page: Page) => {
  await fill(page, { Email: "mira@northwind.example", Password: "something else" });
  await submit(page);
};

export const nothing: Act = async (_, go) => go();

export const submitEmpty: Act = async (page, go) => {
  await go();
  await submit(page);
  await page.locator("[aria-invalid=true]").first().waitFor();
};

export const signInWrongly: Act = async (page, go) => {
  await go();
  await signIn(page);
  await page.getByRole("alert").waitFor();
};

export const signInUnverified: Act = async (page, go) => {
  const message = "Please verify your email before logging in";
  await page.route(
    "**/api/auth/login",
    failure(403, "EMAIL_NOT_VERIFIED", message, { needsVerification: true }),
  );
  await go();
  await signIn(page);
  await page.getByText(message).waitFor();
};

export const fillAccount: Act = async (page, go) => {
  await go();
  await fill(page, account);
  await page.getByRole("button", { name: "Show password" }).click();
};

export const registerAccount: Act = async (page, go) => {
  const message = "Registration successful. Please check your email to verify your account.";
  await page.route("**/api/auth/register", json(201, { success: true, message }));
  await go();
  await fill(page, account);
  await submit(page);
  await page.getByText(message).waitFor();
};

export const resendMail: Act = async (page, go) => {
  await go();
  await fill(page, { "Email Address": "mira@northwind.example" });
  await submit(page);
  await page.getByText("Verification email sent!").waitFor();
};

export const verified: Act = async (page, go) => {
  const data = { name: "Mira Okafor", email: "mira@northwind.example", resetToken: "any" };
  await page.route("**/api/auth/verify-email/*", json(200, { success: true, message: "verified", data }));
  await go();
  await page.getByText("Email verified successfully!").waitFor();
};

const passwordWanted = failure(409, "PASSWORD_WANTED", "Choose a name and a password");

export const choosePassword: Act = async (page, go) => {
  await page.route("**/api/auth/verify-email/*", passwordWanted);
  await go();
  await page.getByText("Your email address is confirmed.").waitFor();
};

export const choosePasswordErrors: Act = async (page, go) => {
  await choosePassword(page, go);
  await submit(page);
  await page.getByText("Please enter your name").waitFor();
};

export const setUp: Act = async (page, go) => {
  await page.route("**/api/auth/setup/*", json(200, { success: true, data: {} }));
  await go();
  await fill(page, account);
  await submit(page);
  await page.getByText("Invalid or expired setup link").waitFor();
};

export const setUpDone: Act = async (page, go) => {
  await page.route("**/api/auth/setup/*", json(200, { success: true, data: {} }));
  await page.route("**/api/auth/setup", async (route) => {
    const user = await page.request.get(new URL("/api/auth/user", page.url()).href);
    return route.fulfill({ status: 201, json: { success: true, message: "ready", user: await user.json() } });
  });
  await go();
  await fill(page, account);
  await submit(page);
  await page.getByLabel("Site name").waitFor();
};

/** A guarded page whose reader the server could not name, and whose answer does not come. */
export const gate: Act = async (page, go) => {
  await page.route("**/dashboard", answerUnsure);
  await page.route("**/api/auth/user", () => {});
  await go();
  await page.getByText("Initializing system...").waitFor();
};

export const chunkFails: Act = async (page, go) => {
  await page.route("**/assets/contact-page-*.js", (route) => route.abort());
  await go();
  // A pointer on its way there would have the code asked for before, and the page shown while it is asked for again.
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).first();
  await link.evaluate((element: HTMLElement) => element.click());
  await page.getByRole("button", { name: "Try again" }).waitFor();
};

export const serverAway: Act = async (page, go) => {
  await go();
  await page.route("**/api/**", (route) => route.abort());
  await signIn(page);
  await page.getByText("The server cannot be reached.").waitFor();
};

export const openDrawer: Act = async (page, go) => {
  await go();
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.locator(dialog).waitFor();
};

export const openAvatarMenu: Act = async (page, go) => {
  await go();
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("menu").waitFor();
};

export const askLogout: Act = async (page, go) => {
  await go();
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.locator(dialog).waitFor();
};

export const logoutFails: Act = async (page, go) => {
  await page.route("**/api/auth/logout", failure(503, "DB_UNAVAILABLE", "The database is restarting."));
  await askLogout(page, go);
  await page.locator(dialog).getByRole("button", { name: "Logout" }).click();
  await page.getByText("The database is restarting.").waitFor();
};

export const adminHangs: Act = async (page, go) => {
  await page.route(/\/api\/(admin|system)/, () => {});
  await go();
  await page.locator("[aria-busy=true]").first().waitFor();
};

export const adminFails: Act = async (page, go) => {
  await page.route(/\/api\/(admin|system)/, failure(503, "DB_UNAVAILABLE", "The database is restarting."));
  await go();
  await page.getByText("Access Error").waitFor();
};

export const manyUsers: Act = async (page, go) => {
  await page.route("**/api/admin/users?**", (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return route.fulfill({ json: { success: true, data: manyListedUsers({ limit, offset }) } });
  });
  await go();
  await page.getByRole("row").nth(5).waitFor();
};
