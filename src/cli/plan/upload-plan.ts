import type { ApiUploadName } from "#cli/api-calls.ts";
import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { errorTexts } from "#contract/errors.ts";

type Upload = Parameters<Client["upload"]>[1];

/** What sending a package would do: the server looks at it without keeping anything of it. */
export const uploadPlan = async (client: Client, { file, query = {} }: Upload): Promise<string> => {
  const inspect: ApiUploadName = "POST /api/plugins/inspect";
  const seen = await client.upload(inspect, { file });
  const { title, version, installedVersion, obstacles, needsDowngrade } = seen;
  if (obstacles.length > 0) throw new CliFailure("PLUGIN_INVALID", obstacles.join("\n"));
  if (needsDowngrade && Reflect.get(query, "allowDowngrade") !== "true")
    throw new CliFailure("PLUGIN_EXISTS", errorTexts.PLUGIN_EXISTS);
  return installedVersion === null
    ? `Would install ${title} ${version}, disabled`
    : `Would bring ${title} from version ${installedVersion} to ${version}`;
};
