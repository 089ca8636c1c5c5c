import type { Command } from "commander";
import { isServerRunning } from "#cli/client/transport.ts";
import { toFailure } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, handler } from "#cli/invocation.ts";
import { formatBytes } from "#cli/terminal/format.ts";
import { printable } from "#cli/terminal/output.ts";
import { createProgress } from "#cli/terminal/progress.ts";
import { refuseExisting, saveFile } from "#cli/terminal/save-file.ts";
import { type BundlePart, type BundleSources, collectParts, missingParts } from "./collect-parts.ts";
import { createScrubber } from "./scrub.ts";

type BundleOptions = GlobalOptions & { out?: string; log?: string };

/** What `support-bundle` made: where it is, and what is in it. */
type MadeBundle = {
  file: string;
  sizeBytes: number;
  parts: Pick<BundlePart, "file" | "about" | "problem">[];
};

/** `support-bundle`: one file with everything that helps support to find a problem. */
export const addSupportBundleCommand = (program: Command, cli: Cli): void => {
  program
    .command("support-bundle")
    .summary("collect what support needs to find a problem")
    .description(
      "Writes a gzipped tar file with versions, configuration, checks, states, sizes, metrics and the end of the log, with " +
        "or without a running server, even if it can't start: parts that can't be collected say why. Secrets are " +
        "left out, and email and IP addresses are replaced with names. Review it before you share it.",
    )
    .option(
      "--out <file>",
      "the new file to write; default: atrium-support-<time>.tar.gz in the current folder",
    )
    .option(
      "--log <file>",
      'the server\'s log, of which the last 5,000 lines are included; "-" reads standard input',
    )
    .addHelpText(
      "after",
      examples(
        ["To the current folder", "atrium support-bundle"],
        ["With the log of a systemd unit", "journalctl -u atrium -o cat | atrium support-bundle --log -"],
        [
          "With the log of a container",
          "docker logs atrium 2>&1 | atrium support-bundle --log - --out bundle.tar.gz",
        ],
        ["List its content", "tar -tzf bundle.tar.gz"],
      ),
    )
    .action(
      handler<BundleOptions>(
        cli,
        async ({ composition, output, terminal }, options) => {
          const name = `atrium-support-${new Date().toISOString().replace(/[-:]|\..*/g, "")}`;
          const file = options.out ?? `${name}.tar.gz`;
          await refuseExisting(file);
          const log = await logOf(options.log, terminal.readInput);
          const progress = createProgress(terminal);
          const parts = await collectParts({
            composition,
            scrub: createScrubber(composition.secretTexts()),
            version: program.version() ?? "unknown",
            absence: await absenceOf(composition.controlSocket),
            log,
            onPart: (part, { at, of }) => progress.show(() => `${at} of ${of}: ${part}`, { isStep: true }),
          }).finally(progress.end);
          const { packBundle } = await import("./pack-bundle.ts");
          const sizeBytes = await saveFile(file, packBundle(name, parts), { isNew: true });
          const told = parts.map(({ text: _text, ...part }) => part);
          output.result({ file, sizeBytes, parts: told }, bundleText);
        },
        { isLocal: true, isDiagnosis: true },
      ),
    );
};

/** Why no server can be asked, alike for all that only a server knows; `null` while one runs. */
const absenceOf = async (controlSocket: string): Promise<string | null> => {
  try {
    return (await isServerRunning(controlSocket)) ? null : notRunning;
  } catch (error) {
    return toFailure(error).message;
  }
};

const notRunning = "no server is running on this data folder; a bundle created while one runs includes them";

const logOf = async (
  given: string | undefined,
  readInput: () => Promise<Uint8Array>,
): Promise<BundleSources["log"]> => {
  if (given === undefined) return null;
  return given === "-" ? { text: new TextDecoder().decode(await readInput()) } : { path: given };
};

const bundleText = ({ file, sizeBytes, parts }: MadeBundle): string =>
  [
    `${printable(file)}\t${formatBytes(sizeBytes)}`,
    ...parts.flatMap(({ file: name, about, problem }) => (problem === null ? [`  ${name}: ${about}`] : [])),
    ...missingParts(parts).map((line) => printable(line)),
  ].join("\n");
