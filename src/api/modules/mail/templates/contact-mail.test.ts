import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { createSmtpTransport } from "#api/adapters/mail-transport.ts";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { unsetSite } from "#contract/site.ts";
import { contactMail } from "./contact-mail.ts";
import { escapeHtml, fillMail, siteName } from "./layout.ts";

const link = "https://app.example/admin/messages?message=1";
const mailOf = (message: string, name = "Ada", email = "ada@example.test") =>
  contactMail({ name, email, subject: "Sales", message }, link);
const shown = (html: string) => /<div class="body quote"[^>]*>([\s\S]*?)<\/div>/.exec(html)?.[1];

describe("the email with a contact message", () => {
  test("holds the message with its line breaks, its writer and where to find it, and is answered by email", () => {
    const { subject, text, html } = mailOf("One\n\nTwo <3");
    expect(subject).toBe("Contact form: Sales");
    expect(text).toContain("Ada (ada@example.test) sent a message with the contact form.");
    expect(text).toContain("contact form. Subject: Sales.");
    expect(text).toContain("\n> One\n> \n> Two <3\n");
    expect(text).toContain(link);
    expect(shown(html)).toBe("One<br>\n<br>\nTwo &lt;3");
    expect(html.split(`href="${link}"`)).toHaveLength(3);
    expect(text).toContain("Reply to this email to answer.");
  });

  test("L1: shows 200 hostile texts as text, in the message and in the name, and nothing else changes", () => {
    const { html: plain } = mailOf("PLAIN-MESSAGE", "PLAIN-NAME");
    for (const text of hostileMarkup) {
      const name = text.slice(0, 100);
      const expected = plain
        .replaceAll("PLAIN-MESSAGE", () => escapeHtml(text))
        .replaceAll("PLAIN-NAME", () => escapeHtml(name));
      const { html, subject } = mailOf(text, name);
      expect(html).toBe(expected);
      expect(subject).toBe("Contact form: Sales");
    }
  });

  test("leaves what its writer wrote as it is where the site fills in its name", () => {
    const { text, html } = fillMail(mailOf(`${siteName}!`), unsetSite, "");
    expect([text.includes("> name!"), shown(html)]).toEqual([true, "name!"]);
  });

  test("fits the 102 kB beyond which mail programs cut, whatever the message", () => {
    for (const character of ["&", "<", '"', "\n", "😀"]) {
      expect(Buffer.byteLength(mailOf(character.repeat(5_000)).html)).toBeLessThan(102_000);
    }
  });
});

describe("on its way", () => {
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await startSmtpSink();
  });
  afterAll(() => sink.down());
  const never = new AbortController().signal;
  const deliver = async (replyTo: string, message = "Hello") => {
    const transport = createSmtpTransport({ smtpUrl: sink.url, mailFrom: "Atrium <no-reply@app.example>" });
    const id = crypto.randomUUID();
    const mail = { to: "team@app.example", replyTo, ...mailOf(message, "Ada", replyTo) };
    const outcome = await transport.send({ ...mail, id, createdAt: new Date() }, never);
    await transport.close();
    expect(outcome).toEqual({ kind: "sent" });
    const caught = sink.mails.at(-1);
    return { caught, parsed: await PostalMime.parse(caught?.raw ?? "") };
  };

  test("answers go to the writer, and the email only to the site's address", async () => {
    const { caught, parsed } = await deliver("ada@example.test");
    expect(caught?.recipients).toEqual(["team@app.example"]);
    expect(parsed.to?.map(({ address }) => address)).toEqual(["team@app.example"]);
    expect(parsed.replyTo?.map(({ address }) => address)).toEqual(["ada@example.test"]);
  });

  test.each([
    "ada@example.test\r\nBcc: all@example.com",
    "ada@example.test, all@example.com",
    "Ada <ada@example.test>",
    "ada",
    "",
  ])("E4: an address for answers that is not one, %j, is left out and adds nothing", async (replyTo) => {
    const { caught, parsed } = await deliver(replyTo);
    expect(caught?.recipients).toEqual(["team@app.example"]);
    expect(parsed.replyTo).toBeUndefined();
    expect(parsed.headers.map(({ key }) => key)).not.toContain("bcc");
  });

  test("E4: a message that looks like headers stays within the text", async () => {
    const message =
      "\nBcc: all@example.com\nSubject: changed\n\n.\nMAIL FROM:<x@x.example>\nRCPT TO:<all@example.com>";
    const { caught, parsed } = await deliver("ada@example.test", message);
    expect(caught?.recipients).toEqual(["team@app.example"]);
    expect(parsed.subject).toBe("Contact form: Sales");
    expect(parsed.headers.map(({ key }) => key)).not.toContain("bcc");
    expect(parsed.text).toContain("> RCPT TO:<all@example.com>");
  });
});
