import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFilterBuilder, writeFilterFile } from "./filter-file.ts";

/** Where an installation keeps the breached passwords of its operator. */
export const breachFilterIn = (dataDir: string): string => join(dataDir, "breached-passwords");

/** A list of hashes that can't be used; the message says which line, and what to do. */
export class UnusableListError extends Error {
  override readonly name = "UnusableListError";
}

type BuildOptions = {
  /** Leaves out passwords that were seen less often. */
  atLeast: number;
  signal?: AbortSignal;
};

// A hash, and behind a colon how often it was seen.
const row = /^([0-9A-Fa-f]{40})(?::(\d{1,12}))?$/;

/**
 * Makes the filter at `path` from lines of `SHA-1:count` in the order of their hashes, as Have I Been Pwned publishes them; a
 * line without a count counts as seen often. The old filter stays until the new one is complete. Resolves to how many
 * passwords it holds. Throws {@link UnusableListError}, and what the disk says.
 */
export const buildBreachFilter = async (
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { atLeast, signal }: BuildOptions,
): Promise<number> => {
  const builder = createFilterBuilder();
  let number = 0;
  for await (const line of linesOf(chunks)) {
    signal?.throwIfAborted();
    number += 1;
    if (line === "") continue;
    const [, hash, count] = row.exec(line) ?? [];
    if (hash === undefined)
      throw new UnusableListError(
        `Line ${number} is not a SHA-1 hash with a count, such as "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3".`,
      );
    if (count !== undefined && Number(count) < atLeast) continue;
    if (!builder.add(hash))
      throw new UnusableListError(
        `Line ${number} comes before the line above it. Sort the list by hash first, for example with: LC_ALL=C sort.`,
      );
  }
  if (builder.count() === 0) throw new UnusableListError("The list has no password to keep.");
  const unfinished = `${path}.new`;
  try {
    rmSync(unfinished, { force: true });
    writeFilterFile(unfinished, builder.parts());
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return builder.count();
};

// Longer lines are none of such a list.
const longestLine = 1_000;

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("latin1");
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.trimEnd();
    if (rest.length > longestLine) yield rest;
  }
  if (rest !== "") yield rest.trimEnd();
}
