import { expect, test } from "bun:test";
import { createPatience, readAnyAnswer } from "./read-answer.ts";

const never = new Promise<never>(() => {});
const answerOf = (status: number) =>
  new Response(new ReadableStream({ pull: () => never }), {
    status,
    headers: { "content-type": "application/json" },
  });

test("JSON that does not come is given up when the patience is over, a refusal's too", async () => {
  for (const status of [200, 500]) {
    const patience = createPatience({ silenceMs: 5, target: "the server", ended: undefined });
    await expect(readAnyAnswer(answerOf(status), { target: "the server", patience })).rejects.toMatchObject({
      kind: "UNREACHABLE",
      message: "the server sent nothing for 0.005 seconds",
    });
  }
});
