import type { NativeCtx } from "#plugins/sdk/types.ts";
import type { NativeExtras } from "../runtime.ts";

/** What `ctx` has besides for plugins inside the server, and what they register with it. */
export type OpenExtras = {
  ctx: Pick<NativeCtx, "request" | "app">;
  /** What was registered; afterwards nothing can be added. */
  close(): NativeExtras;
};

/** Begins with nothing registered. */
export const createNativeExtras = (): OpenExtras => {
  const before: NativeExtras["before"][number][] = [];
  let mount: NativeExtras["mount"] = null;
  let isOpen = true;

  const check = (handler: unknown): void => {
    if (!isOpen) throw new Error("Hooks and handlers can be added only while setup runs");
    if (typeof handler !== "function") throw new TypeError("A handler must be a function");
  };

  return {
    ctx: {
      request: Object.freeze({
        before: (hook: NativeExtras["before"][number]) => {
          check(hook);
          before.push(hook);
        },
      }),
      app: Object.freeze({
        mount: (handler: NonNullable<NativeExtras["mount"]>) => {
          check(handler);
          if (mount !== null) throw new Error("A plugin mounts one handler");
          mount = handler;
        },
      }),
    },
    close: () => {
      isOpen = false;
      return { before, mount };
    },
  };
};
