import { expect, test } from "bun:test";
import { chownSync, readdirSync } from "node:fs";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import { UnfitDatabaseError } from "#api/db/embedded/errors.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { createOperatorBackups } from "./operator-backups.ts";

const unread = async function* (): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error("the backup was read"));
};

test.skipIf(process.getuid?.() !== 0)(
  "root neither restores nor verifies in somebody else's data folder, reads nothing and leaves nothing there",
  async () => {
    const folder = makeDataFolder();
    const tools = createOperatorBackups({
      config: readConfig({ DATA_DIR: folder.path }, false),
      log: createRecordingLog(),
      clock: systemClock,
      version: "1.0.0",
    });
    const before = readdirSync(folder.path);
    chownSync(folder.path, 4_000_000, 4_000_000);
    const input = () => ({ bytes: unread(), passphrase: null, identities: [], onProgress: () => {} });
    const refusals = [
      await failureOf(tools.verify(input())),
      await failureOf(tools.restore({ ...input(), isDroppingSecrets: false, isReplacing: false })),
    ];
    for (const refused of refusals) {
      expect(refused).toBeInstanceOf(UnfitDatabaseError);
      expect(String(refused)).toContain("could not use what root leaves there");
    }
    expect(readdirSync(folder.path)).toEqual(before);
    folder.remove();
  },
);
