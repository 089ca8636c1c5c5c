import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { contactTexts } from "#contract/contact-rules.ts";
import { setUser } from "#ui/lib/session.ts";
import { people } from "#ui/testing/answers.ts";
import { heldAnswer, noAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { createMessageKey, contactScreenTexts as texts } from "./contact-page.tsx";

const open = openPages();

const route = "POST /api/contact";
const isSent = { [route]: { success: true, message: contactTexts.sent } };

const compose = async (page: OpenPage, message: string) => {
  await page.fill("Name", "Mira Okafor");
  await page.fill("Email", "mira@northwind.example");
  await page.choose("Subject", "Sales");
  await page.fill("Message", message);
};
const values = (page: OpenPage) => ["Name", "Email", "Subject", "Message"].map(page.value);
const keys = (page: OpenPage) => page.calls(route).map(({ headers }) => headers.get("idempotency-key"));

describe("the contact form", () => {
  test("shows an error beside each missing field, and removes it as it is fixed", async () => {
    const page = await open("/contact");
    await page.press(texts.send);
    for (const text of [
      authTexts.nameRequired,
      authTexts.emailRequired,
      contactTexts.subjectRequired,
      contactTexts.messageRequired,
    ])
      await page.shows(text);
    await page.focusIsAt(page.getByLabelText("Name"));
    await page.choose("Subject", "General");
    await page.hides(contactTexts.subjectRequired);
    await page.fill("Message", "x".repeat(5_001));
    await page.shows(contactTexts.messageTooLong);
    await page.fill("Message", "Hello");
    await page.hides(contactTexts.messageTooLong);
    expect(page.calls()).toEqual([]);
  });

  test("asks before a message that was begun is left, and not once it was sent", async () => {
    const page = await open("/contact", { answers: isSent });
    const isHeld = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(isHeld()).toBe(false);
    await compose(page, "Hello");
    await page.until(() => expect(isHeld()).toBe(true));
    await page.click(page.getAllByRole("link", { name: "About" })[0] ?? document.body);
    await page.shows(texts.unsent);
    await page.press("Cancel");
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    expect([location.pathname, page.value("Message")]).toEqual(["/contact", "Hello"]);
    await page.press(texts.send);
    await page.shows(contactTexts.sent);
    await page.until(() => expect(isHeld()).toBe(false));
  });

  test("says that a message was sent where the focus goes, and is ready for another", async () => {
    const page = await open("/contact", { answers: isSent });
    await compose(page, "First line\nsecond line");
    await page.press(texts.send);
    await page.shows(contactTexts.sent);
    await page.until(() => expect(document.activeElement?.textContent).toContain("Thank you"));
    expect(page.calls(route).map(({ body }) => body)).toEqual([
      {
        name: "Mira Okafor",
        email: "mira@northwind.example",
        subject: "Sales",
        message: "First line\nsecond line",
      },
    ]);
    expect(values(page)).toEqual(["Mira Okafor", "mira@northwind.example", "", ""]);
  });

  test("keeps everything that was typed when there is no connection, and a retry is known for one", async () => {
    const page = await open("/contact", { answers: { [route]: noAnswer } });
    await compose(page, "Typed on a train");
    const typed = values(page);
    await page.press(texts.send);
    await page.shows(authTexts.networkFailed);
    expect(values(page)).toEqual(typed);
    page.answer(isSent);
    await page.isIdle();
    await page.press(texts.send);
    await page.shows(contactTexts.sent);
    expect(page.has(authTexts.networkFailed)).toBe(false);
    const [first, second] = keys(page);
    expect(first).toMatch(/^[!-~]{8,128}$/);
    expect(second).toBe(first ?? "");
  });

  test("says in the server's words, or in its own where it has none, why a message was not taken", async () => {
    const page = await open("/contact", {
      answers: { [route]: refusal("RATE_LIMITED", "Not so many, please") },
    });
    await compose(page, "Refused");
    await page.press(texts.send);
    await page.shows("Not so many, please");
    page.answer({ [route]: () => new Response("oops", { status: 500 }) });
    await page.isIdle();
    await page.press(texts.send);
    await page.shows(contactTexts.sendFailed);
    expect(page.value("Message")).toBe("Refused");
  });

  test("sends once however often the button is pressed while the answer is on its way", async () => {
    const { answer, release } = heldAnswer(isSent[route]);
    const page = await open("/contact", { answers: { [route]: answer } });
    await compose(page, "Pressed again and again");
    await page.pressTwice(page.getByRole("button", { name: texts.send }));
    await page.keys("{Enter}");
    expect(page.getByRole("button", { name: texts.send }).matches("fieldset:disabled *")).toBe(true);
    release();
    await page.shows(contactTexts.sent);
    expect(keys(page)).toHaveLength(1);
  });

  test("knows who is signed in", async () => {
    const page = await open("/contact", { as: "user" });
    await page.until(() => expect(values(page)).toEqual(["Grace Hopper", "grace@example.test", "", ""]));
  });
});

test("what was typed before it was known who is signed in stays", async () => {
  const page = await open("/contact");
  await page.fill("Name", "Rear Admiral");
  setUser(people.user);
  await page.until(() => expect(values(page)).toEqual(["Rear Admiral", "grace@example.test", "", ""]));
});

test("the contact page says when replies come, and header and footer lead to it", async () => {
  const page = await open("/about");
  (await page.inside("contentinfo")).getByRole("link", { name: "Write to us" });
  const [inHeader] = page.getAllByRole("link", { name: "Contact" });
  expect(inHeader?.closest("header") === null).toBe(false);
  await page.click(inHeader ?? document.body);
  await page.isAt("/contact");
  await page.shows(/within 24-48 hours/);
});

const letter = { name: "Ada", message: "Hello" };
const counting = () => {
  let made = 0;
  return createMessageKey(() => {
    made += 1;
    return `key-${made}`;
  });
};

test("a message keeps its key over every retry", () => {
  const key = counting();
  expect([key.for(letter), key.for({ ...letter }), key.for(letter)]).toEqual(["key-1", "key-1", "key-1"]);
});

test("a message that was changed is another one, because the first try may have arrived", () => {
  const key = counting();
  key.for(letter);
  expect(key.for({ ...letter, message: "Hello!" })).toBe("key-2");
  expect(key.for(letter)).toBe("key-3");
});

test("what has arrived can be sent again", () => {
  const key = counting();
  key.for(letter);
  key.forget();
  expect(key.for(letter)).toBe("key-2");
});

test("keys are such as the server takes", () => {
  expect(createMessageKey().for(letter)).toMatch(/^[!-~]{8,128}$/);
});
