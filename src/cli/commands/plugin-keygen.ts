import { existsSync } from "node:fs";
import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { asPieces } from "#cli/plugin-author/read-file.ts";
import { saveFile } from "#cli/save-file.ts";

/** `plugin keygen`: a publisher's key pair. */
export const addPluginKeygenCommand = (group: Command, cli: Cli): void => {
  group
    .command("keygen")
    .requiredOption("--out <file>", "the file to write the private key to; it must not be there yet")
    .summary("make a key to sign packages with")
    .description(
      "Makes an Ed25519 key pair. The private key goes into a file that only you can read; the public key and its id are " +
        "printed, for the admins who are to trust what you sign.",
    )
    .addHelpText("after", examples(["Once for each publisher", "atrium plugin keygen --out publisher.pem"]))
    .action(
      handler<{ out: string }>(cli, async ({ composition, output }, { out }) => {
        if (existsSync(out))
          throw new CliFailure("USAGE", `${out} is there already, and a key is never overwritten`);
        const { command, generateKey } = await composition.pluginTools();
        const { privateKey, publicKey, keyId } = generateKey();
        await saveFile(out, asPieces(new TextEncoder().encode(privateKey)), { isNew: true });
        output.result({ file: out, publicKey, keyId }, () => `public key\t${publicKey}\nid\t${keyId}`);
        output.note(
          `The private key is in ${out}: keep it secret, and keep a copy.\n` +
            `Next, on each server that is to trust it: ${command} plugin keys add ${publicKey} --label <your name>`,
        );
      }),
    );
};
