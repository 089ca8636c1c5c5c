import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { asPieces, readNamedFile } from "#cli/plugin-author/read-file.ts";
import { saveFile } from "#cli/save-file.ts";
import type { Terminal } from "#cli/terminal.ts";

type SignOptions = { key: string; out: string; publisher?: string };

/** `plugin sign`: says who made a package. */
export const addPluginSignCommand = (group: Command, cli: Cli): void => {
  group
    .command("sign")
    .argument("<file>", "the package")
    .requiredOption("--key <file>", 'the private key that keygen wrote; "-" reads standard input')
    .requiredOption("--out <file>", "the signed package to write")
    .option("--publisher <name>", "who you are, for people; servers show their own label of your key")
    .summary("sign a package")
    .description(
      "Puts a list of all files with their hashes into a package, and your signature of it. Servers that trust your public " +
        "key then take the package for yours, and refuse it once a byte is another.",
    )
    .addHelpText(
      "after",
      examples(
        [
          "With a key in a file",
          "atrium plugin sign visitor-notes.zip --key publisher.pem --out visitor-notes-signed.zip",
        ],
        [
          "With one out of a vault",
          "vault read plugin-key | atrium plugin sign a.zip --key - --publisher Northwind --out a-signed.zip",
        ],
      ),
    )
    .action(
      handler<SignOptions>(cli, async ({ args, composition, output, terminal }, options) => {
        const [file = ""] = args;
        const zip = await readNamedFile(file);
        const privateKey = await readKey(terminal, options.key);
        const tools = await composition.pluginTools();
        const signed = await tools.sign(zip, {
          privateKey,
          publisher: options.publisher ?? "",
          signedAt: new Date().toISOString(),
        });
        await saveFile(options.out, asPieces(signed));
        const { manifest } = await tools.verify(signed, []);
        const { name, version } = manifest;
        const keyId = tools.keyIdOf(privateKey);
        output.result(
          { file: options.out, name, version, keyId },
          () => `Signed ${name} ${version} with key ${keyId}, in ${options.out}`,
        );
      }),
    );
};

/** Throws `USAGE` for a file that others could have read the key from. */
const readKey = async (terminal: Terminal, path: string): Promise<string> => {
  if (path === "-") return new TextDecoder().decode(await terminal.readInput());
  const bytes = await readNamedFile(path);
  const { mode } = await stat(path);
  if (process.platform !== "win32" && (mode & 0o077) !== 0)
    throw new CliFailure("USAGE", `others may read ${path}: run chmod 600 ${path}, and think of a new key`);
  return new TextDecoder().decode(bytes);
};
