const verbs: { [action: string]: string } = { set: "set", replaced: "replace", removed: "remove" };
const valueText = (value: unknown): string => (value === null || value === "" ? "none" : String(value));

/**
 * What a dry run says about each field that the activity log names; of a secret, the log only has what was done with
 * it.
 */
export const changesOf = (section: string, { before, after }: { before: object; after: object }): string => {
  const values = Object.entries(before).map(
    ([path, value]) =>
      `change ${section}.${path} from ${valueText(value)} to ${valueText(Reflect.get(after, path))}`,
  );
  const sealed: unknown = Reflect.get(after, "sealed");
  const secrets = (Array.isArray(sealed) ? sealed.map(String) : []).map((told) => {
    const [path = "", action = ""] = told.split(" ");
    return `${verbs[action]} ${section}.${path}`;
  });
  return [...values, ...secrets].join(", ");
};
