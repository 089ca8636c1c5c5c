import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import { openPages } from "#ui/testing/pages.ts";

const open = openPages();

describe("the contact form", () => {
  test("complains beside each field that was left out, and takes the complaint back as it is mended", async () => {
    const page = await open("/contact");
    await page.press("Send Message");
    for (const text of [
      authTexts.nameRequired,
      authTexts.emailRequired,
      contactTexts.subjectRequired,
      contactTexts.messageRequired,
    ])
      await page.shows(text);
    await page.focusIsAt(page.getByLabelText("Name"));
    await page.user.selectOptions(page.getByLabelText("Subject"), "General");
    await page.hides(contactTexts.subjectRequired);
    await page.fill("Message", "x".repeat(5_001));
    await page.shows(contactTexts.messageTooLong);
    await page.fill("Message", "Hello");
    await page.hides(contactTexts.messageTooLong);
    expect(page.calls()).toEqual([]);
  });
});
