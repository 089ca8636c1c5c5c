import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";

// What waits may hold a package of 20 MB.
const mostWaiting = 32;

type Queue = { last: Promise<unknown>; waiting: number };

const queues = new WeakMap<object, Map<string, Queue>>();

/**
 * Runs `work` once everything that was begun here for the same plugin before it has ended: changes of one plugin are made
 * and answered one after the other, in the order in which they came. Throws `BUSY` when too many wait. What other replicas
 * do at the same time is kept apart by the database.
 */
export const inTurn = async <T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> => {
  const own = queues.get(ctx.plugins) ?? new Map<string, Queue>();
  queues.set(ctx.plugins, own);
  const queue = own.get(name) ?? { last: Promise.resolve(), waiting: 0 };
  own.set(name, queue);
  if (queue.waiting >= mostWaiting) throw new AppError("BUSY", undefined, { retryAfterS: 1 });
  queue.waiting += 1;
  const turn = queue.last.then(work);
  queue.last = turn.catch(() => {});
  try {
    return await turn;
  } finally {
    queue.waiting -= 1;
    if (queue.waiting === 0) own.delete(name);
  }
};
