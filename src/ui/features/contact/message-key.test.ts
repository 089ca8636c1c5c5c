import { expect, test } from "bun:test";
import { createMessageKey } from "./contact-page.tsx";

const letter = { name: "Ada", message: "Hello" };
const counting = () => {
  let made = 0;
  return createMessageKey(() => {
    made += 1;
    return `key-${made}`;
  });
};

test("a message keeps its key over every retry", () => {
  const key = counting();
  expect([key.for(letter), key.for({ ...letter }), key.for(letter)]).toEqual(["key-1", "key-1", "key-1"]);
});

test("a message that was changed is another one, because the first try may have arrived", () => {
  const key = counting();
  key.for(letter);
  expect(key.for({ ...letter, message: "Hello!" })).toBe("key-2");
  expect(key.for(letter)).toBe("key-3");
});

test("what has arrived can be sent again", () => {
  const key = counting();
  key.for(letter);
  key.forget();
  expect(key.for(letter)).toBe("key-2");
});

test("keys are such as the server takes", () => {
  expect(createMessageKey().for(letter)).toMatch(/^[!-~]{8,128}$/);
});
