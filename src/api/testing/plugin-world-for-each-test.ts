import { afterEach, beforeEach } from "bun:test";
import { createActivityReader } from "./activity-reader.ts";
import { databaseForFile } from "./database-for-file.ts";
import { createPluginWorld, type HostedWorld } from "./plugin-world.ts";
import { until } from "./until.ts";

const create = async (db: Parameters<typeof createPluginWorld>[0]) => {
  const world = createPluginWorld(db);
  const read = createActivityReader(world.ctx);
  await read();
  return { ...world, read };
};

/**
 * A world of plugins for each test of a file, on one database that is empty when a test begins. `read` returns the
 * activities that were recorded since it was last called. Await it at the top of the file.
 */
export const pluginWorldForEachTest = async () => {
  const { db } = await databaseForFile();
  let world: Awaited<ReturnType<typeof create>> | undefined;
  const current = () => {
    if (world === undefined) throw new Error("no test has begun yet");
    return world;
  };
  beforeEach(async () => {
    world = await create(db);
  });
  afterEach(async () => {
    await world?.close();
    for (const table of ["users", "plugins", "plugin_versions", "plugin_replicas", "plugin_keys"])
      await db.execute(`delete from ${table}`);
  });
  return {
    db,
    get world() {
      return current();
    },
    /** Type and severity of the activities since the last call. */
    recorded: async (): Promise<string[]> =>
      (await current().read()).map(({ type, severity }) => `${type} ${severity}`),
    /** A server's plugin host once `visitor-notes` is running there. */
    running: async (
      options: Parameters<ReturnType<typeof createPluginWorld>["createHost"]>[0] = {},
    ): Promise<HostedWorld> => {
      const hosted = current().createHost(options);
      hosted.host.start();
      await until(() => hosted.host.observe("visitor-notes").state === "running");
      return hosted;
    },
  };
};
