import { readFile } from "node:fs/promises";
import { Argument, type Command, InvalidArgumentError } from "commander";
import { type AnyCall, type Client, pluginIn } from "#cli/client/client.ts";
import { type AnyAnswer, apiMethods } from "#cli/client/read-answer.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import {
  type Cli,
  examples,
  type GlobalOptions,
  handler,
  type Invocation,
  withClient,
} from "#cli/invocation.ts";
import { planOption } from "#cli/planned.ts";
import { explainingAbsence } from "#cli/plugin-words/call-present-plugin.ts";
import { shownJson } from "#cli/terminal/output.ts";
import { printBytes } from "#cli/terminal/save-file.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";

type ApiOptions = GlobalOptions & { body?: string };

/** `api`: any call of the API, for what has no command of its own. */
export const addApiCommand = (program: Command, cli: Cli): void => {
  program
    .command("api")
    .addArgument(new Argument("<method>", "the HTTP method").choices(apiMethods).argParser(methodOf))
    .argument("<path>", "path and query: /api/admin/users?limit=5", pathOf)
    .summary("send any request to the API")
    .description(
      "Sends a request to the API, including the routes of enabled plugins, and prints the response. Use it for anything that has no command of its own. " +
        "It has the same permissions as every command. `atrium openapi` and the page /swagger describe the requests. With --json " +
        "only the data of the response is printed; a response that is not JSON is printed unchanged.",
    )
    .option("--body <file>", 'send the JSON in this file; "-" reads standard input')
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["List the firewall's rate rules", "atrium api GET /api/firewall/rates"],
        [
          "Change something that has no command",
          "atrium api PUT /api/firewall/countries --body countries.json",
        ],
        [
          "Preview a request from a script",
          "echo '{\"enabled\":true}' | atrium api POST /api/plugins/visitor-notes/toggle --body - --plan",
        ],
      ),
    )
    .action(
      handler<ApiOptions>(cli, async (invocation, options) => {
        const [method = "", path = ""] = invocation.args;
        const call = {
          method: method.toUpperCase(),
          path,
          body: await bodyOf(invocation.terminal, method, options),
        };
        await invocation.terminal.interruptible((ended) =>
          withClient(invocation, async (client) =>
            show(invocation, await answerOf(client, { ...call, ended })),
          ),
        );
      }),
    );
};

/** Sends the request; an error that the caller can fix says how. */
const answerOf = async (client: Client, call: AnyCall): Promise<AnyAnswer> => {
  const make = () => client.request(call);
  const plugin = pluginIn(call.path);
  try {
    return await (plugin === null ? make() : explainingAbsence(client, plugin, make));
  } catch (error) {
    if (error instanceof CliFailure && error.kind === "PLUGIN_NOT_FOUND" && plugin !== null)
      throw new CliFailure(
        error.kind,
        `${plainOf(call.path)} not found: Atrium has no such endpoint (see: atrium openapi), and ${error.message}`,
        { cause: error },
      );
    if (!(error instanceof CliFailure) || error.kind !== "UNSUPPORTED_MEDIA_TYPE" || call.body !== null)
      throw error;
    const { kind, message, requestId } = error;
    throw new CliFailure(kind, `${message}; add --body FILE`, {
      ...(requestId === undefined ? {} : { requestId }),
      cause: error,
    });
  }
};

const plainOf = (path: string): string => path.split("?", 1)[0] ?? "";

const show = async ({ output, terminal }: Invocation, answer: AnyAnswer): Promise<void> => {
  if ("data" in answer) {
    output.result(answer.data, () => shownJson(answer.whole));
    return;
  }
  if (answer.isText) return printBytes(terminal, answer.bytes);
  if (terminal.isOutputTerminal)
    throw usage("the response is a file, which can't be shown on a terminal; redirect standard output");
  for await (const chunk of answer.bytes) if (!terminal.outBytes(chunk)) return;
};

/** The JSON to send as text, `null` for none. Throws `USAGE` for what is none, or cannot be read. */
const bodyOf = async (
  terminal: Terminal,
  method: string,
  { body, tokenFile }: ApiOptions,
): Promise<string | null> => {
  if (body === undefined) return null;
  if (method.toUpperCase() === "GET") throw usage("GET takes no body; put parameters after a ? in the path");
  if (body === "-" && tokenFile === "-") throw usage("standard input can't be both the token and the body");
  const text = body === "-" ? new TextDecoder().decode(await terminal.readInput()) : await readText(body);
  try {
    JSON.parse(text);
  } catch {
    throw usage("the body is not valid JSON");
  }
  return text;
};

const readText = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((cause) => {
    throw usage(`cannot read ${path}`, { cause });
  });

const methodOf = (text: string): string => {
  const method = text.toUpperCase();
  if (apiMethods.includes(method)) return method;
  throw new InvalidArgumentError(`It must be one of ${apiMethods.join(", ")}.`);
};

const pathOf = (text: string): string => {
  const url = URL.parse(text, "http://localhost");
  // What an address would be changed into is another one.
  if (text.startsWith("/api/") && url !== null && `${url.pathname}${url.search}` === text) return text;
  throw new InvalidArgumentError("It must be a path of the API, such as /api/plugins.");
};
