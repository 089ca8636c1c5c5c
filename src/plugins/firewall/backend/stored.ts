import type { Json, Kv } from "#plugins/sdk/types.ts";
import { anyNumber, anyText, between, fits, type Of, object } from "./wire/shape.ts";

/** A JSON value larger than one stored value may be, changed as a whole. */
type PartedDocument = ReturnType<typeof createPartedDocument>;

/** What is stored is not what was written. */
export class DocumentDamaged extends Error {
  override name = "DocumentDamaged";
}

// A character of JSON has three bytes at most as JSON within JSON: an escape two, others up to three. A value has 64 KB.
const partLength = 20_000;
const mostParts = 400;
const tries = 5;

/** What a document contains; `null` where nothing was written or it is damaged. Throws what the store throws. */
export const readUndamaged = async (document: Pick<PartedDocument, "read">) => {
  try {
    return await document.read();
  } catch (error) {
    if (error instanceof DocumentDamaged) return null;
    throw error;
  }
};

/** The same values, with what is set from now on expiring after `ttlMs`. */
export const expiring = <T extends Pick<Kv, "set">>(kv: T, ttlMs: number): T => ({
  ...kv,
  set: (key, value, options) => kv.set(key, value, { ...options, ttlMs }),
});

/**
 * Does again what failed because somebody else was faster, five times in all: `turn` is 1 at first. Throws what it throws
 * otherwise.
 */
export const againOnConflict = async <T>(work: (turn: number) => Promise<T>, turn = 1): Promise<T> => {
  try {
    return await work(turn);
  } catch (error) {
    const isLate = error instanceof Error && error.name === "CONFLICT";
    if (!isLate || turn === tries) throw error;
    return againOnConflict(work, turn + 1);
  }
};

const storedHead = object({
  generation: anyText,
  parts: between(1, mostParts),
  ...{ length: anyNumber, checksum: anyNumber },
});
type Head = Of<typeof storedHead>;

/**
 * A document under `name`: its head tells which parts it consists of. Parts are written first and never changed, so that
 * nobody reads half of a change.
 */
export const createPartedDocument = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">, name: string) => {
  const keyOf = (generation: string, index: number) => `${name}:${generation}:${index}`;

  const readHead = async (): Promise<{ head: Head; version: number } | null> => {
    const entry = await kv.entry(name);
    return entry === undefined ? null : { head: headIn(entry.value), version: entry.version };
  };

  const readParts = async ({ generation, parts }: Head): Promise<string | null> => {
    const texts: string[] = [];
    for (let index = 0; index < parts; index += 1) {
      const part = await kv.get(keyOf(generation, index));
      if (typeof part !== "string") return null;
      texts.push(part);
    }
    return texts.join("");
  };

  const remove = async ({ generation, parts }: Head): Promise<void> => {
    for (let index = 0; index < parts; index += 1) await kv.delete(keyOf(generation, index));
  };

  return {
    /**
     * The value with its version; `null` where nothing was written yet. Throws {@link DocumentDamaged} when what is stored is
     * not what was written, and what the store throws.
     */
    read: async (): Promise<{ value: unknown; version: number } | null> => {
      let before = 0;
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const found = await readHead();
        if (found === null) return null;
        const text = await readParts(found.head);
        if (text !== null && text.length === found.head.length && checksumOf(text) === found.head.checksum)
          return { value: parsed(text), version: found.version };
        // Another one may have been written meanwhile, which takes the parts of this one away.
        if (found.version === before) break;
        before = found.version;
      }
      throw new DocumentDamaged(`${name} does not match its checksum`);
    },
    /** The version alone, 0 where nothing was written. */
    version: async () => (await kv.entry(name))?.version ?? 0,
    /**
     * Writes over that very version (0: over nothing) and resolves to the new one; throws `CONFLICT` when it is another by
     * now. Without `ifVersion` over whatever is there.
     */
    write: async (value: Json, ifVersion?: number) => {
      const text = JSON.stringify(value);
      const parts = Math.max(1, Math.ceil(text.length / partLength));
      if (parts > mostParts) throw new RangeError(`${name} is too large`);
      const generation = crypto.randomUUID().slice(0, 13);
      const head: Head = { generation, parts, length: text.length, checksum: checksumOf(text) };
      for (let index = 0; index < parts; index += 1)
        await kv.set(keyOf(generation, index), text.slice(index * partLength, (index + 1) * partLength));
      const replaced = await readHead().catch(() => null);
      try {
        const { version } = await kv.set(name, head, ifVersion === undefined ? {} : { ifVersion });
        if (replaced !== null) await remove(replaced.head).catch(() => {});
        return version;
      } catch (error) {
        await remove(head).catch(() => {});
        throw error;
      }
    },
  };
};

const headIn = (value: Json): Head => {
  if (!fits(storedHead, value)) throw new DocumentDamaged("the header of a document is damaged");
  return value;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DocumentDamaged("a document is not JSON", { cause });
  }
};

/** FNV-1a, 32 bits: finds what was damaged by accident. */
const checksumOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

/** A server's ID as it fits into a key. */
export const shortName = (replica: string): string =>
  replica.replace(/[^A-Za-z0-9]/g, "").slice(-12) || "one";

/** What each server shows the others of itself: one value under `name`, which expires after `ttlMs` without a new one. */
export const createPublished = (
  kv: Pick<Kv, "get" | "set" | "list">,
  { name, replica, ttlMs }: { name: string; replica: string; ttlMs: number },
) => {
  const own = shortName(replica);
  const prefix = `${name}:`;
  return {
    /** The short name of this server. */
    own,
    /** Replaces what this server shows. Throws what the store throws. */
    publish: async (value: Json) => void (await kv.set(prefix + own, value, { ttlMs })),
    /** What the others show, by their short names. Throws what the store throws. */
    others: async (): Promise<Map<string, unknown>> => {
      const found = new Map<string, unknown>();
      for (const key of (await kv.list(prefix)).keys) {
        const server = key.slice(prefix.length);
        if (server !== own) found.set(server, await kv.get(key));
      }
      return found;
    },
  };
};
