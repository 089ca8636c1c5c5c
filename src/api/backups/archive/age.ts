import { ownBytes, streamOf } from "#api/core/csv.ts";
import { ArchiveError, archiveError } from "./format.ts";

/** For whom a backup is encrypted: holders of a passphrase, or of the identities of recipients (`age1…`). */
export type Lock = { passphrase: string } | { recipients: readonly string[] };

/**
 * What may open a backup: passphrases are tried, and age identities (`AGE-SECRET-KEY-1…`). `isNamedEncrypted`: its name
 * says that it is an age file.
 */
export type Keys = {
  passphrase: string | null;
  identities: readonly string[];
  isNamedEncrypted?: boolean;
};

/** Its curves and ciphers are more code than many a module: a server that makes no backup does without. */
const loadAge = () => import("age-encryption");

/** The same bytes as an age file (age-encryption.org/v1), which the `age` program opens as well. */
export const encrypted = async (
  bytes: AsyncIterable<Uint8Array>,
  lock: Lock,
): Promise<AsyncIterable<Uint8Array>> => {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  if ("passphrase" in lock) encrypter.setPassphrase(lock.passphrase);
  else for (const recipient of lock.recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(streamOf(bytes, ownBytes));
};

/** A new age identity and the recipient that belongs to it. */
export const newIdentity = async (): Promise<{ identity: string; recipient: string }> => {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
};

/** What lies in a backup, and whether it had to be decrypted for that. */
type Unlocked = { bytes: AsyncIterable<Uint8Array>; isEncrypted: boolean };

/**
 * What lies in a backup, decrypted where it is an age file. Throws an `ArchiveError`, and ends the reading: `locked`,
 * `wrong_secret`, `not_encrypted` where something was to open it and nothing is locked, or `not_a_backup` for what is
 * neither; a changed or shortened age file fails while it is read.
 */
export const unlocked = async (bytes: AsyncIterable<Uint8Array>, keys: Keys): Promise<Unlocked> => {
  const { head, all, close } = await peek(bytes);
  try {
    return await open(head, all, keys);
  } catch (error) {
    await close();
    throw error;
  }
};

const open = async (
  head: Uint8Array,
  all: AsyncIterable<Uint8Array>,
  { passphrase, identities, isNamedEncrypted = false }: Keys,
): Promise<Unlocked> => {
  const hasKeys = passphrase !== null || identities.length > 0;
  if (startsWith(head, zstdMagic)) {
    if (!hasKeys && !isNamedEncrypted) return { bytes: all, isEncrypted: false };
    throw archiveError("not_encrypted");
  }
  if (!startsWith(head, ageMagic)) throw archiveError(head.byteLength < 4 ? "truncated" : "not_a_backup");
  if (!hasKeys) throw archiveError("locked");
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  if (passphrase !== null) decrypter.addPassphrase(passphrase);
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    const plain = await decrypter.decrypt(streamOf(all, ownBytes));
    return { bytes: readable(plain), isEncrypted: true };
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    const isWrong = /no identity matched/i.test(String(cause));
    throw archiveError(isWrong ? "wrong_secret" : "altered", cause);
  }
};

/** The bytes alone of what {@link unlocked} gives. */
export const decrypted = async (
  bytes: AsyncIterable<Uint8Array>,
  keys: Keys,
): Promise<AsyncIterable<Uint8Array>> => (await unlocked(bytes, keys)).bytes;

const ageMagic = new TextEncoder().encode("age-encryption.org/v1\n");
// RFC 8878 §3.1.1.
const zstdMagic = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]);

const startsWith = (bytes: Uint8Array, magic: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, magic.byteLength)).equals(magic);

/**
 * The first bytes, enough to tell what it is, and all of them. `close` ends the reading also of those that no one has begun to
 * read, whose own end would not.
 */
const peek = async (bytes: AsyncIterable<Uint8Array>) => {
  const iterator = bytes[Symbol.asyncIterator]();
  let head = new Uint8Array();
  let isEnded = false;
  while (head.byteLength < ageMagic.byteLength && !isEnded) {
    const next = await iterator.next();
    if (next.done === true) isEnded = true;
    else head = new Uint8Array(Buffer.concat([head, next.value]));
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield head;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return {
    head,
    all: all(),
    close: async () => {
      await iterator.return?.();
    },
  };
};

/** What age says of a payload that was changed or cut tells no more than that. */
async function* readable(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw cause instanceof ArchiveError ? cause : archiveError("altered", cause);
  }
}
