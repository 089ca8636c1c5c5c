import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import {
  complaintsOn,
  control,
  fillForm,
  focusedLabel,
  type TestForm,
  testForms,
  typedValues,
} from "./forms.ts";
import { noteLive, openLive } from "./live.ts";

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
}, 90_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  // What was refused or never arrived has left nothing behind.
  const people = await readRows({ dataDir: server.dataDir, env: {} }, async (db) => [
    ...(await db.select().from(users)),
    ...(await db.select().from(pendingRegistrations)),
  ]);
  expect(people).toEqual([]);
  removeFolder(server.dataDir);
});

/** Opens a form and leaves the page once `run` is done. */
const onForm = async (form: TestForm, run: (page: Page) => Promise<void>, at: ServerProcess = server) => {
  const { page, context, complaints } = await openPage(browser, { width: 1280, theme: "light" });
  const address = form.name === "setup" ? (at.setupLink ?? "") : `${at.url}/${form.name}`;
  await noteLive(page);
  await openLive(page, address);
  await run(page);
  expect(complaints).toEqual([]);
  await context.close();
};

const send = (page: Page, form: TestForm) =>
  page.getByRole("button", { name: form.button, exact: true }).click();

/** Whether the form can be used again: it cannot while a call is under way. */
const isReady = (page: Page, form: TestForm) =>
  page.waitForFunction(
    (name) =>
      [...document.querySelectorAll("button")].some(
        (button) => button.textContent === name && !button.matches(":disabled"),
      ),
    form.button,
  );

for (const form of testForms) {
  describe(`the ${form.name} form`, () => {
    test("says of each value that will not do why, under its field; focus goes there and the text stays", async () => {
      await onForm(form, async (page) => {
        for (const [label, value, text] of form.bad) {
          await fillForm(page, form, [label, value]);
          // Read back, because the browser itself trims what is typed as an address.
          const typed = await typedValues(page, form);
          await send(page, form);
          await page.locator("[aria-invalid=true]").first().waitFor();
          await isReady(page, form);
          const shown = {
            complaints: await complaintsOn(page, form),
            focus: await focusedLabel(page),
            typed: await typedValues(page, form),
          };
          expect({ value, ...shown }).toEqual({ value, complaints: { [label]: text }, focus: label, typed });
          // What is mended is no longer complained of.
          const good = form.fields.find((field) => field.label === label)?.good ?? "";
          await control(page, label).fill(good);
          if (label === "Password" && form.fields.length > 2)
            await control(page, "Confirm Password").fill(good);
          expect(await complaintsOn(page, form)).toEqual({});
        }
      });
    });

    test("with nothing typed complains of every field and goes to the first", async () => {
      await onForm(form, async (page) => {
        await send(page, form);
        await page.locator("[aria-invalid=true]").first().waitFor();
        const complaints = await complaintsOn(page, form);
        const wanted = form.fields.map(({ label }) => label).filter((label) => label !== "Confirm Password");
        expect(Object.keys(complaints)).toEqual(wanted);
        expect(await focusedLabel(page)).toBe(wanted[0] ?? "");
      });
    });

    const failures: [title: string, status: number, body: string, type: string, text: string][] = [
      ["a 500", 500, envelope("INTERNAL"), "application/json", errorTexts.INTERNAL],
      ["a 503 of a busy server", 503, envelope("BUSY"), "application/json", errorTexts.BUSY],
      ["a 507", 507, envelope("STORAGE_FULL"), "application/json", errorTexts.STORAGE_FULL],
      ["a 408", 408, envelope("REQUEST_TIMEOUT"), "application/json", errorTexts.REQUEST_TIMEOUT],
      [
        "a 422 about what the form does not show",
        422,
        envelope("VALIDATION_FAILED", [{ path: "moon", message: "The moon is not full" }]),
        "application/json",
        "The moon is not full",
      ],
      ["a proxy's own page", 500, "<h1>Oops</h1>", "text/html", ""],
      ["an empty answer", 500, "", "text/plain", ""],
      ["an envelope that is none", 500, '{"message":7,"errors":"x"}', "application/json", ""],
    ];
    test("keeps everything typed when the server fails, and says so", async () => {
      await onForm(form, async (page) => {
        for (const [title, status, body, contentType, text] of failures) {
          const typed = await fillForm(page, form);
          await page.route(`**${form.api}`, (route) => route.fulfill({ status, body, contentType }), {
            times: 1,
          });
          await send(page, form);
          await page.getByRole("alert").first().waitFor();
          await isReady(page, form);
          const said = await page.getByRole("main").getByRole("alert").first().textContent();
          expect([title, said]).toEqual([title, expect.stringContaining(text || ownFailure(form))]);
          expect([title, await typedValues(page, form)]).toEqual([title, typed]);
        }
      });
    });

    test("puts a 422 of the server under its field and goes there", async () => {
      await onForm(form, async (page) => {
        const typed = await fillForm(page, form);
        const body = envelope("VALIDATION_FAILED", [{ path: "email", message: authTexts.emailTaken }]);
        await page.route(`**${form.api}`, (route) => route.fulfill({ status: 422, body }), { times: 1 });
        await send(page, form);
        await page.locator("[aria-invalid=true]").waitFor();
        await isReady(page, form);
        const [label = ""] = form.fields
          .map((field) => field.label)
          .filter((name) => name.startsWith("Email"));
        expect(await complaintsOn(page, form)).toEqual({ [label]: authTexts.emailTaken });
        expect(await focusedLabel(page)).toBe(label);
        expect(await typedValues(page, form)).toEqual(typed);
      });
    });

    test("pressed twice, or with Enter on top, is sent once", async () => {
      await onForm(form, async (page) => {
        const bodies: (string | null)[] = [];
        await page.route(`**${form.api}`, async (route) => {
          bodies.push(route.request().postData());
          await Bun.sleep(500);
          await route.fulfill({ status: 503, body: envelope("BUSY"), contentType: "application/json" });
        });
        await fillForm(page, form);
        const last = form.fields.at(-1)?.label ?? "";
        await page.getByRole("button", { name: form.button, exact: true }).dblclick();
        await control(page, last)
          .press("Enter", { timeout: 200 })
          .catch(() => {});
        await page.getByRole("main").getByRole("alert").first().waitFor();
        expect(bodies).toHaveLength(1);
      });
    });
  });
}

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
    await isReady(page, form);
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

const envelope = (code: keyof typeof errorTexts, errors?: { path: string; message: string }[]): string =>
  JSON.stringify({
    success: false,
    code,
    message: errorTexts[code],
    requestId: "test",
    ...(errors ? { errors } : {}),
  });

/** What the form says of a failure that brings no words along. */
const ownFailure = ({ name, offline }: TestForm): string =>
  name === "verify" ? authTexts.resendFailed : offline;
