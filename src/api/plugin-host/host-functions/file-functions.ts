import type { Services } from "#api/core/context.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostOp } from "../runtime.ts";
import {
  bytesArgument,
  fieldsArgument,
  type HostFunction,
  invalid,
  PluginFault,
  textArgument,
} from "./host-function.ts";
import { type KeepWithin, pluginFilesPrefix } from "./kv-functions.ts";

type FileOp = Extract<HostOp, `files.${string}`>;

// Source of the characters: those of object keys. Of the length: a key has 500, of which a plugin's data key takes 119.
const segment = /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9._+-]*$/;
const pathLength = 200;
const type = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,63}$/;

/** Private files of a plugin, in the object store. */
export const createFileFunctions = ({
  objects,
  keepWithin,
}: Pick<Services, "objects"> & { keepWithin: KeepWithin }): Record<FileOp, HostFunction> => {
  const keyOf = (dataKey: string, path: string) => `${pluginFilesPrefix(dataKey)}${path}`;
  const entries = async (dataKey: string, prefix = "") => {
    const root = pluginFilesPrefix(dataKey);
    const found = await objects.list(`${root}${prefix}`);
    return found.map(({ key, sizeBytes, contentType }) => ({
      path: key.slice(root.length),
      sizeBytes,
      type: contentType,
    }));
  };

  return {
    "files.read": {
      permission: "storage.files.read",
      run: async ({ plugin, args }) => {
        const path = pathOf(args[0]);
        const bytes = await objects.get(keyOf(plugin.dataKey, path));
        if (bytes === null) return undefined;
        const entry = (await entries(plugin.dataKey, path)).find((file) => file.path === path);
        // It was deleted meanwhile: bytes without a known type are useless.
        if (entry === undefined) return undefined;
        return { base64: Buffer.from(bytes).toString("base64"), type: entry.type };
      },
    },
    "files.write": {
      permission: "storage.files.write",
      run: async ({ plugin, args }) => {
        const path = pathOf(args[0]);
        const file = fieldsArgument(args[1], "file", ["text", "base64", "type"]);
        const bytes = bytesArgument(file, "file");
        if (bytes === null) throw invalid("file needs text or base64");
        if (bytes.byteLength > pluginLimits.pluginFileBytes)
          throw new PluginFault(
            "LIMIT_EXCEEDED",
            `A file can have at most ${pluginLimits.pluginFileBytes} bytes`,
          );
        const kept = await entries(plugin.dataKey);
        if (kept.length >= pluginLimits.pluginFiles && !kept.some((known) => known.path === path))
          throw new PluginFault(
            "LIMIT_EXCEEDED",
            `A plugin can store at most ${pluginLimits.pluginFiles} files`,
          );
        const contentType = typeOf(file.type, file.text);
        await keepWithin({ plugin: plugin.dataKey, path, bytes: bytes.byteLength }, () =>
          objects.put(keyOf(plugin.dataKey, path), bytes, { contentType }),
        );
        return undefined;
      },
    },
    "files.list": {
      permission: "storage.files.read",
      run: async ({ plugin, args: [prefix] }) => {
        if (prefix !== undefined && prefix !== null && typeof prefix !== "string")
          throw invalid("prefix has to be a text");
        return entries(plugin.dataKey, prefix ?? "");
      },
    },
    "files.delete": {
      permission: "storage.files.write",
      run: async ({ plugin, args }) => {
        const path = pathOf(args[0]);
        const isThere = (await entries(plugin.dataKey, path)).some((known) => known.path === path);
        await objects.delete(keyOf(plugin.dataKey, path));
        return isThere;
      },
    },
  };
};

const pathOf = (value: Json | undefined): string => {
  const path = textArgument(value, "path", pathLength);
  if (!path.split("/").every((part) => segment.test(part)))
    throw invalid("path has to be plain names with slashes between them, such as reports/2026.csv");
  return path;
};

const typeOf = (value: Json | undefined, text: Json | undefined): string => {
  if (value === undefined || value === null)
    return text === undefined ? "application/octet-stream" : "text/plain";
  if (typeof value !== "string" || !type.test(value)) throw invalid("type has to be a media type");
  return value;
};
