import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { checkNewPassword } from "./password-policy.ts";

const ada = { name: "Ada Lovelace", email: "countess.ada@engine.example" };
const complaintAbout = (password: string, owner = ada) =>
  checkNewPassword(password, owner).then(
    () => null,
    (error) => error.errors,
  );
const refusal = (message: string) => [{ path: "password", message }];

describe("W3: a new password", () => {
  test.each([
    "password",
    "Password1",
    "12345678",
    "qwertyuiop",
    "iloveyou",
    "TRUSTNO1",
    "1qaz2wsx",
    "football1",
  ])("%p is refused as one of the most common", async (password) => {
    expect(await complaintAbout(password)).toEqual(refusal(authTexts.passwordCommon));
  });

  test.each([
    "Ada Lovelace",
    "adalovelace",
    "lovelace1815",
    "LOVELACE!",
    "countess.ada@engine.example",
    "countess.ada",
    "ada-countess-99",
    "engine.example",
    "atrium2026!",
    "Atrium-Lovelace",
  ])("%p is refused as the owner's or the product's name", async (password) => {
    expect(await complaintAbout(password)).toEqual(refusal(authTexts.passwordPersonal));
  });

  test.each([
    "correct-horse-battery",
    "zwölf große Bäume",
    "ßßßßßßßß",
    "gxkqvzwj",
    "48150162342108",
    "          ",
    "ada likes analytical machines",
    "atrium-of-the-villa",
    "🦊🐻🐼🐨🐯🦁🐮🐷",
  ])("%p is taken: nothing is asked of its composition", async (password) => {
    expect(await complaintAbout(password)).toBeNull();
  });

  test("names of one or two letters forbid nothing", async () => {
    expect(await complaintAbout("bo-1234-5678", { name: "Bo A", email: "b@x.example" })).toBeNull();
  });
});
