import { expect, test } from "bun:test";
import { emailComplaint } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import {
  complaintsAbout,
  type FormRules,
  readValues,
  sortServerErrors,
  stillWrong,
  withoutField,
} from "./use-form.ts";

const rules: FormRules<"email" | "password" | "confirmPassword"> = {
  email: emailComplaint,
  password: () => null,
  confirmPassword: (value, { password }) => (value === password ? null : authTexts.passwordsDiffer),
};

test("each wrong field gets its own sentence and right ones get none", () => {
  const values = { email: "ada", password: "a", confirmPassword: "b" };
  expect(complaintsAbout(rules, values)).toEqual({
    email: authTexts.emailInvalid,
    confirmPassword: authTexts.passwordsDiffer,
  });
  expect(complaintsAbout(rules, { email: "ada@b.example", password: "a", confirmPassword: "a" })).toEqual({});
});

test("the server's complaints go to their fields and those about unseen fields are kept", () => {
  const sorted = sortServerErrors(
    ["email", "password"],
    [
      { path: "email", message: "taken" },
      { path: "email", message: "second" },
      { path: "token", message: "missing" },
    ],
  );
  expect(sorted).toEqual({ fields: { email: "taken" }, rest: ["missing"] });
});

test("a control that is not there counts as empty", () => {
  const data = new FormData();
  data.set("email", "ada@b.example");
  expect(readValues(["email", "password"], data)).toEqual({ email: "ada@b.example", password: "" });
});

test("while the user types, a fixed error goes, a changed one changes and no new one appears", () => {
  const shown = { email: authTexts.emailRequired, confirmPassword: authTexts.passwordsDiffer };
  const found = { email: authTexts.emailInvalid, password: authTexts.passwordTooShort };
  expect(stillWrong<"email" | "password" | "confirmPassword">(shown, found)).toEqual({
    email: authTexts.emailInvalid,
  });
});

test("what the server said of a field goes when that field is edited, and stays for the others", () => {
  expect(withoutField({ email: "taken", password: "common" }, "email")).toEqual({ password: "common" });
});
