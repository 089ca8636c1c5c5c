import { describe, expect, test } from "bun:test";
import { CliFailure } from "#cli/failure.ts";
import { answerBytes, createPatience } from "./read-answer.ts";

const patienceOf = (silenceMs: number, ended?: AbortSignal) =>
  createPatience({ silenceMs, target: "the server", ended });
const never = new Promise<never>(() => {});
const bodyOf = (...chunks: (string | null)[]) =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else if (chunk === null) return never;
      else controller.enqueue(new TextEncoder().encode(chunk));
      return undefined;
    },
  });
const read = async (body: ReadableStream<Uint8Array>, patience = patienceOf(1_000)) => {
  let text = "";
  for await (const chunk of answerBytes(body, { patience, what: "the file" })) text += Buffer.from(chunk);
  return text;
};

describe("an answer that comes in pieces", () => {
  test("is waited for as long as its pieces keep coming, whatever its reader takes", async () => {
    const patience = patienceOf(5);
    const bytes = answerBytes(bodyOf("a", "b"), { patience, what: "the file" });
    let text = "";
    for await (const chunk of bytes) {
      // Longer than the patience: this is the reader's time.
      Bun.sleepSync(20);
      await new Promise(setImmediate);
      text += Buffer.from(chunk);
    }
    expect([text, patience.signal.aborted]).toEqual(["ab", false]);
  });

  test("that is silent for too long ends as unreachable, and its call with it", async () => {
    const patience = patienceOf(5);
    await expect(read(bodyOf("a", null), patience)).rejects.toMatchObject({ kind: "UNREACHABLE" });
    expect(patience.signal.aborted).toBe(true);
    await expect(patienceOf(5).wait(never)).rejects.toThrow("the server sent nothing for 0.005 seconds");
  });

  test("ends with the caller's reason, also when that came first", async () => {
    const end = new AbortController();
    const reading = read(bodyOf("a", null), patienceOf(1_000, end.signal));
    end.abort(new CliFailure("CANCELLED", "canceled"));
    await expect(reading).rejects.toMatchObject({ kind: "CANCELLED" });
    await expect(read(bodyOf("a"), patienceOf(1_000, end.signal))).rejects.toMatchObject({
      kind: "CANCELLED",
    });
  });

  test("that breaks off is unreachable", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("reset")),
    });
    await expect(read(body)).rejects.toThrow("the file was interrupted");
  });

  test("is given up when its reader leaves", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Uint8Array.of(1)),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const _ of answerBytes(body, { patience: patienceOf(1_000), what: "the file" })) break;
    expect(isCancelled).toBe(true);
  });
});
