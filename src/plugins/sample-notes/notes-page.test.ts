import { expect, test } from "bun:test";
import { openPages, refusal } from "#app/ui/testing";

const open = openPages();
const fields = { title: "Call Ada", body: "About the invoice", due: "2026-12-01" };
const stamps = { createdAt: "2026-11-30T09:00:00.000Z", updatedAt: "2026-11-30T09:00:00.000Z" };
const note = { id: "n1", ...fields, ...stamps };
const listed = (...notes: object[]) => ({ data: { notes, total: notes.length, totalIsEstimate: false } });

test("a member's form says what is missing and what the server refuses, then saves", async () => {
  const page = await open("/sample-notes", {
    as: "user",
    answers: {
      "GET /api/sample-notes": listed(note),
      "GET /api/sample-notes/n1": { data: note },
      "PUT /api/sample-notes/n1": refusal("VALIDATION_FAILED", "No", {
        errors: [{ path: "title", message: "Too long" }],
      }),
    },
  });
  await page.shows("Call Ada");
  await page.press("New note");
  await page.press("Save");
  await page.shows("Please enter a text of at most 200 characters in one line");
  await page.press("Cancel");
  await page.click(page.getByText("Call Ada"));
  await page.isAt("/sample-notes/n1");
  await page.press("Edit");
  await page.fill("Title", "Buy milk");
  await page.press("Save");
  await page.shows("Too long");
  page.answer({ "PUT /api/sample-notes/n1": { message: "The note was changed", data: note } });
  await page.press("Save");
  await page.shows("The note was changed");
  expect(page.calls("PUT /api/sample-notes/n1").at(-1)?.body).toEqual({ ...fields, title: "Buy milk" });
  await page.isIdle();
});

test("a member deletes a note after a question", async () => {
  const page = await open("/sample-notes/n1", {
    as: "user",
    answers: {
      "GET /api/sample-notes/n1": { data: note },
      "DELETE /api/sample-notes/n1": { message: "The note was deleted" },
      "GET /api/sample-notes": listed(),
    },
  });
  await page.press("Delete");
  await page.press("Delete note");
  await page.shows("No notes yet.");
  await page.isAt("/sample-notes");
});

test("admins see the notes of all members", async () => {
  const answers = {
    "GET /api/sample-notes/all": listed({ ...note, userId: "u1", member: "grace@example.test" }),
  };
  const page = await open("/admin/sample-notes", { as: "admin", answers });
  expect((await page.row("Call Ada")).textContent).toContain("grace@example.test");
  await page.isIdle();
});
