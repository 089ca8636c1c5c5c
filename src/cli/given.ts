type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** The options that were typed: without those that are `undefined`, which a query would spell out. */
export const given = <Options extends object>(options: Options): Given<Options> =>
  withoutUndefined<Given<Options>>(
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  );

// Object.fromEntries forgets the names; these are the same ones, but for those whose value is `undefined`.
const withoutUndefined = <Result>(entries: object) => entries as Result;
