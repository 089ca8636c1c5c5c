import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hostilePaths } from "#api/testing/hostile-paths.ts";
import { startGithubStub } from "#api/testing/identity/github-stub.ts";
import { startMockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import { addUser } from "../driver/add-user.ts";
import { openPage } from "../driver/browser.ts";
import { browserForFile, peopledForFile } from "../driver/for-file.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { noteLive, openLive } from "./live.ts";

const [google, github] = await Promise.all([startMockOpenId(), startGithubStub()]);
const providers = { google, github };
const {
  server,
  cookies: { admin },
} = await peopledForFile({ env: { ...google.env, ...github.env } });
const browser = await browserForFile();

afterEach(() => {
  for (const provider of Object.values(providers)) {
    provider.fail(null);
    provider.cancel(false);
  }
});

afterAll(() => Promise.all([providers.google.stop(), providers.github.stop()]));

const openWindow = async () => {
  const watched = await openPage(browser, { width: 390, theme: "light", touch: true });
  await noteLive(watched.page);
  return watched;
};

const press = (page: Page, provider: ProviderName) =>
  page.getByRole("main").getByRole("link", { name: providerLabels[provider], exact: true }).click();

const signIn = async (page: Page, provider: ProviderName, path = "/login") => {
  await openLive(page, `${server.url}${path}`);
  await press(page, provider);
};

describe.each([...providerNames])("signing in with %s", (provider) => {
  test("makes an account, shows it, and leaves no cookie of the way there", async () => {
    const person = newMockPerson({ name: "Nia Newcomer" });
    providers[provider].become(person);
    const { page, context, complaints, foreign } = await openWindow();
    await signIn(page, provider);
    await page.waitForURL(`${server.url}/dashboard`);
    await page.getByRole("main").getByText(String(person.email)).first().waitFor();
    const cookies = await context.cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort()).toEqual([
      ["device", true, "Lax"],
      ["sid", true, "Lax"],
    ]);
    expect(complaints).toEqual([]);
    expect(foreign.filter((url) => new URL(url).hostname !== "www.gravatar.com")).toEqual([]);
    await context.close();
  });

  test("lets a member in to the account that the verified address belongs to", async () => {
    const person = newMockPerson();
    const email = String(person.email);
    await addUser(server.url, admin, { name: "Mia Member", email });
    providers[provider].become(person);
    const { page, context } = await openWindow();
    await signIn(page, provider, `/login?from=${encodeURIComponent("/about")}`);
    await page.waitForURL(`${server.url}/about`);
    const user = await (await context.request.get(`${server.url}/api/auth/user`)).json();
    const id = provider === "google" ? "googleId" : "githubId";
    expect(user).toMatchObject({ name: "Mia Member", email, [id]: person.subject });
    await context.close();
  });

  test("that the person breaks off says so on the sign-in page, and works the next time", async () => {
    providers[provider].become(newMockPerson());
    providers[provider].cancel(true);
    const { page, context } = await openWindow();
    await signIn(page, provider);
    await page.waitForURL(`${server.url}/login?error=auth_failed`);
    await page.getByText(authTexts.authFailed).waitFor();
    providers[provider].cancel(false);
    await press(page, provider);
    await page.waitForURL(`${server.url}/dashboard`);
    await context.close();
  });

  test("that the provider spoils says no more than that, and the log why", async () => {
    providers[provider].fail("status-500");
    const { page, context } = await openWindow();
    await signIn(page, provider);
    await page.waitForURL(`${server.url}/login?error=auth_failed`);
    await page.getByText(authTexts.authFailed).waitFor();
    expect(server.output()).toContain("the token endpoint responded with status 500");
    expect(server.output()).not.toMatch(/[?&](?:code|state)=/);
    await context.close();
  });

  test("in one browser opens nothing in another that is sent the same way back", async () => {
    providers[provider].become(newMockPerson());
    const [owner, stranger] = [await openWindow(), await openWindow()];
    const follow = async (url: string) =>
      (await owner.context.request.get(url, { maxRedirects: 0 })).headers().location ?? "";
    const back = await follow(await follow(`${server.url}/api/auth/${provider}`));
    await stranger.page.goto(back);
    await stranger.page.waitForURL(`${server.url}/login?error=auth_failed`);
    expect((await stranger.context.cookies()).map(({ name }) => name)).toEqual([]);
    await owner.page.goto(back);
    await owner.page.waitForURL(`${server.url}/dashboard`);
    await Promise.all([owner.context.close(), stranger.context.close()]);
  });
});

test("O3: whatever a link names to come back to, the browser stays on this site", async () => {
  providers.github.become(newMockPerson());
  const { page, context, foreign } = await openWindow();
  for (const path of hostilePaths.filter((_, at) => at % 4 === 0)) {
    await page.goto(`${server.url}/api/auth/github?returnTo=${encodeURIComponent(path)}`);
    expect([path, page.url()]).toEqual([path, `${server.url}/dashboard`]);
  }
  expect(foreign.filter((url) => url.includes("evil"))).toEqual([]);
  await context.close();
}, 60_000);

describe("a server without providers", () => {
  let bare: ServerProcess;
  beforeAll(async () => {
    bare = await startServer();
  }, 60_000);
  afterAll(async () => {
    await bare.stop();
    removeFolder(bare.dataDir);
  });

  test.each([...providerNames])(
    "shows %s disabled with the reason, and leads who goes there all the same back",
    async (provider) => {
      const { page, context } = await openWindow();
      await openLive(page, `${bare.url}/login`);
      const main = page.getByRole("main");
      const button = main.getByRole("button", { name: providerLabels[provider], exact: true });
      expect(await button.isDisabled()).toBe(true);
      const reason = page.locator(`[id="${await button.getAttribute("aria-describedby")}"]`);
      await reason.getByText(/not configured on this server/).waitFor();
      await page.goto(`${bare.url}/api/auth/${provider}`);
      await page.waitForURL(`${bare.url}/login?error=auth_failed`);
      await page.getByText(authTexts.authFailed).waitFor();
      await context.close();
    },
  );
});
