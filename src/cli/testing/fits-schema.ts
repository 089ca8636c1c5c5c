import { describedSchemas } from "#api/testing/described-schema.ts";
import { commandSchemas } from "#cli/commands/schema/command-schemas.ts";
import { schemaOf } from "#cli/commands/schema/schema.ts";
import { runnableCommands, unrunProgram } from "./command-tree.ts";

/** What a command printed with `--json`, read. Throws where that is not what `atrium schema` says of the command. */
export const fitsSchema = async (name: string, out: string): Promise<ReturnType<typeof JSON.parse>> => {
  const document = await documentFor(name);
  const hasPlan = commands.get(name)?.options.some(({ long }) => long === "--plan") ?? false;
  const schema = schemaOf(name, { document, hasPlan });
  if (schema === null) throw new Error(`atrium ${name} has no schema`);
  const value: unknown = JSON.parse(out);
  const problems = describedSchemas(document, { isClosed: true }).check(schema)(value);
  if (problems.length > 0) throw new Error(`atrium ${name} --json: ${JSON.stringify(problems)}`);
  return value;
};

const commands = runnableCommands(unrunProgram());

/** The API's document for what is made of its answers; it takes a second to make, which the others are spared. */
const documentFor = async (name: string): Promise<object> => {
  if (!JSON.stringify(commandSchemas[name] ?? {}).includes('"$answer"')) return {};
  const [{ describeRoutes }, { loadFeatures }] = await Promise.all([
    import("#api/app.ts"),
    import("#api/load-features.ts"),
  ]);
  const features = await loadFeatures();
  made ??= describeRoutes({ version: "1.2.3", appUrl: "http://localhost:3000", features })();
  return made;
};

let made: Promise<object> | undefined;
