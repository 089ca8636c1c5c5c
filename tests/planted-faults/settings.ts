import type { PlantedFault } from "./planted-fault.ts";

/** Settings: secrets, changes, history. */
export const settingsFaults: readonly PlantedFault[] = [
  {
    name: "secret follows its endpoint to another server",
    file: "src/api/modules/settings/credentials.ts",
    replace: 'return moved === "demanded" ? "demanded" : removed;',
    by: 'return moved === "demanded" ? "kept" : removed;',
    breaks: "An admin's session is enough to have the stored Redis password sent to a server of one's own.",
    seenBy: ["src/api/modules/settings/update-credentials.test.ts"],
  },
  {
    name: "secret not bound to its server",
    file: "src/api/modules/settings/stored-settings.ts",
    replace: "return bound === boundTo(name, endpoint)",
    by: "return bound !== null && endpoint !== null",
    breaks: "Whoever can write to the settings table has a sealed password sent to another server.",
    seenBy: ["src/api/modules/settings/sealed-secret.test.ts"],
  },
  {
    name: "settings changed without the lock",
    file: "src/api/modules/settings/save-change.ts",
    replace: "      await lockSettings(tx);\n",
    by: "",
    breaks: "Of two changes at the same moment the first is undone by the second.",
    seenBy: ["src/api/modules/settings/update-core.test.ts"],
    onPostgres: true,
  },
  {
    name: "saved settings not in use",
    file: "src/api/modules/settings/save-change.ts",
    replace: "if (saved.change !== null) await actOnIt(ctx);",
    by: "if (saved.change === null) await actOnIt(ctx);",
    breaks: "A change of the rate limit acts only after the next poll.",
    seenBy: [
      "src/api/modules/settings/update-core.test.ts",
      "src/api/modules/settings/settings-service.test.ts",
    ],
  },
  {
    name: "log silent about secrets that changed",
    file: "src/api/modules/settings/save-change.ts",
    replace:
      "const visible = fields.flatMap((field) => (field.isSecret ? [] : [field]));\n  const actions = fields.flatMap((field) => (field.isSecret ? [`${field.path} ${field.deed}`] : []));",
    by: "const visible = fields.flatMap((field) => (field.isSecret ? [] : [field]));\n  const actions: string[] = [];",
    breaks: "The activity log doesn't say that a secret was replaced.",
    seenBy: ["src/api/modules/settings/update-credentials.test.ts"],
  },
  {
    name: "old change taken back over a newer one",
    file: "src/api/modules/settings/changes.ts",
    replace: "if (!toSettingsChange(found, { newest: await selectNewestByField(tx), stored }).canRevert)",
    by: "if (!toSettingsChange(found, { newest: new Map(), stored }).canRevert)",
    breaks: "Reverting an old change silently undoes a newer one.",
    seenBy: ["src/api/modules/settings/revert-change.test.ts"],
  },
  {
    name: "history pages overlap",
    file: "src/api/modules/settings/store.ts",
    replace: "lt(settingChanges.id, before)",
    by: "sql`${settingChanges.id} <= ${before}`",
    breaks: "The last change of a page is listed again on the next.",
    seenBy: ["src/api/modules/settings/revert-change.test.ts"],
  },
  {
    name: "bucket used without its secret key",
    file: "src/api/modules/settings/live-settings.ts",
    replace: 'bucket === "" || accessKeyId === "" || secretAccessKey === "") return null;',
    by: 'bucket === "" || accessKeyId === "") return null;',
    breaks: "A bucket whose secret doesn't open is called with an empty one.",
    seenBy: ["src/api/modules/settings/to-live-settings.test.ts"],
  },
  {
    name: "endpoint taken from the list goes on",
    file: "src/api/modules/settings/live-settings.ts",
    replace: 'endpointS3 !== "" && s3EndpointComplaint(endpointS3, s3Endpoints) === null;',
    by: 'endpointS3 !== "" && s3Endpoints.length >= 0;',
    breaks: "A bucket's server that the operator no longer lists still gets the credentials.",
    seenBy: ["src/api/modules/settings/to-live-settings.test.ts"],
  },
];
