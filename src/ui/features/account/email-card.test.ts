import { expect, test } from "bun:test";
import { emailChangeTexts } from "#contract/auth-texts.ts";
import { accountAnswers, anAccount } from "#ui/testing/answers.ts";
import { openPages } from "#ui/testing/pages.ts";
import { emailCardTexts as texts } from "./texts.ts";

const open = openPages();

test("a change of address waits until it is confirmed, and can be stopped", async () => {
  const begin = "POST /api/account/email";
  const page = await open("/account", {
    as: "user",
    answers: {
      ...accountAnswers(),
      [begin]: { message: emailChangeTexts.begun },
      "DELETE /api/account/email": { message: emailChangeTexts.outcomes.stopped },
    },
  });
  await page.press(texts.change);
  page.answer(
    accountAnswers(
      anAccount({ emailChange: { newEmail: "new@b.example", expiresAt: "2026-12-01T09:00:00.000Z" } }),
    ),
  );
  await page.fill(texts.newEmail, " new@b.example ");
  await page.press(texts.submit);
  await page.shows(texts.waiting("new@b.example"));
  expect(page.calls(begin).map(({ body }) => body)).toEqual([{ email: "new@b.example" }]);
  page.answer(accountAnswers());
  await page.press(texts.stop);
  await page.shows(emailChangeTexts.outcomes.stopped);
  await page.shows(texts.change);
});
