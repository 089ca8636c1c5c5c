import type { JsonSchema } from "./json-schema.ts";
import { pluginCommandsSchema } from "./plugin-commands-schema.ts";
import { pluginNamePattern, reservedPluginNames } from "./plugin-names.ts";
import { permissionNames, pluginLimits, pluginTypes } from "./plugins.ts";

/** Where editors find {@link manifestSchema}: an identifier, which servers also answer at their own `/api` address. */
const manifestSchemaId = "https://atrium.example/schemas/plugin-manifest-1.json";

/** Forms of texts in a manifest. All of them take linear time. */
const manifestPatterns = {
  name: pluginNamePattern.source,
  // Semantic Versioning 2.0.0, §2, §9 and §10.
  version:
    "^(?:0|[1-9][0-9]{0,14})(?:\\.(?:0|[1-9][0-9]{0,14})){2}(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$",
  // Only what ranges are made of; whether it is one is the server's to find out.
  range: "^[0-9A-Za-z.*^~<>=|+ -]+$",
  // As the zip reader takes them, without a folder of its own above.
  file: "^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*(?:/[A-Za-z0-9_@+][A-Za-z0-9._@+-]*)*$",
  script: "\\.m?js$",
  style: "\\.css$",
  path: "^/admin/[a-z0-9-]+(?:/[a-z0-9-]+)*$",
  link: "^https://",
  host: "^(?:\\*\\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$",
  word: "^[A-Za-z][A-Za-z0-9-]*$",
} as const;

const text = (maxLength: number, description: string) =>
  ({ type: "string", minLength: 1, maxLength, description }) as const;

const name = {
  type: "string",
  pattern: manifestPatterns.name,
  not: { enum: reservedPluginNames },
  description: "Lowercase letters, digits and hyphens, starting with a letter.",
} as const;

const range = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  pattern: manifestPatterns.range,
  description: "A range of versions in npm's syntax, such as ^1.0.0.",
} as const;

const file = (ending: string, description: string) =>
  ({
    type: "string",
    maxLength: pluginLimits.pathLength,
    allOf: [{ pattern: manifestPatterns.file }, { pattern: ending }],
    description,
  }) as const;

const word = (description: string) =>
  ({ type: "string", maxLength: 40, pattern: manifestPatterns.word, description }) as const;

const path = {
  type: "string",
  maxLength: pluginLimits.pathLength,
  pattern: manifestPatterns.path,
  description: "The page in the admin area that it leads to; by default the plugin's own.",
} as const;

const whole = (minimum: number, maximum: number, description: string) =>
  ({ type: "integer", minimum, maximum, description }) as const;

const permissionName = { enum: permissionNames } as const;

const permission: JsonSchema = {
  anyOf: [
    { type: "string", ...permissionName },
    {
      type: "object",
      properties: {
        name: permissionName,
        hosts: {
          type: "array",
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          items: {
            type: "string",
            maxLength: 253,
            pattern: manifestPatterns.host,
          },
          description: "For net.fetch: exact host names, or *.example.com for every host below one.",
        },
        plugins: {
          type: "array",
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          items: name,
          description: "For plugins.call: the plugins that it may call.",
        },
        reason: text(200, "The purpose; admins read it before they grant the permission."),
      },
      required: ["name"],
      additionalProperties: false,
    },
  ],
};

/** The least a manifest can ask for: an interpreter does not start with less. */
const leastLimits = { memoryMB: 16, cpuMs: 10, wallMs: 100 } as const;

/** JSON Schema of `plugin.json`, for editors and for whoever writes one. `readManifest` checks what cannot be said here. */
export const manifestSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: manifestSchemaId,
  title: "Atrium plugin",
  description: "What a plugin is, what it needs and what it asks for.",
  type: "object",
  properties: {
    $schema: { type: "string", maxLength: 500 },
    manifestVersion: { const: 1 },
    name,
    version: {
      type: "string",
      maxLength: 64,
      pattern: manifestPatterns.version,
      description: "A version as in Semantic Versioning, such as 1.2.3.",
    },
    title: text(60, "The name that is shown."),
    description: text(500, "What it does, in a sentence or two."),
    type: { enum: pluginTypes, default: "Other" },
    author: text(100, "Who made it."),
    homepage: {
      type: "string",
      maxLength: 500,
      format: "uri",
      pattern: manifestPatterns.link,
      description: "Where to read more.",
    },
    license: text(100, "Its license, such as MIT."),
    engines: {
      type: "object",
      properties: { atrium: range },
      additionalProperties: false,
      description: "The Atrium versions that it supports.",
    },
    dependsOn: {
      anyOf: [
        { type: "array", maxItems: 50, uniqueItems: true, items: name },
        { type: "object", maxProperties: 50, additionalProperties: range },
      ],
      description: "Plugins that must be enabled: names, or names with version ranges.",
    },
    backend: {
      type: "object",
      properties: {
        entry: file(manifestPatterns.script, "Its bundle: one ES module without imports."),
        runtime: {
          enum: ["sandbox", "native"],
          default: "sandbox",
          description: "native runs inside the server, and must be signed for that.",
        },
      },
      required: ["entry"],
      additionalProperties: false,
    },
    frontend: {
      type: "object",
      properties: {
        entry: file(manifestPatterns.script, "Its bundle: one ES module."),
        css: file(manifestPatterns.style, "Its style sheet."),
        mode: {
          enum: ["iframe", "native"],
          default: "iframe",
          description: "native runs in the page itself, with all the rights of the user who opens it.",
        },
        overlay: {
          type: "boolean",
          default: false,
          description: "Whether it shows something on every page of the admin area.",
        },
        site: file(
          manifestPatterns.script,
          "A script that runs on every page, for every visitor: one ES module, which must be signed for that.",
        ),
      },
      required: ["entry"],
      additionalProperties: false,
    },
    adminPanel: {
      type: "object",
      properties: {
        enabled: { type: "boolean" },
        menuItem: {
          type: "object",
          properties: {
            title: text(60, "The label in the menu."),
            description: text(200, "A line about it."),
            icon: word("The icon's name."),
            path,
          },
          additionalProperties: false,
        },
        card: {
          type: "object",
          properties: {
            title: text(60, "The title of the card."),
            description: text(200, "A line about it."),
            icon: word("The icon's name."),
            color: word("The color's name."),
            buttonText: text(30, "The label of its button."),
            path,
          },
          additionalProperties: false,
        },
      },
      required: ["enabled"],
      additionalProperties: false,
    },
    permissions: { type: "array", maxItems: permissionNames.length, items: permission },
    settings: {
      type: "object",
      properties: {
        schema: {
          type: "object",
          description:
            "JSON Schema of an object: the form that admins fill in. Fields with x-secret are encrypted.",
        },
      },
      required: ["schema"],
      additionalProperties: false,
    },
    commands: pluginCommandsSchema,
    limits: {
      type: "object",
      properties: {
        memoryMB: whole(leastLimits.memoryMB, pluginLimits.memoryMB, "Megabytes of memory."),
        cpuMs: whole(leastLimits.cpuMs, pluginLimits.cpuMs, "Milliseconds of CPU time without a break."),
        wallMs: whole(
          leastLimits.wallMs,
          pluginLimits.wallMs,
          "Milliseconds within which a call must respond.",
        ),
      },
      additionalProperties: false,
      description: "Limits lower than the defaults.",
    },
  },
  required: ["manifestVersion", "name", "version"],
  additionalProperties: false,
} as const satisfies JsonSchema & { $id: string };
