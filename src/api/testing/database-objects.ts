import type { Services } from "#api/core/context.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import { createStorage } from "#api/modules/storage/index.ts";

/** The object store of an installation without a bucket: everything lies in the database. */
export const createDatabaseObjects = (
  services: Pick<Services, "db" | "clock" | "log" | "secrets" | "activity" | "settings">,
): ObjectStore =>
  createStorage({
    ...services,
    box: services.secrets,
    cache: { get: async () => null, put: async () => {} },
    openBucket: () => {
      throw new Error("this world has no buckets");
    },
  }).objects;
