/** Rows in portions, and the name under which they stand in the file. */
export type NamedList = [name: string, portions: AsyncIterable<readonly object[]>];

/**
 * An object as indented JSON, piece by piece: the members of `head`, of which there is at least one, and behind them
 * the lists, of which never more than a portion is in memory.
 */
export async function* accountFile(
  head: Record<string, unknown>,
  lists: readonly NamedList[],
): AsyncGenerator<string, void, undefined> {
  yield indented(head).replace(/\n\}$/, "");
  for (const [name, portions] of lists) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let isEmpty = true;
    for await (const rows of portions) {
      if (rows.length === 0) continue;
      yield (isEmpty ? "\n" : ",\n") + rows.map(asItem).join(",\n");
      isEmpty = false;
    }
    yield isEmpty ? "]" : "\n  ]";
  }
  yield "\n}\n";
}

const asItem = (row: object): string => `    ${indented(row).replaceAll("\n", "\n    ")}`;

const indented = (value: object): string => JSON.stringify(value, null, 2);
