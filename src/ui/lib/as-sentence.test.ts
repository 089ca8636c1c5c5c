import { expect, test } from "bun:test";
import { asSentence } from "./api.ts";

test.each([
  ["connection refused", "Connection refused."],
  ["Its secret cannot be read; enter it again", "Its secret cannot be read; enter it again."],
  ["It is there.", "It is there."],
])("%j is the sentence %j", (words, sentence) => {
  expect(asSentence(words)).toBe(sentence);
});
