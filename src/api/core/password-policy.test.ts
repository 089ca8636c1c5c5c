import { describe, expect, test } from "bun:test";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { checkNewPassword } from "./password-policy.ts";

const database = await databaseForFile();
const ctx = testContext(database);

const ada = { name: "Ada Lovelace", email: "countess.ada@engine.example" };
const complaintAbout = (password: string, owner = ada) =>
  checkNewPassword(ctx, password, owner).then(
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

describe("a new password that is looked up among breached ones", () => {
  const checked = (verdict: Awaited<ReturnType<TestContext["breachCheck"]>>) => {
    const asked: string[] = [];
    const recorded: string[] = [];
    const world: TestContext = {
      ...testContext(database),
      breachCheck: async (password) => {
        asked.push(password);
        return verdict;
      },
      activity: { ...ctx.activity, note: ({ entry }) => void recorded.push(entry.action) },
    };
    const complaint = (password: string) =>
      checkNewPassword(world, password, ada).then(
        () => null,
        (error) => error.errors,
      );
    return { asked, recorded, complaint };
  };

  test("is refused when it is one of them", async () => {
    const { complaint } = checked("breached");
    expect(await complaint("gxkqvzwj")).toEqual(refusal(authTexts.passwordBreached));
  });

  test("is not looked up when it is refused anyway", async () => {
    const { asked, complaint } = checked("breached");
    await complaint("password");
    await complaint("adalovelace");
    expect(asked).toEqual([]);
  });

  test("passes when that could not be found out, which the log says once an hour", async () => {
    const { recorded, complaint } = checked("unknown");
    for (const password of ["gxkqvzwj", "jwzvqkxg"]) expect(await complaint(password)).toBeNull();
    expect(recorded).toEqual(["Could not check a new password against data breaches"]);
  });
});
