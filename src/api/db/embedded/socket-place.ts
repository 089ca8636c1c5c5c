import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Where the database process listens. */
export type SocketPlace = { path: string; remove(): void };

/** The data folder, or a private temporary one where its path is too long for a socket. */
export const chooseSocketPlace = (dataDir: string): SocketPlace => {
  const path = join(dataDir, "database.sock");
  // In the data folder only the holder of its lock may remove it, and that is the database process: from here it
  // could be the socket of another server that has just taken the folder.
  if (Buffer.byteLength(path) <= longestPathBytes) return { path, remove: () => {} };
  const folder = mkdtempSync(join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), "atrium-"));
  const shortPath = join(folder, "database.sock");
  return { path: shortPath, remove: () => rmSync(dirname(shortPath), { recursive: true, force: true }) };
};

/** `sun_path` without its last zero: 107 on Linux, 103 on macOS. */
const longestPathBytes = 103;
