import type { Redis } from "ioredis";

/**
 * The driver's class. Loaded when it is needed, because it takes longer than most of the start, and most installations
 * need none.
 */
export const loadRedis = async (): Promise<typeof Redis> => {
  const [driver, handler] = await Promise.all([import("ioredis"), import("ioredis/built/DataHandler.js")]);
  calmDown(handler.default);
  return driver.Redis;
};

/**
 * The driver throws what it stumbles over in an answer, such as one that nobody asked for, into a tick of its own, where
 * nobody can catch it: any server that is no Redis could end the process. It ends the connection instead.
 */
const calmDown = (handler: unknown): void => {
  // In the one executable file the module stands where its default export stands in the sources.
  const prototype = prototypeOf(handler) ?? prototypeOf(Reflect.get(Object(handler), "default"));
  const fail: unknown = Reflect.get(Object(prototype), "returnFatalError");
  if (prototype === null || typeof fail !== "function")
    throw new Error("the Redis driver is not the one that was expected");
  const failed = new WeakSet<object>();
  Reflect.set(prototype, "dispatch", function (this: object, work: () => void): void {
    if (failed.has(this)) return;
    try {
      work();
    } catch {
      failed.add(this);
      Reflect.apply(fail, this, [new Error("Protocol error")]);
    }
  });
};

const prototypeOf = (handler: unknown): object | null => {
  const prototype: unknown = typeof handler === "function" ? handler.prototype : null;
  return typeof prototype === "object" ? prototype : null;
};
