import { errorTexts } from "#contract/errors.ts";
import { CliFailure } from "./failure.ts";

/** Does work for the input of an operation, and a failure for want of a plugin says which one is not there. */
export const namingPlugin = async <T>(input: object, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const name: unknown = Reflect.get(input, "name");
    if (typeof name !== "string" || !(error instanceof CliFailure)) throw error;
    if (error.message !== errorTexts.PLUGIN_NOT_FOUND) throw error;
    const { kind, requestId } = error;
    const known = requestId === undefined ? {} : { requestId };
    throw new CliFailure(kind, absentText(name), { ...known, cause: error });
  }
};

/** What is said of a plugin that is not there. */
export const absentText = (name: string): string =>
  `the plugin ${name} is not installed; install it on the page /admin/plugins, or with: atrium plugin install FILE`;
