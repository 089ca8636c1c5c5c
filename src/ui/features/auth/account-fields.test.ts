import { expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { complaintsAbout } from "#ui/components/ui/use-form.ts";
import { newAccountRules } from "./account-fields.tsx";

const good = {
  name: "Ada",
  email: "ada@b.example",
  password: "correct horse",
  confirmPassword: "correct horse",
};

test("a complete account is sent", () => {
  expect(complaintsAbout(newAccountRules, good)).toEqual({});
});

test("a password that was repeated differently is refused beside the repetition", () => {
  expect(complaintsAbout(newAccountRules, { ...good, confirmPassword: "correct hose" })).toEqual({
    confirmPassword: authTexts.passwordsDiffer,
  });
});

test("an empty form names each field that is missing", () => {
  const empty = { name: " ", email: "", password: "", confirmPassword: "" };
  expect(complaintsAbout(newAccountRules, empty)).toEqual({
    name: authTexts.nameRequired,
    email: authTexts.emailRequired,
    password: authTexts.passwordRequired,
  });
});
