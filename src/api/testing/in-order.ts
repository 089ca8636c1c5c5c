import { test } from "bun:test";

/** Declares one step of a story. */
export type Step = (title: string, run: () => unknown, timeoutMs?: number) => void;

/**
 * For tests that tell a story together: each step is a test of its own, and first runs those declared before it that have not
 * run yet. So they pass in any order and each alone. A step that fails is reported by its own test. All steps of a story are
 * either inside of `describe` or outside: Bun calls what a `describe` holds after the rest of the file.
 * `storyMs` limits each step that has no limit of its own: the first to run may have to tell the whole story.
 */
export const inOrder = (storyMs?: number): Step => {
  let last: () => Promise<unknown> = async () => {};
  return (title, run, timeoutMs) => {
    const before = last;
    let outcome: Promise<unknown> | null = null;
    const once = () => {
      outcome ??= before()
        .catch(() => {})
        .then(run);
      return outcome;
    };
    last = once;
    test(
      title,
      async () => {
        await once();
      },
      timeoutMs ?? storyMs,
    );
  };
};
