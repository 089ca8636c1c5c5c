import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type TestForm, testForms } from "#ui/testing/auth-forms.ts";
import { openPage } from "../driver/browser.ts";
import { browserForFile } from "../driver/for-file.ts";
import { removeFolder, startServer } from "../driver/start-server.ts";
import { noteLive, openLive } from "./live.ts";

const browser = await browserForFile();

const control = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const send = (page: Page, form: TestForm) =>
  page.getByRole("button", { name: form.button, exact: true }).click();

const fillForm = async (page: Page, form: TestForm): Promise<string[]> => {
  for (const { label, good } of form.fields) await control(page, label).fill(good);
  return typedValues(page, form);
};
const typedValues = (page: Page, form: TestForm): Promise<string[]> =>
  Promise.all(form.fields.map(({ label }) => control(page, label).inputValue()));

test("when the server is gone every form says so, keeps what was typed, and works once it is back", async () => {
  const first = await startServer();
  const { port } = new URL(first.url);
  const pages = await Promise.all(
    testForms.map(async (form) => {
      const { page } = await openPage(browser, { width: 1280, theme: "light" });
      const address = form.name === "setup" ? (first.setupLink ?? "") : `${first.url}/${form.name}`;
      await noteLive(page);
      await openLive(page, address);
      return { form, page, typed: await fillForm(page, form) };
    }),
  );
  await first.stop("SIGKILL");
  for (const { form, page, typed } of pages) {
    await send(page, form);
    await page.getByRole("main").getByRole("alert").getByText(form.offline).waitFor();
    await page.getByText("The server cannot be reached.").waitFor();
    await control(page, form.fields[0]?.label ?? "")
      .and(page.locator(":enabled"))
      .waitFor();
    expect(await typedValues(page, form)).toEqual(typed);
  }
  const second = await startServer({ dataDir: first.dataDir, port: Number(port) });
  const register = pages.find(({ form }) => form.name === "register");
  if (!register) throw new Error("there is no register form");
  await send(register.page, register.form);
  await register.page.waitForURL("**/verify");
  await register.page.getByText("The server cannot be reached.").waitFor({ state: "detached" });
  for (const { page } of pages) await page.context().close();
  await second.stop();
  removeFolder(first.dataDir);
}, 90_000);
