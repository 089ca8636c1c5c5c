import { expect, test } from "bun:test";
import { CliFailure } from "#cli/failure.ts";
import { reportFailure } from "./output.ts";
import { processTerminal } from "./terminal.ts";

test("a failure's id of a request steers no terminal, wherever it comes from", () => {
  let said = "";
  const err = (text: string) => {
    said += text;
  };
  const terminal = { ...processTerminal({ NO_COLOR: "1" }), err };
  const failure = new CliFailure("INTERNAL", "No", { requestId: "\u001b[2J\u202eid" });
  reportFailure(terminal, failure, { isJson: false, isServe: false });
  expect(said).toBe("error: No\n  requestId \uFFFD[2J\uFFFDid\n");
});
