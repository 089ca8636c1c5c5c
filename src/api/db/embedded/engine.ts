import { fsyncSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Extension, PGlite } from "@electric-sql/pglite";
import initdbWasm from "@electric-sql/pglite/initdb.wasm" with { type: "file" };
import { NodeFS } from "@electric-sql/pglite/nodefs";
import sharedFiles from "@electric-sql/pglite/pglite.data" with { type: "file" };
import engineWasm from "@electric-sql/pglite/pglite.wasm" with { type: "file" };
import trigramBundle from "../../../../node_modules/@electric-sql/pglite/dist/pg_trgm.tar.gz" with {
  type: "file",
};
import { isExecutable } from "../bundled-files.ts";

/** The running engine. */
export type Engine = PGlite;

export type EngineOptions = {
  /** Folder of the cluster. One without `PG_VERSION` is initialised, which takes seconds. */
  folder: string;
  /** Makes written data durable; replaced by tests that count. */
  fsync?: (fd: number) => void;
};

/** Opens the cluster in this thread, durably: each commit is on the disk before it is acknowledged. */
export const openEngine = async ({ folder, fsync = fsyncSync }: EngineOptions): Promise<Engine> => {
  const isFresh = !(await Bun.file(join(folder, "PG_VERSION")).exists());
  const [fsBundle, pgliteWasmModule, initdbWasmModule] = await Promise.all([
    openSharedFiles(),
    compile(engineWasm),
    isFresh ? compile(initdbWasm) : undefined,
  ]);
  // PGlite reads extensions with streams, which cannot open a file of the executable: it gets a copy.
  const trigramFile = `${folder}.pg_trgm.tar.gz`;
  await Bun.write(trigramFile, Bun.file(trigramBundle));
  try {
    const engine = await PGlite.create({
      fs: new DurableFolder(folder, fsync),
      pgliteWasmModule,
      ...(initdbWasmModule ? { initdbWasmModule } : {}),
      fsBundle,
      extensions: { pg_trgm: extensionFrom("pg_trgm", trigramFile) },
      initDbStartParams,
      startParams: [...PGlite.defaultStartParams.filter((param) => param !== "-F"), ...settings],
    });
    // A bundle that could not be read is only printed by PGlite; queries would fail long after.
    if (!engine.Module.FS.analyzePath("/pglite/lib/postgresql/pg_trgm.so").exists) {
      throw new Error("the extension pg_trgm could not be loaded");
    }
    return engine;
  } finally {
    await rm(trigramFile, { force: true });
  }
};

// Sixteen times smaller log files than the default: the log starts with several, and they are the folder's bulk.
const initDbStartParams = ["--wal-segsize=1"];

// `wal_sync_method` must be named: the default (fdatasync) does nothing in WebAssembly.
const settings = Object.entries({
  wal_sync_method: "fsync",
  shared_buffers: "16MB",
  wal_buffers: "1MB",
}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** One of the engine's own files, which the executable holds compressed. */
const readOwnFile = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = await Bun.file(path).bytes();
  return isExecutable ? new Uint8Array(await Bun.zstdDecompress(bytes)) : bytes;
};

const compile = async (path: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readOwnFile(path));

const openSharedFiles = async (): Promise<Blob> =>
  isExecutable ? new Blob([await readOwnFile(sharedFiles)]) : Bun.file(sharedFiles);

const extensionFrom = (name: string, file: string): Extension => ({
  name,
  setup: async () => ({ bundlePath: pathToFileURL(file) }),
});

/** A folder of the host. Emscripten's own has no `fsync`: without one, commits would stay in the page cache. */
class DurableFolder extends NodeFS {
  readonly #fsync: (fd: number) => void;

  constructor(folder: string, fsync: (fd: number) => void) {
    super(folder);
    this.#fsync = fsync;
  }

  override async init(...args: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(...args);
    const addFsync = (module: object): void => {
      streamOperations(module).fsync = (stream) => {
        this.#fsync(stream.nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}

type StreamOperations = { fsync?: (stream: { nfd: number }) => number };

/** Emscripten's operations on open host files, as in its source; its types lack them. */
const streamOperations = (module: object): StreamOperations =>
  (module as { NODEFS: { stream_ops: StreamOperations } }).NODEFS.stream_ops;
