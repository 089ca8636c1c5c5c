import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { permissionText } from "#cli/permission-text.ts";
import { readNamedFile } from "#cli/plugin-author/read-file.ts";
import type { PluginSignature } from "#contract/plugins.ts";

/** `plugin verify`: what is in a package. */
export const addPluginVerifyCommand = (group: Command, cli: Cli): void => {
  group
    .command("verify")
    .argument("<file>", "the package")
    .option("--key <base64...>", "public keys that are trusted, as keygen prints them")
    .summary("look into a package")
    .description(
      "Reads a package as a server would, without running anything of it: what is in it, what it asks for, who signed it " +
        "and what is wrong. Ends with 1 when no server would install it.",
    )
    .addHelpText(
      "after",
      examples(
        ["What is in it", "atrium plugin verify visitor-notes.zip"],
        ["Whether a publisher signed it", "atrium plugin verify visitor-notes.zip --key lK2…="],
      ),
    )
    .action(
      handler<{ key?: string[] }>(cli, async ({ args, composition, output }, { key = [] }) => {
        const [file = ""] = args;
        const { verify } = await composition.pluginTools();
        const { manifest, files, signature, problems, sha256, sizeBytes } = await verify(
          await readNamedFile(file),
          key,
        );
        const { name, version, title, permissions } = manifest;
        const list = [...files].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }));
        output.result(
          { name, version, title, permissions, sizeBytes, sha256, signature, problems, files: list },
          (_, { bold, red }) =>
            [
              `${bold("plugin")}\t${name} ${version} (${title})`,
              `${bold("size")}\t${formatBytes(sizeBytes)}, ${list.length} files`,
              `${bold("sha256")}\t${sha256}`,
              `${bold("signature")}\t${signatureText(signature, file)}`,
              ...permissions.map(
                (wanted) =>
                  `${bold("asks for")}\t${[permissionText(wanted), wanted.reason].filter(Boolean).join(": ")}`,
              ),
              ...list.map((entry) => `${bold("file")}\t${entry.path} (${formatBytes(entry.sizeBytes)})`),
              ...problems.map(({ code, message }) => `${red("problem")}\t${code}: ${message}`),
            ]
              .map((line) => printable(line, "\t\u001b"))
              .join("\n"),
        );
        if (problems.length > 0) throw new CliFailure("CHECKS_FAILED", `${file} could not be installed`);
      }),
    );
};

const signatureText = ({ state, keyId, claimedKeyId }: PluginSignature, file: string): string => {
  const named = keyId ?? claimedKeyId;
  if (named === undefined) return state;
  if (state !== "unsigned") return `${state}, key ${named}`;
  // Nothing was verified: without the public key nobody can tell whether the signature is that key's.
  return `signed by a key that is not trusted here, key ${named}; check it with: atrium plugin verify ${file} --key PUBLIC-KEY (servers trust keys of: atrium plugin keys add)`;
};
