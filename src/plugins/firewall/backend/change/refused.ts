/** Why a change is not made: an answer for whoever asked for it. */
export class Refused extends Error {
  override name = "Refused";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors: { path: string; message: string }[] = [],
  ) {
    super(message);
  }
}

/** 422 with what is wrong with each field. */
export const invalid = (errors: Record<string, string>): Refused =>
  new Refused(
    422,
    "VALIDATION_FAILED",
    "Please check the highlighted fields",
    Object.entries(errors).map(([path, message]) => ({ path, message })),
  );
