import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import type { Command } from "commander";
import { openRunning, operationsOf } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { type Cli, examples, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { Planned, planOption } from "#cli/planned.ts";
import { counted, formatBytes } from "#cli/terminal/format.ts";
import { printable } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { saveFile } from "#cli/terminal/save-file.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import { isPluginName } from "#contract/plugin-names.ts";
import { trustTexts } from "#contract/plugin-texts.ts";
import type { PluginSignature, TrustedKey } from "#contract/plugins.ts";
import { permissionText } from "./plugin-changes.ts";

type CreateOptions = { dir?: string; withoutPage?: true };

/** `plugin create`: the folder of a new plugin. */
export const addPluginCreateCommand = (group: Command, cli: Cli): void => {
  group
    .command("create")
    .argument("<name>", "its name: lowercase letters, digits and hyphens")
    .option("--dir <folder>", "the folder to create; default: the plugin's name in the current folder")
    .option("--without-page", "without a page in the admin area")
    .summary("create a new plugin")
    .description(
      "Creates a folder with the source of the plugin template under a new name. It builds, runs and passes its tests, " +
        "has an example of everything a plugin can do, and the command says what to do next. The name must be available and the folder empty.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["In ./visitor-notes", "atrium plugin create visitor-notes"],
        [
          "Elsewhere, without a page",
          "atrium plugin create visitor-notes --without-page --dir ~/plugins/notes",
        ],
      ),
    )
    .action(
      handler<CreateOptions>(cli, async (invocation, { dir, withoutPage }) => {
        const [name = ""] = invocation.args;
        const folder = dir ?? name;
        const running = await askServer(invocation, name);
        await checkFolder(folder);
        if (invocation.isPlan)
          throw new Planned({
            words: `Would create the plugin ${name} in ${shownPath(folder)}`,
            call: null,
          });
        const { command, starterFiles } = await invocation.composition.pluginTools();
        const schema = `${running ?? originOf(invocation)}/api/plugin-host/manifest.schema.json`;
        const files = starterFiles({ name, hasPage: withoutPage !== true, schema });
        for (const [path, text] of files) {
          const target = join(folder, path);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, text, { flag: "wx" });
        }
        const at = shownPath(folder);
        invocation.output.result({ name, folder, files: [...files.keys()] }, () =>
          [
            `Created ${at} with ${files.size} files. Next${running === null ? `, with a server running (${command} serve)` : ""}:`,
            "",
            `  ${command} plugin dev ${at}`,
            "",
            "It builds the plugin, asks for its permissions, runs it, and rebuilds it after each change.",
            `${placeOf(running, name)}. More is in ${at}/README.md.`,
          ].join("\n"),
        );
      }),
    );
};

/**
 * Where the running server is, or `null` when none runs. Throws `USAGE` for a name that no plugin can have, or that one of
 * the server's has.
 */
const askServer = async ({ composition, remote }: Invocation, name: string): Promise<string | null> => {
  if (!isPluginName(name))
    throw usage(
      `${name} is not a valid plugin name: use 2 to 40 lowercase letters, digits and hyphens, starting with a letter; names used by Atrium itself are reserved`,
    );
  const client = await openRunning(composition, await remote());
  if (client === null) return null;
  try {
    const plugins = (await operationsOf(client).plugins.list()).data;
    if (plugins.some((plugin) => plugin.name === name))
      throw usage(`the running server already has a plugin ${name}`);
    return (await operationsOf(client).system.info()).data.appUrl;
  } finally {
    await client.close();
  }
};

/** Throws `USAGE` unless the folder is empty or is not there. */
const checkFolder = async (folder: string): Promise<void> => {
  const entries = await readdir(folder).catch((error) => {
    if (Reflect.get(Object(error), "code") === "ENOENT") return [];
    throw usage(`${folder} is not a usable folder`, { cause: error });
  });
  if (entries.length > 0) throw usage(`${folder} is not empty`);
};

// Which address a server that runs elsewhere has is not known here.
const placeOf = (running: string | null, name: string): string =>
  running === null
    ? `Open it on that server at /admin/plugins/${name}`
    : `Open it at ${running}/admin/plugins/${name}`;

/** Where a server would be. */
const originOf = ({ composition }: Invocation): string => {
  const { appUrl, port } = composition.config();
  return appUrl ?? `http://localhost:${port === 0 ? 3000 : port}`;
};

/** `plugin pack`: a folder becomes a package. */
export const addPluginPackCommand = (group: Command, cli: Cli): void => {
  group
    .command("pack")
    .argument("<folder>", "the plugin's folder")
    .option("--out <file>", "the package to write; default: <name>-<version>.zip in the current folder")
    .summary("pack a plugin's folder into a package")
    .description(
      "Bundles the sources, checks everything as a server would, and writes the package. The same sources always give the same " +
        "bytes. Sources, tests, hidden files, keys and node_modules are not included.",
    )
    .addHelpText(
      "after",
      examples(["Pack a folder", "atrium plugin pack ./visitor-notes --out visitor-notes.zip"]),
    )
    .action(
      handler<{ out?: string }>(cli, async ({ args, composition, output, terminal }, { out }) => {
        const [folder = ""] = args;
        const { command, pack } = await composition.pluginTools();
        const { zip, manifest, files } = await duringStep(
          createProgress(terminal),
          `packing ${printable(folder)}`,
          () => pack(folder),
        );
        const { name, version } = manifest;
        const file = out ?? `${name}-${version}.zip`;
        const sizeBytes = await saveFile(file, asPieces(zip));
        output.result({ file, name, version, sizeBytes, files }, () =>
          printable(
            `Packed ${name} ${version}: ${counted(files.length, "file")}, ${formatBytes(sizeBytes)}, in ${file}`,
          ),
        );
        output.note(`Next: ${command} plugin install ${shownPath(file)} --enable`);
      }),
    );
};

/** `plugin keygen`: a publisher's key pair. */
export const addPluginKeygenCommand = (group: Command, cli: Cli): void => {
  group
    .command("keygen")
    .requiredOption("--out <file>", "the new file to write the private key to")
    .summary("create a key pair to sign packages")
    .description(
      "Creates an Ed25519 key pair. The private key is written to a file that only you can read; the public key and its id are " +
        "printed, for admins who want to trust your packages.",
    )
    .addHelpText("after", examples(["Once per publisher", "atrium plugin keygen --out publisher.pem"]))
    .action(
      handler<{ out: string }>(cli, async ({ composition, output }, { out }) => {
        if (existsSync(out)) throw usage(`${out} already exists, and a key is never overwritten`);
        const { command, generateKey } = await composition.pluginTools();
        const { privateKey, publicKey, keyId } = generateKey();
        await saveFile(out, asPieces(new TextEncoder().encode(privateKey)), { isNew: true });
        output.result({ file: out, publicKey, keyId }, () => `public key\t${publicKey}\nid\t${keyId}`);
        output.note(
          `The private key is in ${out}. Keep it secret, and keep a backup.\n` +
            `Next, on each server that should trust it: ${command} plugin keys add ${publicKey} --label <your name>`,
        );
      }),
    );
};

type SignOptions = { key: string; out: string; publisher?: string };

/** `plugin sign`: says who made a package. */
export const addPluginSignCommand = (group: Command, cli: Cli): void => {
  group
    .command("sign")
    .argument("<file>", "the package")
    .requiredOption("--key <file>", 'the private key written by keygen; "-" reads standard input')
    .requiredOption("--out <file>", "the signed package to write")
    .option("--publisher <name>", "your name as publisher; servers show their own label for your key")
    .summary("sign a package")
    .description(
      "Adds a signed list of all files with their hashes to a package. Servers that trust your public " +
        "key then accept the package as yours, and reject it if a single byte was changed.",
    )
    .addHelpText(
      "after",
      examples(
        [
          "With a key in a file",
          "atrium plugin sign visitor-notes.zip --key publisher.pem --out visitor-notes-signed.zip",
        ],
        [
          "With a key from a vault",
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
    throw usage(`other users can read ${path}: run chmod 600 ${path} and consider creating a new key`);
  return new TextDecoder().decode(bytes);
};

/** `plugin verify`: what is in a package. */
export const addPluginVerifyCommand = (group: Command, cli: Cli): void => {
  group
    .command("verify")
    .argument("<file>", "the package")
    .option("--key <base64...>", "public keys to trust, as printed by keygen")
    .summary("check a package")
    .description(
      "Reads a package as a server would, without running any of its code, and shows its content, permissions, signature " +
        "and problems. With --url the keys trusted by that server count too. Ends with 1 if it can't be installed.",
    )
    .addHelpText(
      "after",
      examples(
        ["Check a package", "atrium plugin verify visitor-notes.zip"],
        [
          "Check whether a server trusts its publisher",
          "atrium plugin verify visitor-notes.zip --url https://atrium.example",
        ],
        ["Check whether a publisher signed it", "atrium plugin verify visitor-notes.zip --key lK2…="],
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
                  `${bold("permission")}\t${[permissionText(wanted), wanted.reason].filter(Boolean).join(": ")}`,
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
          throw new CliFailure("CHECKS_FAILED", `${file} can't be installed: ${trustTexts.revoked}`);
        if (problems.length > 0) throw new CliFailure("CHECKS_FAILED", `${file} can't be installed`);
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
  // Nothing was verified: only the public key shows whether the signature is its own.
  return `signed by a key that is not trusted here, key ${named}; check it with: atrium plugin verify ${file} --key PUBLIC-KEY (to make a server trust a key: atrium plugin keys add)`;
};

/** The bytes of a file that the operator named. Throws `USAGE` when it cannot be read. */
const readNamedFile = async (path: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    const reason = String(Reflect.get(Object(error), "code") ?? "unknown reason");
    throw usage(`cannot read ${path} (${reason})`, { cause: error });
  }
};

/** A file that is made in one piece, as {@link saveFile} takes it. */
const asPieces = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
};

/** A path as it can be typed: one below the current folder begins with a dot, so that it is taken for no name. */
const shownPath = (path: string): string => (isAbsolute(path) || path.startsWith(".") ? path : `./${path}`);
