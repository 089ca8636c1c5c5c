import type { NativesInVm } from "./natives-in-vm.ts";

/**
 * Gives the interpreter the part of Web Crypto that plugins need: digests, HMAC and random values. The text of this
 * function is evaluated in the interpreter: it uses nothing from outside itself.
 */
export const installCrypto = (natives: NativesInVm): void => {
  const { parse } = JSON;
  const secrets = new WeakMap<object, { bytes: ArrayBuffer; hash: string }>();

  const bytesOf = (data: unknown): ArrayBuffer => {
    if (data instanceof ArrayBuffer) return data;
    if (!ArrayBuffer.isView(data)) throw new TypeError("Bytes must be an ArrayBuffer or a view of one");
    // Shared memory does not exist here.
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
  };
  const nameOf = (algorithm: unknown): string => {
    const isNamed = typeof algorithm === "object" && algorithm !== null && "name" in algorithm;
    return String(isNamed ? algorithm.name : algorithm);
  };
  const requireHmac = (algorithm: unknown): void => {
    if (nameOf(algorithm).toUpperCase() !== "HMAC") throw new TypeError("Only HMAC keys are supported here");
  };
  const secretOf = (algorithm: unknown, key: object) => {
    requireHmac(algorithm);
    const secret = secrets.get(key);
    if (secret === undefined) throw new TypeError("The key must come from importKey");
    return secret;
  };

  const subtle = {
    digest: async (algorithm: unknown, data: unknown): Promise<ArrayBuffer> =>
      natives.bytes("digest", nameOf(algorithm), bytesOf(data)),
    importKey: async (
      format: unknown,
      data: unknown,
      algorithm: { name: string; hash: unknown },
      extractable: unknown,
      usages: unknown[],
    ): Promise<object> => {
      requireHmac(algorithm);
      if (format !== "raw") throw new TypeError("Only raw keys can be imported here");
      const hash = nameOf(algorithm.hash);
      // Refuses a hash that is not known, now and not at its first use.
      natives.bytes("digest", hash, new ArrayBuffer(0));
      const key = Object.freeze({
        type: "secret",
        extractable: Boolean(extractable),
        algorithm: Object.freeze({ name: "HMAC", hash: Object.freeze({ name: hash }) }),
        usages: Object.freeze([...usages]),
      });
      secrets.set(key, { bytes: bytesOf(data).slice(0), hash });
      return key;
    },
    sign: async (algorithm: unknown, key: object, data: unknown): Promise<ArrayBuffer> => {
      const { bytes, hash } = secretOf(algorithm, key);
      return natives.bytes("sign", hash, bytesOf(data), bytes);
    },
    verify: async (algorithm: unknown, key: object, signature: unknown, data: unknown): Promise<boolean> => {
      const { bytes, hash } = secretOf(algorithm, key);
      return natives.isSame(bytesOf(signature), natives.bytes("sign", hash, bytesOf(data), bytes));
    },
  };

  const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
    if (!ArrayBuffer.isView(view) || view.byteLength > 65_536)
      throw new TypeError("Random values go into a view of at most 65,536 bytes");
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    bytes.set(new Uint8Array(natives.bytes("random", String(view.byteLength))));
    return view;
  };

  const value = Object.freeze({
    subtle: Object.freeze(subtle),
    getRandomValues,
    randomUUID: (): string => parse(natives.text("randomUUID", "[]")),
  });
  Object.defineProperty(globalThis, "crypto", { value, configurable: true, enumerable: false });
};
