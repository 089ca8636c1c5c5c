import { digestOf } from "#api/core/digest-of.ts";
import type { ObjectStore } from "#api/core/objects.ts";

/** Objects in memory. */
export const createMemoryObjects = (): ObjectStore => {
  const kept = new Map<string, { bytes: Uint8Array; contentType: string }>();
  return {
    put: async (key, bytes, { contentType }) => void kept.set(key, { bytes: bytes.slice(), contentType }),
    get: async (key) => kept.get(key)?.bytes ?? null,
    delete: async (key) => void kept.delete(key),
    list: async (prefix) =>
      [...kept]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { bytes, contentType }]) => ({
          key,
          sizeBytes: bytes.length,
          digest: digestOf(bytes),
          contentType,
          createdAt: new Date(0),
        })),
    state: () => Promise.reject(new Error("Objects in memory have no state")),
  };
};
