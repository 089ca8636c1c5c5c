import { ApiError } from "#ui/lib/api.ts";

/** The call, with what the server complains about placed at the fields of this form: `rename` turns its paths into theirs. */
export const withPaths = async <T>(call: Promise<T>, rename: (path: string) => string): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = error.errors.map(({ path, message }) => ({ path: rename(path), message }));
    throw new ApiError(error.message, { ...error, errors, cause: error });
  }
};
