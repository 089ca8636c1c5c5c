import { readTar } from "../embedded/unpack-cluster.ts";

/** Reads a snapshot from end to end. Throws when it is cut short or changed; what is in it is not looked at. */
export const checkSnapshot = async (path: string): Promise<void> => {
  let last = "";
  await readTar(path, async (name) => {
    last = name;
  });
  if (last !== lastEntry) throw new Error("it is cut short");
};

/** What is written at the very end of a snapshot. */
const lastEntry = "backup_label";
