import { expect, test } from "bun:test";
import packageJson from "../../../../../package.json" with { type: "json" };
import { interpreterFile } from "../child/interpreter-file.ts";
import madeFrom from "./made-from.json" with { type: "json" };

test("the interpreter is the file that was made from the package that this version names", async () => {
  expect({ [madeFrom.package]: madeFrom.version }).toEqual({
    "@jitl/quickjs-wasmfile-release-sync": packageJson.dependencies["@jitl/quickjs-wasmfile-release-sync"],
  });
  expect(Bun.SHA256.hash(await Bun.file(interpreterFile).bytes(), "hex")).toBe(madeFrom.sha256);
});
