import { mcpTexts } from "#contract/mcp.ts";
import type { PageServer } from "../page-server.ts";
import { RpcError } from "./rpc.ts";

/** Something to read. */
export type Resource = { uri: string; name: string; title: string; description?: string; mimeType: string };

/** What assistants can read: the index for them, and the documentation that it names; nothing where neither was built. */
export type Resources = {
  list(): Promise<Resource[]>;
  /** Rejects with an {@link RpcError} of `code` for what is not listed. */
  read(uri: unknown, code: "params" | "noResource"): Promise<{ uri: string; mimeType: string; text: string }>;
};

const indexPath = "/llms.txt";
const link = /^- \[([^\]\n]+)\]\((\S+?)\)(?:: (.+))?$/gm;

/** Takes them from the pages that everybody may read. */
export const createResources = (pages: PageServer, appUrl: string): Resources => {
  const load = (path: string): Response =>
    pages.respond({ method: "GET", path, search: "", headers: new Headers(), user: null, isKnown: true });

  const readIndex = async (): Promise<Resource[]> => {
    const response = load(indexPath);
    if (response.status !== 200 || !response.headers.get("content-type")?.startsWith("text/plain")) return [];
    const documents = [...(await response.text()).matchAll(link)].map(
      ([, title = "", uri = "", description]) => ({
        ...{ uri, name: uri.slice(appUrl.length + 1), title, mimeType: "text/html" },
        ...(description === undefined ? {} : { description }),
      }),
    );
    const index = {
      uri: appUrl + indexPath,
      name: "llms.txt",
      title: "What this server is",
      mimeType: "text/plain",
    };
    return [index, ...documents.filter(({ uri }) => isDocument(uri, appUrl))];
  };

  // Pages do not change while the server runs.
  let index: Promise<Resource[]> | null = null;
  const list = (): Promise<Resource[]> => {
    index ??= readIndex();
    return index;
  };

  return {
    list,
    read: async (uri, code) => {
      const found = (await list()).find((resource) => resource.uri === uri);
      if (found === undefined) throw new RpcError(code, mcpTexts.unknownResource);
      const { mimeType } = found;
      const text = await load(found.uri.slice(appUrl.length)).text();
      return { uri: found.uri, mimeType, text: mimeType === "text/html" ? mainPart(text) : text };
    },
  };
};

const isDocument = (uri: string, appUrl: string): boolean =>
  uri.startsWith(appUrl) && /^\/docs(?:\/[a-z0-9-]+)*$/.test(uri.slice(appUrl.length));

/** A page without its frame. */
const mainPart = (html: string): string => /<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? html;
