import { describe, expect, spyOn, test } from "bun:test";
import { authTexts, tooManyAttempts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { accountAnswers, anAccount, people } from "#ui/testing/answers.ts";
import { noAnswer, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answer } from "#ui/testing/scripted-api.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();

const route = "POST /api/auth/login";

const signIn = async (answer: Answer, query = "") => {
  const page = await open(`/login${query}`, { answers: { ...accountAnswers(), [route]: answer } });
  await page.fill("Email", "grace@example.test");
  await page.fill("Password", "whatever it is");
  await page.press("Sign In");
  return page;
};
const from = (address: string) => `?from=${encodeURIComponent(address)}`;

describe("where signing in leads", () => {
  for (const address of ["/about", "/contact?subject=Sales"]) {
    test(`${address} is where the user wanted to go`, async () => {
      const page = await signIn({ user: people.user }, from(address));
      await page.isAt(address);
      expect(page.calls(route).map(({ body }) => body)).toEqual([
        { email: "grace@example.test", password: "whatever it is" },
      ]);
    });
  }

  test("the documentation, which is no page of the application, is loaded", async () => {
    const replace = spyOn(location, "replace").mockImplementation(() => {});
    const page = await signIn({ user: people.user }, from("/docs/cli?a=b"));
    await page.until(() => expect(replace.mock.calls).toEqual([["/docs/cli?a=b"]]));
    replace.mockRestore();
  });

  const foreign = [
    "//evil.example",
    "///evil.example/admin",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https://evil.example/",
    "http:\\\\evil.example",
    "javascript:alert(document.domain)",
    "data:text/html,<h1>evil</h1>",
    " //evil.example",
    "evil.example",
    "@evil.example",
    "/login?from=//evil.example",
    "",
  ];
  for (const address of foreign) {
    test(`${JSON.stringify(address)} leads to the dashboard`, async () => {
      const page = await signIn({ user: people.user }, from(address));
      await page.isAt("/dashboard");
      expect(location.host).toBe("localhost");
    });
  }

  test("a user who is already signed in is redirected immediately", async () => {
    const page = await open("/login?from=//evil.example", { as: "user", answers: accountAnswers() });
    await page.isAt("/dashboard");
  });
});

describe("a refused sign-in", () => {
  const byCallLimit = { ratelimit: '"core";r=0;t=200', "retry-after": "200" };
  const tooOften = (message: string, headers: Record<string, string>) =>
    Response.json({ success: false, code: "RATE_LIMITED", message }, { status: 429, headers });

  test("after too many requests says how long to wait, and not to set a new password", async () => {
    const page = await signIn(tooOften("Slower, please", byCallLimit));
    const alert = await page.findByRole("alert");
    expect(alert.textContent).toBe("Slower, please. Please try again in 4 minutes.");
    expect(page.has(texts.waitResetLink)).toBe(false);
  });

  for (const message of [tooManyAttempts(200), authTexts.signInNeedsReset]) {
    test(`with "${message}" leads to a new password, with the address`, async () => {
      const page = await signIn(tooOften(message, { ratelimit: '"core";r=40;t=700', "retry-after": "200" }));
      await page.shows(message);
      await page.click(page.getByRole("link", { name: texts.waitResetLink }));
      await page.isAt("/forgot-password");
      await page.shows(texts.forgotLead);
      expect(page.value("Email")).toBe("grace@example.test");
    });
  }

  test("before the address is verified says so, and leads to another email, with the address filled in", async () => {
    const message = authTexts.verifyFirst;
    const page = await signIn(refusal("EMAIL_NOT_VERIFIED", message, { needsVerification: true }));
    await page.shows(message);
    expect(page.value("Email")).toBe("grace@example.test");
    await page.click(page.getByRole("link", { name: texts.verifyPromptLink }));
    await page.isAt("/verify");
    await page.shows(texts.verifyLead);
    expect(page.value("Email Address")).toBe("grace@example.test");
  });

  test("leads back to the field that was left, where Enter tries again", async () => {
    const page = await open("/login", {
      answers: { ...accountAnswers(), [route]: refusal("INVALID_CREDENTIALS") },
    });
    await page.click(page.getByLabelText("Email"));
    await page.keys("{Enter}");
    await page.focusIsAt(page.getByLabelText("Email"));
    await page.keys("grace@example.test{Tab}wrong{Enter}");
    await page.shows(errorTexts.INVALID_CREDENTIALS);
    await page.focusIsAt(page.getByLabelText("Password"));
    page.answer({ [route]: { user: people.user } });
    await page.keys("{Enter}");
    await page.isAt("/dashboard");
  });
});

describe("the sign-in page", () => {
  test("takes what was typed as an address along to the page of forgotten passwords", async () => {
    const page = await open("/login");
    await page.fill("Email", "grace@example.test");
    await page.click(page.getByRole("link", { name: texts.forgotLink }));
    await page.shows(texts.forgotLead);
    expect(page.value("Email")).toBe("grace@example.test");
  });

  for (const path of ["/login", "/dashboard"]) {
    test(`tells who comes by ${path} of no sign-out`, async () => {
      const page = await open(path);
      await page.findByRole("button", { name: "Sign In" });
      expect(page.has(texts.wasSignedOut.ended)).toBe(false);
    });
  }

  test("tells a user who was signed out in the middle of work, shows no data, and leads back", async () => {
    const page = await open("/account", { as: "user", answers: accountAnswers() });
    await page.findByText("Save name");
    page.answer({ "PUT /api/account/name": refusal("NOT_SIGNED_IN") });
    await page.fill("Full Name", "Another");
    await page.keys("{Enter}");
    await page.isAt("/login?from=%2Faccount");
    await page.shows(texts.wasSignedOut.ended);
    expect(document.body.textContent).not.toContain(people.user.email);
    page.answer({ [route]: { user: people.user } });
    await page.fill("Email", "grace@example.test");
    await page.fill("Password", "whatever it is");
    await page.press("Sign In");
    await page.isAt("/account");
  });
});

describe("the buttons of providers", () => {
  const known = (google: boolean, github: boolean) => ({
    data: {
      ...{ google, github, registration: { policy: "open" as const, notice: null } },
      providers: [
        ...(google ? [{ id: "google", label: "Google", kind: "google" as const }] : []),
        ...(github ? [{ id: "github", label: "GitHub", kind: "github" as const }] : []),
        { id: "acme", label: "Acme", kind: "oidc" as const },
      ],
    },
  });
  const providers = "GET /api/auth/providers";

  test("are a link where the provider is set up, and disabled with the reason where not; all pages ask once", async () => {
    const page = await open(`/login${from("/admin/users?page=2")}`, {
      answers: { [providers]: known(true, false) },
    });
    const google = await page.findByRole("link", { name: "Google" });
    expect(google.getAttribute("href")).toBe("/api/auth/google?returnTo=%2Fadmin%2Fusers%3Fpage%3D2");
    const acme = await page.findByRole("link", { name: "Acme" });
    expect(acme.getAttribute("href")).toBe("/api/auth/acme?returnTo=%2Fadmin%2Fusers%3Fpage%3D2");
    const github = page.getByRole<HTMLButtonElement>("button", { name: "GitHub" });
    expect(github.disabled).toBe(true);
    const reason = await page.shows("GitHub sign-in is not configured on this server.");
    expect(github.getAttribute("aria-describedby")).toBe(reason.id);
    await page.click(page.getByRole("link", { name: texts.createAccount }));
    await page.isAt("/register");
    await page.findByRole("link", { name: "Google" });
    expect(page.calls(providers)).toHaveLength(1);
  });

  test("are disabled until the server has answered, stay so when it does not, and can be tried again", async () => {
    const page = await open("/login", { answers: { [providers]: () => new Response("", { status: 500 }) } });
    const isDisabled = () => page.getByRole<HTMLButtonElement>("button", { name: "Google" }).disabled;
    expect(isDisabled()).toBe(true);
    page.getByText(texts.socialUnknown);
    await page.shows(texts.socialFailed);
    expect(isDisabled()).toBe(true);
    page.answer({ [providers]: known(true, true) });
    await page.press(texts.tryAgain);
    await page.findByRole("link", { name: "Google" });
    await page.focusIsAt(page.getByRole("group", { name: texts.socialGroup }));
  });

  test("are asked for again when the server is back", async () => {
    const page = await open("/login", { answers: { [providers]: noAnswer, "GET /api/health": noAnswer } });
    await page.shows(texts.socialFailed);
    page.answer({ [providers]: known(true, true), "GET /api/health": {} });
    await page.passTime(1_000);
    await page.findByRole("link", { name: "GitHub" });
  });
});

test("the sign-in page says that a provider was removed, and what to do instead", async () => {
  const page = await open("/login?error=provider_gone", { answers: { "GET /api/auth/providers": noAnswer } });
  await page.shows(texts.providerGone);
  await page.shows(texts.providerGoneNext);
});

describe("where no one may register", () => {
  const notice = "Registration is by invitation only.";
  const data = { google: false, github: false, providers: [], registration: { policy: "invite", notice } };
  const answers = { "GET /api/auth/providers": { data } };

  test("the sign-in page says why a provider's user has no account", async () => {
    const page = await open("/login?error=registration_closed", { answers });
    await page.shows(texts.noAccountHere);
    await page.shows(notice);
  });

  for (const path of ["/", "/login", "/nowhere"])
    test(`${path} marks all that leads to registration, for the site's style sheet to hide`, async () => {
      const page = await open(path, { answers });
      await page.findByRole("contentinfo");
      const links = [...document.querySelectorAll('a[href="/register"]')];
      expect(links.length).toBeGreaterThan(2);
      expect(links.filter((link) => link.closest("[data-unless=closed]") === null)).toEqual([]);
    });

  test("the register page says so in place of the form", async () => {
    const page = await open("/register", { answers });
    await page.shows(notice);
    expect(page.offers("button", texts.createAccount)).toBe(false);
    expect(page.offers("link", texts.signIn)).toBe(true);
  });
});

for (const who of ["admin", "user"] as const) {
  test(`the dashboard of the ${who} leads to the admin area only for admins`, async () => {
    const page = await open("/dashboard", {
      as: who,
      answers: accountAnswers(anAccount({ user: people[who] })),
    });
    await page.findByRole("link", { name: /^Sessions/ });
    const isOffered = page.queryByRole("link", { name: "Open the admin area" }) !== null;
    expect(isOffered).toBe(who === "admin");
  });
}
