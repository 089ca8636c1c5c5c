import { describe, expect, test } from "bun:test";
import type { AddressQuery } from "#ui/lib/address-query.ts";
import { listQuery } from "#ui/lib/feature-pages.tsx";
import { messageQuery } from "./messages/messages-page.tsx";
import { pageBounds } from "./paged-list.tsx";
import { pluginQuery } from "./plugins/plugin-status.ts";
import { mailQuery } from "./settings/mail-panel.tsx";
import { userQuery } from "./users/user-table.tsx";

/** A page's query with what it shows at first, something chosen of each part, its text, and choices that don't exist. */
const caseOf = <Query extends object>(
  name: string,
  query: AddressQuery<Query>,
  facts: { plain: NoInfer<Query>; chosen: NoInfer<Query>; text: string; unknown: string },
) =>
  [
    name,
    { ...facts, read: (text: string) => query.read(new URLSearchParams(text)), ...written(query, facts) },
  ] as const;

const written = <Query extends object>(
  { write }: AddressQuery<Query>,
  { plain, chosen }: { plain: Query; chosen: Query },
) => ({ plainText: write(plain).toString(), chosenText: write(chosen).toString() });

describe.each([
  caseOf("users", userQuery, {
    plain: { search: "", page: 1, tab: "accounts", role: null, status: null, user: null },
    chosen: {
      search: "grace & co",
      page: 3,
      tab: "pending",
      role: "admin",
      status: "disabled",
      user: "019a",
    },
    text: "search=grace+%26+co&page=3&tab=pending&role=admin&status=disabled&user=019a",
    unknown: "tab=deleted&role=owner&status=gone&page=-1",
  }),
  caseOf("messages", messageQuery, {
    plain: { search: "", page: 1, subject: null, status: null, message: null },
    chosen: { search: "grace & co", page: 3, subject: "Sales", status: "handled", message: "019a" },
    text: "search=grace+%26+co&page=3&subject=Sales&status=handled&message=019a",
    unknown: "subject=Other&status=unread&page=-1",
  }),
  caseOf("the outbox", mailQuery, {
    plain: { status: "waiting", search: "", mail: null },
    chosen: { status: "dead", search: "ada", mail: "019a" },
    text: "mails=dead&search=ada&mail=019a",
    // The name of the part, not of the parameter.
    unknown: "mails=lost&status=dead",
  }),
  caseOf("plugins", pluginQuery, {
    plain: { tab: "plugins", show: "total" },
    chosen: { tab: "keys", show: "disabled" },
    text: "tab=keys&show=disabled",
    unknown: "tab=none&show=everything",
  }),
  caseOf("a feature's list", listQuery, {
    plain: { search: "", page: 1 },
    chosen: { search: "ada", page: 3 },
    text: "search=ada&page=3",
    unknown: "page=0",
  }),
])("the address of %s", (_, { plain, chosen, text, unknown, read, plainText, chosenText }) => {
  test("shows everything when plain, and that is what everything is written as", () => {
    expect(read("")).toEqual(plain);
    expect(plainText).toBe("");
  });

  test("is read again as it was written, whatever was chosen", () => {
    expect(chosenText).toBe(text);
    expect(read(text)).toEqual(chosen);
  });

  test("leaves out what does not exist", () => expect(read(unknown)).toEqual(plain));
});

test("a page that makes no sense counts as the first, and a search has no space around it", () => {
  for (const page of ["0", "-2", "1.5", "x", "1e99", "10000001", ""])
    expect(listQuery.read(new URLSearchParams({ page, search: " ada " }))).toEqual({
      search: "ada",
      page: 1,
    });
});

test("pages follow one another without gap or overlap", () => {
  const [first, second] = [pageBounds(1), pageBounds(2)];
  expect(first.offset).toBe(0);
  expect(second.offset).toBe(first.limit);
});
