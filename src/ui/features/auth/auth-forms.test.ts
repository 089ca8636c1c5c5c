import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { type ErrorKind, errorTexts } from "#contract/errors.ts";
import { type TestForm, testForms } from "#ui/testing/auth-forms.ts";
import { heldAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";

const open = openPages();

/** The form as a visitor meets it; the answers to what it sends are the test's. */
const openForm = (form: TestForm): Promise<OpenPage> =>
  open(form.name === "setup" ? "/setup?token=once" : `/${form.name}`, {
    answers: {
      "GET /texts/common-passwords.txt": new Response(""),
      "GET /api/auth/setup/once": { success: true, data: {} },
    },
  });

const controls = (page: OpenPage, form: TestForm) =>
  form.fields.map(({ label }) => ({ label, control: page.getByLabelText(label) }));

/** Types good values, but for the one given; a bad password is typed twice, so that it alone is wrong. */
const fillForm = async (page: OpenPage, form: TestForm, [badLabel, badValue] = ["", ""]) => {
  for (const { label, good } of form.fields) {
    const isAgain = label === "Confirm Password" && badLabel === "Password";
    await page.fill(label, label === badLabel || isAgain ? badValue : good);
  }
  return typedValues(page, form);
};

const typedValues = (page: OpenPage, form: TestForm) => form.fields.map(({ label }) => page.value(label));

/** The complaints on show, by the label of the field that they describe. */
const complaintsOn = (page: OpenPage, form: TestForm) =>
  Object.fromEntries(
    controls(page, form)
      .filter(({ control }) => control.getAttribute("aria-invalid") === "true")
      .map(({ label, control }) => {
        const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
        const error = ids.find((id) => id.endsWith("-error")) ?? "";
        return [label, document.getElementById(error)?.textContent];
      }),
  );

const focusedLabel = (page: OpenPage, form: TestForm) =>
  controls(page, form).find(({ control }) => control === document.activeElement)?.label;

const failure = (code: ErrorKind, more?: object) => () => refusal(code, errorTexts[code], more);

/** What only the server knows of a password it refuses under its field. */
const refusedByServer = (text: string) =>
  failure("VALIDATION_FAILED", { errors: [{ path: "password", message: text }] });
const isServersWord = ({ name }: TestForm, text: string) =>
  text === authTexts.passwordCommon ||
  text === authTexts.passwordPersonal ||
  (name === "login" && text === authTexts.passwordTooLong);

/** What the form says of a failure that brings no words along. */
const ownFailure = ({ name, offline }: TestForm): string => {
  if (name === "login") return authTexts.loginFailed;
  return name === "verify" ? authTexts.resendFailed : offline;
};

/** What a form sends when its good values are typed. */
const sentBy = ({ name, fields }: TestForm): object => {
  const [first, second, third] = fields.map(({ good }) => good);
  if (name === "login") return { email: first, password: second };
  if (name === "verify" || name === "forgot-password") return { email: first };
  const account = { name: first, email: second, password: third };
  return name === "setup" ? { token: "once", ...account } : account;
};

for (const form of testForms) {
  const route = `POST ${form.api}`;
  describe(`the ${form.name} form`, () => {
    for (const [label, value, text] of form.bad) {
      test(`says of ${label} ${JSON.stringify(value.slice(0, 40))} why it will not do, goes there and keeps the text`, async () => {
        const page = await openForm(form);
        if (isServersWord(form, text)) page.answer({ [route]: refusedByServer(text) });
        const typed = await fillForm(page, form, [label, value]);
        await page.press(form.button);
        await page.until(() => expect(complaintsOn(page, form)).toEqual({ [label]: text }));
        await page.isIdle();
        await page.until(() => expect(focusedLabel(page, form)).toBe(label));
        expect(typedValues(page, form)).toEqual(typed);
        expect(page.calls(route)).toHaveLength(isServersWord(form, text) ? 1 : 0);
        // What is mended is no longer complained of.
        const good = form.fields.find((field) => field.label === label)?.good ?? "";
        await page.fill(label, good);
        if (label === "Password" && form.fields.length > 2) await page.fill("Confirm Password", good);
        expect(complaintsOn(page, form)).toEqual({});
      });
    }

    test("with nothing typed complains of every field and goes to the first", async () => {
      const page = await openForm(form);
      await page.press(form.button);
      const wanted = form.fields.map(({ label }) => label).filter((label) => label !== "Confirm Password");
      await page.until(() => expect(Object.keys(complaintsOn(page, form))).toEqual(wanted));
      expect(focusedLabel(page, form)).toBe(wanted[0]);
      expect(page.calls(route)).toEqual([]);
    });

    const moon = { errors: [{ path: "moon", message: "The moon is not full" }] };
    const failures: [title: string, answer: () => Response, text: string][] = [
      ["a 500", failure("INTERNAL"), errorTexts.INTERNAL],
      ["a 503 of a busy server", failure("BUSY"), errorTexts.BUSY],
      ["a 507", failure("STORAGE_FULL"), errorTexts.STORAGE_FULL],
      ["a 408", failure("REQUEST_TIMEOUT"), errorTexts.REQUEST_TIMEOUT],
      ["a 422 about what the form does not show", failure("VALIDATION_FAILED", moon), "The moon is not full"],
      ["a proxy's own page", () => new Response("<h1>Oops</h1>", { status: 500 }), ownFailure(form)],
      ["an empty answer", () => new Response("", { status: 500 }), ownFailure(form)],
      [
        "an envelope that is none",
        () => Response.json({ message: 7, errors: "x" }, { status: 500 }),
        ownFailure(form),
      ],
    ];
    for (const [title, answer, text] of failures) {
      test(`keeps everything typed after ${title}, and says so`, async () => {
        const page = await openForm(form);
        const typed = await fillForm(page, form);
        page.answer({ [route]: answer });
        await page.press(form.button);
        const alert = await page.findByRole("alert");
        expect(alert.textContent).toContain(text);
        await page.isIdle();
        expect(typedValues(page, form)).toEqual(typed);
      });
    }

    test("puts a 422 of the server under its field and goes there", async () => {
      const page = await openForm(form);
      const typed = await fillForm(page, form);
      const errors = [{ path: "email", message: authTexts.emailTaken }];
      page.answer({ [route]: failure("VALIDATION_FAILED", { errors }) });
      await page.press(form.button);
      const label = form.fields.map((field) => field.label).find((name) => name.startsWith("Email")) ?? "";
      await page.until(() => expect(complaintsOn(page, form)).toEqual({ [label]: authTexts.emailTaken }));
      await page.isIdle();
      await page.until(() => expect(focusedLabel(page, form)).toBe(label));
      expect(typedValues(page, form)).toEqual(typed);
    });

    test("pressed twice, or with Enter on top, is sent once, with what was typed", async () => {
      const page = await openForm(form);
      const { answer, release } = heldAnswer(failure("BUSY")());
      page.answer({ [route]: answer });
      await fillForm(page, form);
      const button = page.getByRole("button", { name: form.button });
      // Before anything is drawn, and after.
      for (const _ of [1, 2]) button.closest("form")?.requestSubmit();
      await page.pressTwice(button);
      await page.keys("{Enter}");
      release();
      await page.findByRole("alert");
      expect(page.calls(route).map(({ body }) => body)).toEqual([sentBy(form)]);
    });
  });
}
