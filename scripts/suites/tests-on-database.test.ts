import { describe, expect, test } from "bun:test";
import { testsOnDatabase } from "./suites.ts";

describe("of the server's tests, those on a database", () => {
  const chosen = (...files: string[]) => testsOnDatabase(files);

  test("are found however many modules lie between", () => {
    const files = [
      "src/api/modules/auth/login.test.ts",
      "src/api/http/access.test.ts",
      "src/api/plugin-host/host-functions/kv-functions.test.ts",
    ];
    expect(chosen(...files)).toEqual(files);
  });

  test("are told from those that have none", () => {
    expect(
      chosen("src/api/contract/json-schema.test.ts", "src/api/plugin-host/package/read-zip.test.ts"),
    ).toEqual([]);
  });

  test("are found behind one that leads back to where it began", () => {
    const first = chosen("src/api/contract/safe-path.test.ts", "src/api/modules/users/create-user.test.ts");
    expect(first).toEqual(["src/api/modules/users/create-user.test.ts"]);
  });
});
