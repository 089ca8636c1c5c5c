import { expect, test } from "bun:test";
import type { Invitation } from "#api/modules/invitations/contract.ts";
import { openPages } from "#ui/testing/pages.ts";
import { invitationsTexts as list, inviteTexts as texts } from "./texts.ts";

const open = openPages();

const path = "/api/admin/invitations";
const invitation: Invitation = {
  ...{ id: "i1", email: "grace@example.test", name: null, role: "user", state: "waiting", invitedBy: "Ada" },
  ...{ mailedAt: "2026-11-30T09:00:00.000Z", expiresAt: "2026-12-07T09:00:00.000Z", acceptedAt: null },
};
const listed = (invitations: Invitation[]) => ({
  data: { invitations, pagination: { total: invitations.length, limit: 25, offset: 0 } },
});

test("pasted addresses are invited, each once, and those that were skipped are named with the reason", async () => {
  const create = `POST ${path}`;
  const results = [
    { email: "a@b.example", id: "i1", status: "invited", reason: null },
    { email: "c@b.example", id: null, status: "skipped", reason: "account" },
  ];
  const page = await open("/admin/users?tab=invitations", {
    as: "admin",
    answers: {
      [`GET ${path}`]: listed([]),
      [create]: { message: "1 invitation was emailed, 1 skipped", data: { results } },
    },
  });
  await page.shows(list.none);
  await page.press(list.open);
  await page.fill(texts.addresses, "nothing");
  await page.press(texts.submit);
  await page.shows(texts.addressesWanted);
  await page.fill(texts.addresses, "Name,Email\na@b.example\n\nnobody");
  await page.shows(texts.noAddressInLine(4));
  await page.fill(texts.addresses, "Ada <a@b.example>, c@b.example; a@b.example");
  await page.press(texts.submit);
  await page.shows(texts.skipped);
  await page.shows(texts.reasons.account);
  const wishes = { role: "user", expiresInDays: 7 };
  expect(page.calls(create).map(({ body }) => body)).toEqual([
    {
      invitations: [
        { email: "a@b.example", ...wishes },
        { email: "c@b.example", ...wishes },
      ],
    },
  ]);
});

test("a waiting invitation is sent again or withdrawn, and one that is over offers neither", async () => {
  const [resend, withdraw] = [`POST ${path}/i1/resend`, `DELETE ${path}/i1`];
  const accepted: Invitation = { ...invitation, id: "i2", email: "done@example.test", state: "accepted" };
  const page = await open("/admin/users?tab=invitations", {
    as: "admin",
    answers: {
      [`GET ${path}`]: listed([invitation, accepted]),
      [resend]: { message: "sent again", data: invitation },
      [withdraw]: { message: "withdrawn now", data: invitation },
    },
  });
  await page.row("done@example.test");
  expect(page.offers("button", list.resendName(accepted.email))).toBe(false);
  await page.press(list.resendName(invitation.email));
  await page.shows("sent again");
  await page.press(list.withdrawName(invitation.email));
  await page.press(list.withdrawConfirm);
  await page.shows("withdrawn now");
});
