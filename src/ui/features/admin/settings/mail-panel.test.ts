import { expect, test } from "bun:test";
import { readMailQuery, writeMailQuery } from "./mail-panel.tsx";

test("the outbox's view is read back from the address as it was written, and what makes no sense is left out", () => {
  const view = { status: "dead", search: "ada", mail: "019a" } as const;
  expect(writeMailQuery(view).toString()).toBe("mails=dead&search=ada&mail=019a");
  expect(readMailQuery(writeMailQuery(view))).toEqual(view);
  expect(readMailQuery(new URLSearchParams("mails=lost"))).toEqual({
    status: "waiting",
    search: "",
    mail: null,
  });
  expect(writeMailQuery({ status: "waiting", search: "", mail: null }).toString()).toBe("");
});
