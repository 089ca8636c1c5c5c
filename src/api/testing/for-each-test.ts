import { afterAll, afterEach, beforeEach } from "bun:test";
import { makeDataFolder } from "./data-folder.ts";

/** A new data folder for each test of a file, removed after it. Call it at the top of the file. */
export const dataFolderForEachTest = (): { readonly path: string } => {
  let folder: ReturnType<typeof makeDataFolder> | undefined;
  beforeEach(() => {
    folder = makeDataFolder();
  });
  afterEach(() => folder?.remove());
  return {
    get path() {
      if (folder === undefined) throw new Error("no test has begun yet");
      return folder.path;
    },
  };
};

/** A new folder for all tests of a file, removed after them: its path. Call it at the top of the file. */
export const folderForFile = (): string => {
  const folder = makeDataFolder();
  afterAll(folder.remove);
  return folder.path;
};

/** What has to end after each test, the latest first: tests add to the list. Call it at the top of the file. */
export const endAfterEachTest = (): (() => unknown)[] => {
  const endings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
  return endings;
};
