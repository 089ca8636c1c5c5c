export { createStorage, partBytes } from "./create-storage.ts";
export type { StorageWorker } from "./storage-worker.ts";
export { readOwnName } from "./store.ts";
