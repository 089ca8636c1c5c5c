import { errorTexts } from "#contract/errors.ts";
import { CliFailure } from "./failure.ts";

/** Does work about the plugin `name`, if it is about one: a failure for want of it says which one is not there. */
export const namingPlugin = async <T>(name: string | undefined, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (name === undefined || !(error instanceof CliFailure) || error.message !== errorTexts.PLUGIN_NOT_FOUND)
      throw error;
    const { kind, requestId } = error;
    const known = requestId === undefined ? {} : { requestId };
    throw new CliFailure(kind, absentText(name), { ...known, cause: error });
  }
};

/** What is said of a plugin that is not there. */
export const absentText = (name: string): string =>
  `the plugin ${name} is not installed; install it on the page /admin/plugins, or with: atrium plugin install FILE`;
