import { readFile } from "node:fs/promises";
import { CliFailure } from "#cli/failure.ts";

/** The bytes of a file that the operator named. Throws `USAGE` when it cannot be read. */
export const readNamedFile = async (path: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    const reason = String(Reflect.get(Object(error), "code") ?? "no reason given");
    throw new CliFailure("USAGE", `cannot read ${path} (${reason})`, { cause: error });
  }
};

/** A file that is made in one piece, as {@link saveFile} takes it. */
export const asPieces = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
};
