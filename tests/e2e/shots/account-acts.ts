import type { Page } from "playwright-core";
import { anAccount } from "#ui/testing/answers.ts";
import type { Act } from "./acts.ts";
import { failure, fill, json, submit } from "./answers.ts";

const dialog = "dialog:modal";
const accountApi = /\/api\/account(?:$|\/)/;
const resetApi = "**/api/auth/reset-password/*";
const newPassword = { "New Password": "a rather fine long password" };
const twice = { ...newPassword, "Confirm New Password": "a rather fine long password" };

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
/** Scrolls a card to the top, so that no control lies half under the page's header. */
const show = (page: Page, name: string) => card(page, name).evaluate((element) => element.scrollIntoView());
const hourMs = 3_600_000;

export const askForReset: Act = async (page, go) => {
  await go();
  await fill(page, { Email: "mira@northwind.example" });
  await submit(page);
  await page.getByText("Password reset instructions have been sent").waitFor();
};

export const resetRefused: Act = async (page, go) => {
  await go();
  await page.getByRole("alert").waitFor();
};

export const resetErrors: Act = async (page, go) => {
  await page.route(resetApi, json(200, { success: true, data: { waysIn: [] } }));
  await go();
  await submit(page);
  await page.getByText("Please enter a password").first().waitFor();
};

export const resetDone: Act = async (page, go) => {
  await page.route(
    resetApi,
    json(200, {
      success: true,
      message: "done",
      data: { email: "mira@northwind.example", waysIn: [], removed: [] },
    }),
  );
  await go();
  await fill(page, twice);
  await submit(page);
  await page.getByText("Password reset successful!").waitFor();
};

export const resetMissing: Act = async (page, go) => {
  await go();
  // What an earlier look at a link left in this tab.
  await page.evaluate(() => sessionStorage.clear());
  await go();
  await page.getByText("No reset token provided").waitFor();
};

export const signInTooOften: Act = async (page, go) => {
  const message = "Too many failed sign-ins. Please try again in 15 minutes.";
  await page.route("**/api/auth/login", failure(429, "RATE_LIMITED", message));
  await go();
  await fill(page, { Email: "mira@northwind.example", Password: "something else" });
  await submit(page);
  await page.getByText(message).waitFor();
};

export const providersReady: Act = async (page, go) => {
  await page.route(
    "**/api/auth/providers",
    json(200, {
      success: true,
      data: {
        google: true,
        github: true,
        providers: [
          { id: "google", label: "Google", kind: "google" },
          { id: "github", label: "GitHub", kind: "github" },
        ],
        registration: { policy: "open", notice: null },
      },
    }),
  );
  await go();
  await page.getByRole("link", { name: "Google" }).scrollIntoViewIfNeeded();
};

export const providersFail: Act = async (page, go) => {
  await page.route("**/api/auth/providers", failure(500, "INTERNAL", "Something went wrong"));
  await go();
  await page.getByRole("button", { name: "Try again" }).scrollIntoViewIfNeeded();
};

export const accountHangs: Act = async (page, go) => {
  await page.route(accountApi, () => {});
  await go();
  await page.locator("[aria-busy=true]").first().waitFor();
  await show(page, "Password");
};

export const accountFails: Act = async (page, go) => {
  await page.route(accountApi, failure(503, "DB_UNAVAILABLE", "The database is restarting."));
  await go();
  await page.getByText("The database is restarting.").waitFor();
};

type Shown = { hasPassword: boolean };

/** Somebody who signs in with GitHub, in many places. */
const withGithub = async (page: Page, go: () => Promise<void>, { hasPassword }: Shown) => {
  await page.route(accountApi, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== "GET") return route.fallback();
    if (pathname.endsWith("/sessions")) return route.fulfill({ json: { success: true, data: { sessions } } });
    if (pathname !== "/api/account") return route.fallback();
    const user = await page.request.get(new URL("/api/auth/user", page.url()).href);
    const providers = {
      google: { label: "Google", configured: true, linked: false },
      github: { label: "GitHub", configured: true, linked: true },
    };
    const data = anAccount({ user: await user.json(), hasPassword, providers });
    return route.fulfill({ json: { success: true, data } });
  });
  await go();
};

const withoutPassword = (page: Page, go: () => Promise<void>) => withGithub(page, go, { hasPassword: false });

const sessions = ["Chrome on macOS", "Firefox on Windows", "A device with a rather long name"].map(
  (device, index) => ({
    id: `session-${index}`,
    isCurrent: index === 0,
    ip: index === 2 ? "2001:db8:85a3:1234:5678:8a2e:370:7334" : `203.0.113.${index + 7}`,
    device,
    createdAt: new Date(Date.now() - (index + 1) * 70 * hourMs).toISOString(),
    lastUsedAt: new Date(Date.now() - index * 50 * hourMs).toISOString(),
  }),
);

export const noPassword: Act = async (page, go) => {
  await withoutPassword(page, go);
  await show(page, "Password");
};

export const manySessions: Act = async (page, go) => {
  await withoutPassword(page, go);
  await page.getByText("Firefox on Windows").waitFor();
};

export const askEndOthers: Act = async (page, go) => {
  await withoutPassword(page, go);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.locator(dialog).waitFor();
};

export const askLink: Act = async (page, go) => {
  await withGithub(page, go, { hasPassword: true });
  await page.getByRole("button", { name: "Link Google", exact: true }).click();
  await page.locator(dialog).waitFor();
};

export const linkWrongly: Act = async (page, go) => {
  await askLink(page, go);
  const errors = [{ path: "password", message: "This is not your current password" }];
  await page.route(
    "**/api/account/connections/google",
    failure(422, "VALIDATION_FAILED", "Please check what you entered", { errors }),
  );
  await page.getByLabel("Your Password").fill("something else");
  await page.getByRole("button", { name: "Continue to Google" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
};

const signInAgain = { wanted: "recent", ways: [] };

export const linkStale: Act = async (page, go) => {
  const message = "Please sign in again first";
  await withoutPassword(page, go);
  await page.route(
    "**/api/account/connections/google",
    failure(403, "REAUTHENTICATION_REQUIRED", message, { data: signInAgain }),
  );
  await page.getByRole("button", { name: "Link Google", exact: true }).click();
  await page.getByRole("button", { name: "Continue to Google" }).click();
  await page.getByRole("button", { name: "Sign in again" }).waitFor();
};

export const linkFailed: Act = async (page, go) => {
  await go();
  await page.getByText("the provider refused").waitFor();
};

export const changePasswordWrongly: Act = async (page, go) => {
  await go();
  await fill(page, { "Current Password": "something else", ...newPassword, "Confirm New Password": "typo" });
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Passwords do not match").waitFor();
  await show(page, "Password");
};

export const passwordChanged: Act = async (page, go) => {
  const message = "Your password was changed, and all other devices were signed out";
  await page.route("**/api/account/password", json(200, { success: true, message }));
  await go();
  await fill(page, { "Current Password": "something else", ...twice });
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText(message).waitFor();
  await show(page, "Password");
};

export const askDelete: Act = async (page, go) => {
  await go();
  await page.getByRole("button", { name: "Delete account…" }).click();
  await page.locator(dialog).waitFor();
};

export const deleteWrongly: Act = async (page, go) => {
  await askDelete(page, go);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
};

export const deleteStale: Act = async (page, go) => {
  const message = "Please sign in again first";
  await withoutPassword(page, go);
  await page.route(accountApi, (route) =>
    route.request().method() === "DELETE"
      ? failure(403, "REAUTHENTICATION_REQUIRED", message, { data: signInAgain })(route)
      : route.fallback(),
  );
  await page.getByRole("button", { name: "Delete account…" }).click();
  await page.getByLabel("Type your email address to confirm").fill("grace@example.test");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("button", { name: "Sign in again" }).waitFor();
};
