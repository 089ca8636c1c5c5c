import { describe, expect, test } from "bun:test";
import type { AddressQuery } from "#ui/lib/address-query.ts";
import { listQuery } from "#ui/lib/feature-pages.tsx";
import { messageQuery } from "./messages/messages-page.tsx";
import { pageBounds } from "./paged-list.tsx";
import { pluginQuery } from "./plugins/plugin-status.ts";
import { mailQuery } from "./settings/mail-panel.tsx";
import { userQuery } from "./users/user-table.tsx";

/** What the page shows at first, something chosen of each part with its text, and a text of choices that don't exist. */
type Facts<Query> = { plain: Query; chosen: Query; text: string; unknown: string };

const testAddress = <Query extends object>(
  name: string,
  query: AddressQuery<Query>,
  { plain, chosen, text, unknown }: Facts<NoInfer<Query>>,
): void =>
  describe(`the address of ${name}`, () => {
    const read = (address: string) => query.read(new URLSearchParams(address));

    test("shows everything when plain, and that is what everything is written as", () => {
      expect(read("")).toEqual(plain);
      expect(query.write(plain).toString()).toBe("");
    });

    test("is read again as it was written, whatever was chosen", () => {
      expect(query.write(chosen).toString()).toBe(text);
      expect(read(text)).toEqual(chosen);
    });

    test("leaves out what does not exist", () => expect(read(unknown)).toEqual(plain));
  });

testAddress("users", userQuery, {
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
});
testAddress("messages", messageQuery, {
  plain: { search: "", page: 1, subject: null, status: null, message: null },
  chosen: { search: "grace & co", page: 3, subject: "Sales", status: "handled", message: "019a" },
  text: "search=grace+%26+co&page=3&subject=Sales&status=handled&message=019a",
  unknown: "subject=Other&status=unread&page=-1",
});
testAddress("the outbox", mailQuery, {
  plain: { status: "waiting", search: "", mail: null },
  chosen: { status: "dead", search: "ada", mail: "019a" },
  text: "mails=dead&search=ada&mail=019a",
  // The name of the part, not of the parameter.
  unknown: "mails=lost&status=dead",
});
testAddress("plugins", pluginQuery, {
  plain: { tab: "plugins", show: "total" },
  chosen: { tab: "keys", show: "disabled" },
  text: "tab=keys&show=disabled",
  unknown: "tab=none&show=everything",
});
testAddress("a feature's list", listQuery, {
  plain: { search: "", page: 1 },
  chosen: { search: "ada", page: 3 },
  text: "search=ada&page=3",
  unknown: "page=0",
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
