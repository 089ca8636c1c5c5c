/**
 * A process that does nothing but move stored objects, to be killed: `bun storage-mover.ts`, with the database, the folder
 * of the cache, the secret's bytes and the bucket (JSON, or `null`) in its environment.
 */
import { createObjectCache } from "#api/adapters/object-store/object-cache.ts";
import { openS3Bucket } from "#api/adapters/object-store/s3-client.ts";
import { systemClock } from "#api/core/clock.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { createStorage } from "#api/modules/storage/index.ts";
import { testContext } from "#api/testing/context.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";

const { MOVER_DATABASE = "", MOVER_FOLDER = "", MOVER_BUCKET = "null", MOVER_ORIGIN = "" } = process.env;
const { db } = openPostgres(MOVER_DATABASE);
const ctx = testContext({ db });
const settings = createFixedSettings();
settings.setBucket(JSON.parse(MOVER_BUCKET));
const { worker } = createStorage({
  ...ctx,
  clock: systemClock,
  settings,
  box: ctx.secrets,
  cache: createObjectCache({ folder: MOVER_FOLDER }),
  openBucket: (target) => openS3Bucket(target, { otherOrigins: [MOVER_ORIGIN] }),
  rest: async () => {},
});
console.log("moving");
await worker.look();
console.log("done");
process.exit(0);
