import { statfsSync } from "node:fs";
import { type Check, fail, ok, warn } from "./check.ts";
import { existingParent } from "./existing-parent.ts";

/** Free entries for files where the data folder lies: a disk can be full of small files. */
export const checkInodes = (dataDir: string): Check => {
  const name = "free inodes";
  const { files, ffree } = statfsSync(existingParent(dataDir));
  // Btrfs, and what is not a disk, count none.
  if (files === 0) return ok(name, "not counted by this file system");
  const detail = `${ffree} of ${files} free`;
  if (ffree < leastInodes)
    return fail(name, detail, "the database makes files: remove what has many, df -i says where");
  if (ffree < files * sparseShare)
    return warn(name, detail, "find what makes so many files: df -i says where");
  return ok(name, detail);
};

/** Whether the data folder lies on something that keeps what was written. `isEmbedded`: the database lies there too. */
export const checkFileSystem = (
  dataDir: string,
  isEmbedded: boolean,
  statfs: (path: string) => { type: number } = statfsSync,
): Check => {
  const name = "file system";
  const kind = fileSystems.get(statfs(existingParent(dataDir)).type >>> 0);
  if (kind === undefined) return ok(name, "a local one");
  if (kind.keeps === "nothing")
    return warn(
      name,
      `${dataDir} lies on ${kind.name}, which is gone with ${kind.goneWith}`,
      "put it on a disk; a container needs a volume for it",
    );
  if (!isEmbedded) return ok(name, kind.name);
  return warn(
    name,
    `${dataDir} lies on ${kind.name}: another machine could open the embedded database too, and locks may not hold`,
    "put it on a local disk, or use PostgreSQL: DATABASE_URL",
  );
};

type FileSystem = { name: string } & ({ keeps: "all" } | { keeps: "nothing"; goneWith: string });

const network = (name: string): FileSystem => ({ name, keeps: "all" });
const passing = (name: string, goneWith: string): FileSystem => ({ name, keeps: "nothing", goneWith });

// Numbers of statfs(2), "Filesystem types".
const fileSystems: ReadonlyMap<number, FileSystem> = new Map([
  [0x6969, network("NFS")],
  [0xff534d42, network("CIFS")],
  [0xfe534d42, network("SMB")],
  [0x517b, network("SMB")],
  [0x00c36400, network("Ceph")],
  [0x0bd00bd0, network("Lustre")],
  [0x47504653, network("GPFS")],
  [0x01021997, network("a folder of the host (9p)")],
  [0x65735546, network("FUSE, which is often a network")],
  [0x01021994, passing("tmpfs", "the next restart of the machine")],
  [0x858458f6, passing("ramfs", "the next restart of the machine")],
  [0x794c7630, passing("the container's own layer (overlay)", "the container")],
]);

const leastInodes = 1_000;
const sparseShare = 0.05;
