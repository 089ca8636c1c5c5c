import { expect, test } from "bun:test";
import { Elysia, t } from "elysia";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { failureOf, toAppError } from "./errors.ts";

test("an answer that is not what its route promises is a 500 that shows nothing of it", async () => {
  const log = createRecordingLog();
  const app = new Elysia({ normalize: false })
    .onError(({ error, code }) => failureOf(toAppError(error, code, "id", log), "id"))
    .get("/", () => JSON.parse('{"name":"Ada","passwordHash":"canary"}'), {
      response: { 200: t.Object({ name: t.String() }, { additionalProperties: false }) },
    });
  const answer = await app.handle(new Request("http://localhost/"));
  const { status, body } = await answer.json();
  expect([status, body]).toEqual([
    500,
    { success: false, code: "INTERNAL", message: "Something went wrong", requestId: "id" },
  ]);
  expect(JSON.stringify(log.entries)).toContain("passwordHash");
  expect(JSON.stringify(log.entries)).not.toContain("canary");
});
