import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { printable } from "#cli/output.ts";
import { permissionText } from "#cli/permission-text.ts";
import { readNamedFile } from "#cli/plugin-author/read-file.ts";
import type { PluginSignature, TrustedKey } from "#contract/plugins.ts";
import { trustTexts } from "#contract/upload-texts.ts";

/** `plugin verify`: what is in a package. */
export const addPluginVerifyCommand = (group: Command, cli: Cli): void => {
  group
    .command("verify")
    .argument("<file>", "the package")
    .option("--key <base64...>", "public keys that are trusted, as keygen prints them")
    .summary("look into a package")
    .description(
      "Reads a package as a server would, without running anything of it: what is in it, what it asks for, who signed it " +
        "and what is wrong. With --url the keys that this server trusts count too. Ends with 1 when it could not be installed.",
    )
    .addHelpText(
      "after",
      examples(
        ["What is in it", "atrium plugin verify visitor-notes.zip"],
        [
          "Whether a server trusts who signed it",
          "atrium plugin verify visitor-notes.zip --url https://atrium.example",
        ],
        ["Whether a publisher signed it", "atrium plugin verify visitor-notes.zip --key lK2…="],
      ),
    )
    .action(
      handler<{ key?: string[] }>(cli, async (invocation, { key = [] }) => {
        const { args, composition, output } = invocation;
        const [file = ""] = args;
        const known = (await invocation.remote()) === null ? [] : await keysOf(invocation);
        const { verify } = await composition.pluginTools();
        const { manifest, files, signature, problems, sha256, sizeBytes } = await verify(
          await readNamedFile(file),
          [...key, ...known.filter(({ revokedAt }) => revokedAt === null).map(({ publicKey }) => publicKey)],
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
              `${bold("signature")}\t${signatureText(signature, file, known)}`,
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
        const revoked = known.find(
          ({ keyId, revokedAt }) =>
            revokedAt !== null && (keyId === signature.keyId || keyId === signature.claimedKeyId),
        );
        if (revoked !== undefined)
          throw new CliFailure("CHECKS_FAILED", `${file} could not be installed: ${trustTexts.revoked}`);
        if (problems.length > 0) throw new CliFailure("CHECKS_FAILED", `${file} could not be installed`);
      }),
    );
};

/** The keys that the named server trusts or trusted. */
const keysOf = async (invocation: Invocation): Promise<TrustedKey[]> => {
  const { keys } = (await withClient(invocation, (client) => operationsOf(client).pluginKeys.list())).data;
  return keys;
};

const signatureText = (
  { state, keyId, claimedKeyId }: PluginSignature,
  file: string,
  known: readonly TrustedKey[],
): string => {
  const named = keyId ?? claimedKeyId;
  if (named === undefined) return state;
  const label = known.find((key) => key.keyId === named)?.label;
  if (state !== "unsigned")
    return [state, ...(label === undefined ? [] : [`by ${label}`]), `key ${named}`].join(", ");
  // Nothing was verified: without the public key nobody can tell whether the signature is that key's.
  return `signed by a key that is not trusted here, key ${named}; check it with: atrium plugin verify ${file} --key PUBLIC-KEY (servers trust keys of: atrium plugin keys add)`;
};
