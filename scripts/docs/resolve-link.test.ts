import { expect, test } from "bun:test";
import { resolveLink } from "./render-chapter.ts";

const page = (path: string, ...anchors: string[]) => ({ path, title: path, anchors: new Set(anchors) });
const targets = {
  pages: new Map([
    ["docs/mail.md", page("/docs/mail", "test-mails")],
    ["docs/operating/logs.md", page("/docs/operating/logs", "reading")],
  ]),
};
const from = (link: string) => resolveLink("docs/operating/logs.md", link, targets);

test("links among documents lead to pages and their headings", () => {
  expect(from("../mail.md")).toEqual({ href: "/docs/mail" });
  expect(from("../mail.md#test-mails")).toEqual({ href: "/docs/mail#test-mails" });
  expect(from("#reading")).toEqual({ href: "#reading" });
  expect(from("https://example.com/a#b")).toEqual({ href: "https://example.com/a#b" });
});

test("what is in the repository alone leads nowhere, and keeps its words", () => {
  expect(from("../ARCHITECTURE.md")).toEqual({ href: null });
  expect(from("../../deploy")).toEqual({ href: null });
});

test("a document or heading that is not there is a problem with its name", () => {
  for (const link of ["absent.md", "../mail.md#absent", "#absent", "mailto:ada@example.com"])
    expect(from(link)).toEqual({
      problem: expect.stringContaining(link.replace("../", "docs/").split("#").at(-1) ?? ""),
    });
});
