import type { Command } from "commander";
import { isWithoutInstallation } from "#cli/failure.ts";
import { type Cli, examples, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { formatBytes } from "#cli/terminal/format.ts";
import { createOutput, jsonLine } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { saveFile } from "#cli/terminal/save-file.ts";

/** `openapi`: the API's own description. */
export const addOpenApiCommand = (program: Command, cli: Cli): void => {
  program
    .command("openapi")
    .option("--out <file>", "write to this file instead of standard output")
    .summary("print the API description")
    .description(
      "Prints the OpenAPI 3.1 document of every endpoint, including those of enabled plugins: of the running server, or of the " +
        "installation in the data folder. Without an installation it describes what every installation has. Always JSON.",
    )
    .addHelpText(
      "after",
      examples(
        ["To a file", "atrium openapi --out openapi.json"],
        ["List every path", "atrium openapi | jq -r '.paths | keys[]'"],
        ["Of another server", "atrium openapi --url https://atrium.example --out openapi.json"],
      ),
    )
    .action(
      handler<{ out?: string }>(cli, async (invocation, { out }) => {
        const document = await duringStep(
          createProgress(invocation.terminal),
          "fetching the API description",
          () => describe(invocation),
        );
        if (out === undefined) return createOutput(invocation.terminal, true).result(document, jsonLine);
        const sizeBytes = await saveFile(out, bytesOf(document));
        invocation.output.result({ file: out, sizeBytes }, () => `Saved ${formatBytes(sizeBytes)} to ${out}`);
      }),
    );
};

/** Where no installation has been begun there are no plugins to ask about, and none is begun for it. */
const describe = async (invocation: Invocation): Promise<object> => {
  try {
    return await withClient(invocation, (client) => client.describe());
  } catch (error) {
    if (isWithoutInstallation(error)) return invocation.composition.describeApi();
    throw error;
  }
};

const bytesOf = async function* (document: object): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
};
