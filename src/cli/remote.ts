import { readFile } from "node:fs/promises";
import type { Remote } from "./client.ts";
import { CliFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** Where the operator says that the server is. */
export type RemoteOptions = { url?: string; tokenFile?: string };

/**
 * The remote server named by `--url` or `ATRIUM_URL`, with the token of `--token-file` or `ATRIUM_TOKEN`; `null` when
 * none is named. Throws `USAGE` for an address that would give the token away, and for an unusable token.
 */
export const readRemote = async (options: RemoteOptions, terminal: Terminal): Promise<Remote | null> => {
  const address = options.url ?? (terminal.env.ATRIUM_URL || undefined);
  if (address === undefined) {
    if (options.tokenFile !== undefined)
      throw new CliFailure("USAGE", "--token-file needs --url or ATRIUM_URL");
    return null;
  }
  return { origin: originOf(address), token: await readToken(options, terminal) };
};

const originOf = (address: string): string => {
  const url = /^https?:\/\/[^/?#]+\/?$/i.test(address) ? URL.parse(address) : null;
  if (!url)
    throw new CliFailure("USAGE", "the server's address must look like https://atrium.example, without path");
  if (url.username !== "" || url.password !== "") {
    throw new CliFailure("USAGE", "the server's address must not hold a user name or password");
  }
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !isLoopback) {
    throw new CliFailure("USAGE", "the server's address must begin with https:// (http only for localhost)");
  }
  return url.origin;
};

const readToken = async ({ tokenFile }: RemoteOptions, terminal: Terminal): Promise<string | null> => {
  const text = tokenFile === undefined ? terminal.env.ATRIUM_TOKEN : await tokenFrom(tokenFile, terminal);
  const token = text?.trim() ?? "";
  if (token === "" && tokenFile === undefined) return null;
  if (!/^[\x21-\x7e]{1,512}$/.test(token))
    throw new CliFailure("USAGE", "the API token is empty or malformed");
  return token;
};

const tokenFrom = async (tokenFile: string, terminal: Terminal): Promise<string> => {
  if (tokenFile === "-") return new TextDecoder().decode(await terminal.readInput());
  try {
    return await readFile(tokenFile, "utf8");
  } catch (error) {
    throw new CliFailure("USAGE", `cannot read the token file ${tokenFile}`, { cause: error });
  }
};
