import type { FieldError } from "#contract/errors.ts";

/** A plugin's folder that cannot be made into a package; `problems` say where, such as `backend/index.ts:3:5`. */
export class PluginBuildError extends Error {
  readonly problems: FieldError[];

  constructor(message: string, { problems = [], cause }: { problems?: FieldError[]; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "PluginBuildError";
    this.problems = problems;
  }
}
